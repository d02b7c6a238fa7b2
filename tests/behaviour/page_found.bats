#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# affinity-report: what the page says was found, first of all and in its sections.
# shellcheck disable=SC2016 # jq's own variables

bats_require_minimum_version 1.5.0 # run !

# shellcheck source=tests/helper.bash
. "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/pages.bash
. "$BATS_TEST_DIRNAME/../pages.bash"

setup() {
	driver_setup
	stored
	mv tests/golden/report/one/own/holes.json holes.json
	rm -r tests/golden/report/one/*
	mkdir -p tests/golden/report/one/own
}

# A quiet result whose intervals are so wide, with one table.
quiet='.environment.others_load_during_run_percent = 1 | .warnings = []
	| (.. | objects | select(has("low_s")) | select(.cost_s)) |= (.low_s = .cost_s * (1 - W / 100) | .high_s = .cost_s * (1 + W / 100))
	| .tables = [.tables[0] | .mean = null | .values = {} | .quantity = "ns_per_unit" | .unit = "ns" | .row_axis = "size" | .rows_are = "variable" | .column_axis = "" | .columns_are = ""
		| .columns = ["chase"] | .rows = ["16KiB", "2xL3"] | .cells = [[{value: 10, low: (10 - W / 10), high: (10 + W / 10)}], [{value: V, low: V, high: V}]]]'

# made NAME TITLE WIDTH MOST [FILTER]: WIDTH of intervals in percent; MOST of the table's figures is that.
made() {
	local filter=${quiet//W/$3}
	jq --arg title "$2" "${filter//V/$4} | .arguments.text = \"# \" + \$title + \"\nopType: chase\n\" | ${5-.}" holes.json \
		>"tests/golden/report/one/own/$1.json"
	find tests -exec touch -d 2026-01-02 {} +
}

# found: the items of the page's first part, in order, without the words for those who see no signs
found() {
	stored_page one
	sed -n "/<h2 id='found'/,/<h2 id='group/p" "$page" | sed '/<h2 id=.group/d; s/<span class=unseen>[^<]*<.span> //' >part
}

@test "the page begins with a sentence of each experiment, the largest effects first, and leads to its section" {
	made a 'What is far' 2 21
	made b 'What is <farther>?' 9 50
	made c 'What is weak' 2 900 '.environment.others_load_during_run_percent = 50'
	found
	diff - <(grep '<li class=\(ok\|watch\|bad\)' part) <<'END'
<li class=watch><b aria-hidden=true>◐</b> Time per access: from <strong>10.0</strong>&nbsp;<small>±0.9</small>&nbsp;ns (size 16&nbsp;KiB) to <strong>50</strong>&nbsp;ns (size 2xL3): <strong>5.0&nbsp;times</strong>. <a href='#own/b'>What is &lt;farther&gt;?</a></li>
<li class=ok><b aria-hidden=true>●</b> Time per access: from <strong>10.0</strong>&nbsp;<small>±0.2</small>&nbsp;ns (size 16&nbsp;KiB) to <strong>21</strong>&nbsp;ns (size 2xL3): <strong>2.1&nbsp;times</strong>. <a href='#own/a'>What is far</a></li>
<li class=bad><b aria-hidden=true>○</b> Time per access: from <strong>10.0</strong>&nbsp;<small>±0.2</small>&nbsp;ns (size 16&nbsp;KiB) to <strong>900</strong>&nbsp;ns (size 2xL3): <strong>90&nbsp;times</strong>. <a href='#own/c'>What is weak</a></li>
END
	# the weak one is folded
	same 1 "$(sed '1,/<details><summary>1 weak: not for conclusions/d' part | grep -c '<li class=')"
	run ! grep -q 'No result allows' part
	# it says the same in its section
	grep -qF "<p class=verdict>Time per access: from <strong>10.0</strong>&nbsp;<small>±0.2</small>&nbsp;ns (size 16&nbsp;KiB) to <strong>21</strong>&nbsp;ns (size 2xL3): <strong>2.1&nbsp;times</strong>. Quiet, 4 costs within 2.0&nbsp;%.</p>" "$page"
}

@test "names of counters stay as they are where a sentence begins" {
	made a 'What is far' 2 21 '.tables[0] |= (.quantity = "mem_load.l3_miss" | .kind = "counter" | .unit = "per unit")'
	found
	grep -q '> Counter mem_load\.l3_miss: from <strong>10\.0<' part
	made a 'What is far' 2 21 '.tables[0] |= (.quantity = "cache-misses" | .kind = "counter" | .unit = "per unit")'
	found
	grep -q '> Counter cache-misses: from <strong>10\.0<' part
	made a 'What is far' 2 21 '.tables[0] |= (.quantity = "PAPI_L1_DCM" | .kind = "counter" | .unit = "per unit")'
	found
	grep -q '> PAPI_L1_DCM: from <strong>10\.0<' part
}

@test "one sample is one" {
	made a 'What is far' 2 21 '.method.iterations = 1 | (.runs[] | select(.method) | .method.iterations) = 1'
	found
	grep -q '<p>1 sample of each operation' "$page"
	made a 'What is far' 2 21 '.method.iterations = 2 | (.runs[] | select(.method) | .method.iterations) = 2'
	found
	grep -q '<p>2 samples of each operation' "$page"
}

@test "more than eight sentences are folded, and weak ones are open where there are no others" {
	local i
	for i in 1 2 3 4 5 6 7 8 9 10; do made "$i" "Question $i" 2 $((20 + i)); done
	found
	same 8 "$(sed '/<details/,$d' part | grep -c '<li class=ok')"
	same 2 "$(sed '1,/<details><summary>2 more, with smaller effects/d' part | grep -c '<li class=ok')"
	grep -B 1 "'#own/9'" part | run ! grep -q details
	rm tests/golden/report/one/own/*
	made c 'What is weak' 2 900 '.quick = true'
	found
	grep -q 'No result allows conclusions' part
	grep -q '<details open><summary>1 weak: not for conclusions' part
}

@test "figures of different work are not said to be so many times each other" {
	local costs='.tables[0] |= (.quantity = "cost" | .unit = "s" | .row_axis = "p" | .rows = ["1", "2"] | .columns = ["cost"])'
	made a 'The same work' 2 21 "$costs | (.. | objects | select(has(\"ns_per_unit\")) | select(.units)).units = 100"
	found
	grep -q '2.1&nbsp;times' part
	made a 'Other work' 2 21 "$costs | (.. | objects | select(has(\"ns_per_unit\")) | select(.units)).units = 100
		| (.runs[] | select(.values.p == \"2\") | .. | objects | select(has(\"ns_per_unit\")) | select(.units)).units = 200"
	found
	grep -q '(p 2)\. <a' part
	# and operations are other work; ends are of one operation where there are several figures of it
	made a 'Operations' 2 21 '.tables[0] |= (.row_axis = "operation" | .rows_are = .row_axis | .rows = ["load", "chase"])'
	found
	grep -q '(load) to .*(chase)\. <a' part
	made a 'Operations' 2 21 '.tables[0] |= (.row_axis = "operation" | .rows_are = .row_axis | .column_axis = "n" | .columns_are = "variable" | .rows = ["load", "chase"] | .columns = ["1", "2"]
		| .cells = [[{value: 1}, {value: 1.5}], [{value: 10}, {value: 40}]])'
	found
	grep -q 'from <strong>10</strong>&nbsp;ns (chase, n 1) to <strong>40</strong>&nbsp;ns (chase, n 2): <strong>4.0&nbsp;times' part
}

@test "an experiment of which nothing was measured has no sentence" {
	made a 'Nothing' 2 21 '.runs |= map(.skipped = "no room") | .tables = []'
	found
	grep -q 'No run was measured' part
	run ! grep -q '<li class=' part
}

@test "titles that are the same in front of their colons are whole sentences" {
	made a 'Profile of a machine: its memory. More.' 2 21
	found
	grep -q "<a href='#own/a'>Profile of a machine</a>" part
	made b 'Profile of a machine: its lines. More.' 2 21
	found
	grep -q "<a href='#own/a'>Profile of a machine: its memory</a>" part
	grep -q '^<h3>Profile of a machine: its lines</h3>' "$page"
}

@test "times of a simulated machine are folded" {
	made a 'On a ring' 2 21 '.environment.simulated = "a ring"'
	found
	grep -q '<details><summary>1 weak' part
	grep -q 'times there are those of the simulation' part
}
