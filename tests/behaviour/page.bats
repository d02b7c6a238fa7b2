#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# affinity-report: what the page begins with, its index and order, and what it says of each experiment's quality.
# shellcheck disable=SC2016 # jq's own variables

bats_require_minimum_version 1.5.0 # run !

# shellcheck source=tests/helper.bash
. "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/pages.bash
. "$BATS_TEST_DIRNAME/../pages.bash"

setup() {
	driver_setup
	stored
}

# changed FILE FILTER: of a stored document.
changed() {
	jq "$2" "tests/golden/report/$1" >new.json
	mv new.json "tests/golden/report/$1"
	find tests -exec touch -d 2026-01-02 {} +
}

@test "what was measured comes first, then the thesis, then what was not measured and the machine" {
	stored_page one
	same "found group-own units one private shared skipped machine warnings repeat" "$(grep -o "<h2 id='[^']*'" "$page" | cut -d "'" -f 2 | xargs)"
	# a chapter of which nothing was measured is absent, also from the index, and leaves no boxes
	rm -r tests/golden/report/one/{pruebas_*,smt}
	stored_page one
	same "found group-own machine warnings repeat" "$(grep -o "<h2 id='[^']*'" "$page" | cut -d "'" -f 2 | grep -v skipped | xargs)"
	run ! grep -q 'not measured; <code>\|[Tt]ables* 5\.' "$page"
}

@test "each link of the index leads to a part of the page, in the order of the page" {
	local host
	for host in here one ring4; do
		stored_page $host
		sed -n '/<nav /,/<.nav>/p' "$page" | grep -o "href='#[^']*'" | cut -d "'" -f 2 | tr -d '#' >links
		grep -oE "<(h2|section class=experiment) id='[^']*'" "$page" | cut -d "'" -f 2 >ids
		[ "$(wc -l <links)" -gt 10 ]
		diff ids links
	done
}

@test "the index tells experiments of the same title apart" {
	stored_page one
	same 3 "$(sed -n '/<nav /,/<.nav>/p' "$page" | grep -o '>LL: Tables* 5[^<]*' | sort -u | wc -l)"
}

@test "the head says when, how many, and which conditions spoil the figures" {
	stored_page one
	grep -qF '<p>Measured 2026-11-22 10:01 UTC to 2026-11-22 10:20 UTC: 11 experiments, <a href='"'#skipped'"'>12 not measured</a>.</p>' "$page"
	grep -q '<li class=bad>.*not quiet: other programs used up to 98&nbsp;% of the CPUs' "$page"
	grep -q '<li class=watch>.*virtual machine' "$page"
	run ! grep 'several machines' "$page"
	changed one/smt/matrix.json '.environment.host = "<other>"'
	stored_page one
	grep -q '<li class=bad>.*results of several machines below one name: vm, &lt;other&gt;</li>' "$page"
	rm -r tests/golden/report/one/{pruebas_*,smt}
	changed one/own/holes.json '.environment.others_load_during_run_percent = 1.2 | .environment.virtual_machine = false'
	stored_page one
	grep -q '<li class=ok>.*> quiet: other programs used 1&nbsp;% of the CPUs' "$page"
	grep -q '<li class=ok>.*bare metal' "$page"
	run ! grep -q 'class=badge' "$page"
}

@test "the head has each state of the machine that --check warns of" {
	changed one/own/holes.json '.environment |= (.clock_source = "hpet" | .transparent_huge_pages = "always" | .cpu_quota_cpus = 2)'
	stored_page one
	local text
	for text in 'a slow clock source' 'transparent huge pages for all vectors' 'a CPU quota limits the programs'; do
		grep -q "<li class=watch>.*> $text</li>" "$page"
	done
}

@test "a quick trial has a badge" {
	changed one/own/holes.json '.quick = true'
	stored_page one
	grep -q '<span class=badge>1 of 11 is a quick trial: not for conclusions</span>' "$page"
	[ "$(grep -c '<span class=badge>quick trial, not for conclusions</span>' "$page")" -eq 1 ]
	changed one/own/holes.json '.quick = false | .arguments.set = ["quick=yes"]'
	stored_page one
	run ! grep -q 'quick trial' "$page"
}

@test "figures are rounded by their intervals, in a unit that the head names, and the exact ones are kept" {
	stored_page one
	sed -n "/id='own.holes'/,/<.section>/p" "$page" >section
	grep -q '<figcaption>cost (us), node=0</figcaption>' section
	grep -qF "<th scope=row>1</th><td data-mark=weak title='weak: interval +-21 %' data-value='2.1168e-05 ±4.5e-06'>21 <small>±5</small></td>" section
	# no figure of a table is written with an exponent
	run ! grep -E '<td[^>]*>[^<]*e[-+][0-9]' "$page"
	# the only thread's costs are not repeated as a total
	run ! grep -q 'node=0 Total' section
}

# The colours of a table of two by two variables.
matrix() { # UNIT CELL CELL CELL CELL
	changed one/own/holes.json '.tables = [.tables[0] | .quantity = "'"${quantity:-x}"'" | .mean = null | .row_axis = "to" | .column_axis = "from" | .rows_are = "variable" | .columns_are = .rows_are |
		.rows = ["0", "1"] | .columns = ["0", "1"] | .unit = "'"$1"'" |
		.cells = [['"$2,$3"'], ['"$4,$5"']]]'
	stored_page one
	sed -n "/id='own.holes'/,/<.section>/p" "$page" | grep -oE "class=w[0-9]" | cut -d = -f 2 | xargs
}

value() { echo "{\"value\": $1, \"low\": $2, \"high\": $3}"; }

@test "a matrix has colours: the darker, the worse, and none where nothing is certain" {
	same "w0 w6 w3 w0" "$(matrix ns "$(value 100 99 101)" "$(value 200 199 201)" "$(value 140 139 141)" "$(value 100 99 101)")"
	same "w6 w0 w3 w6" "$(matrix GB/s "$(value 100 99 101)" "$(value 200 199 201)" "$(value 140 139 141)" "$(value 100 99 101)")"
	same "" "$(matrix ns "$(value 100 20 180)" "$(value 170 90 250)" "$(value 140 20 200)" "$(value 100 99 101)")"
	same "" "$(matrix ns "$(value 100 100 100)" "$(value 104 104 104)" "$(value 101 101 101)" "$(value 100 100 100)")"
	local made=tests/golden/report/one/report.html
	run ! grep -q 'No colours' $made
	# nobody knows which direction is worse, and the page says so
	same "" "$(matrix 'of it' "$(value 100 99 101)" "$(value 200 199 201)" "$(value 140 139 141)" "$(value 100 99 101)")"
	grep -q 'No colours: it is not known whether more of this is better' $made
}

@test "which figures are worse is known of each quantity, and of what is per second" {
	local cells order
	cells=("$(value 100 99 101)" "$(value 200 199 201)" "$(value 140 139 141)" "$(value 100 99 101)")
	while read -r quantity unit order; do
		quantity=$quantity matrix "$unit" "${cells[@]}" >colours
		same "$order" "$(xargs <colours)"
	done <<-'END'
		huge_gain % w6 w0 w3 w6
		stall_cost % w0 w6 w3 w0
		tokens_per_s token/s w6 w0 w3 w6
		clock_rate GHz w6 w0 w3 w6
		meeting %
	END
}

# own FILTER: the section of a document that belongs to no chapter, changed.
own() {
	changed one/own/holes.json "$1"
	stored_page one
	sed -n "/id='own.holes'/,/<.section>/p" "$page" >section
}

# An interval of so many percent on each side, for all costs.
within() { # PERCENT
	echo "(.runs[].operations[]?.threads[].figures) |= (.low_s = .cost_s * (1 - $1 / 100) | .high_s = .cost_s * (1 + $1 / 100))"
}

@test "an experiment is firm, fair or weak by its intervals, samples, placement and the machine's load" {
	local quiet='.environment.others_load_during_run_percent = 1'
	own "$quiet | $(within 2)"
	grep -q '<li class=ok>.*> firm</li>' section
	grep -q '<p class=verdict>.* Quiet, 4 costs within 2.0&nbsp;%.</p>' section
	own "$(within 9)"
	grep -q '<li class=watch>.*> fair</li>' section
	own "$(within 11)"
	grep -q '<li class=bad>.*> weak</li>' section
	grep -q '<strong>Not for conclusions</strong>: intervals of up to 11&nbsp;%\.</p>' section
	local doubt weak
	for doubt in '.environment.others_load_during_run_percent = 21=other programs used 21&nbsp;% of the CPUs' \
		'.environment.simulated = "a ring"=a simulated machine' '.quick = true=a quick trial' \
		'.environment.steal_during_run_percent = 35=the hypervisor took 35&nbsp;% of the CPUs' \
		'.environment.throttled_during_run = {"seconds": 0.2, "periods": 7}=a CPU quota stopped threads' \
		'.runs[].operations[]?.samples |= (.disturbed = .taken)=disturbed samples: 12 of 12'; do
		rm -r tests
		stored
		own "$quiet | $(within 2) | ${doubt%=*}"
		grep -qF "<strong>Not for conclusions</strong>: ${doubt##*=}.</p>" section
	done
	# one that is weak is counted and makes no other one so
	for doubt in '.runs[0].operations[0].samples |= (.disturbed = .taken)=1 weak: marked (disturbed samples: 3 of 3)' \
		'.runs[0].operations[0].threads[0].figures |= (.low_s = null | .high_s = null)=1 weak: marked (figures without an interval)' \
		'.runs[0].vectors[0] |= (.asked_node = "0" | .found.pages_on_node = {"1": 4})=2 weak: marked (pages that are not where they were asked for)' \
		'.runs[0].vectors[0].found.pages_absent = 3=2 weak: marked (pages that are not where they were asked for)'; do
		rm -r tests
		stored
		own "$quiet | $(within 2) | ${doubt%=*}"
		weak=${doubt##*=}
		grep -qF "Fairly quiet, $((4 - ${weak%% *})) of 4 costs within 2.0&nbsp;%, $weak.</p>" section
	done
	# what nobody knows is not firm
	for doubt in 'del(.environment.others_load_during_run_percent)' '.runs[0].vectors[0].found.pages_on_node = {}'; do
		rm -r tests
		stored
		own "$quiet | $(within 2) | $doubt"
		grep -q '<li class=watch>.*> fair</li>' section
	done
	grep -q '<li>where 1 lies is not known</li>' section
}

@test "the verdict has the extremes of the first table, or says that all are alike" {
	local table='.tables = [.tables[0] | .mean = null | .rows = ["1", "2"] | .column_axis = "n" | .columns_are = "variable" | .columns = ["1", "2"]
		| .cells = [[{value: 2e-6, low: 1.89e-6, high: 2.11e-6}, {value: V, low: V, high: V}], [{value: 2e-6}, {value: null}]]]'
	own "${table//V/4.4e-6}"
	grep -qF '<p class=verdict>Cost, node 0: from <strong>2.0</strong>&nbsp;<small>±0.1</small>&nbsp;us (p 1, n 1) to <strong>4.400</strong>&nbsp;us (p 1, n 2): <strong>2.2&nbsp;times</strong>. ' section
	own "${table//V/2.06e-6}"
	grep -qF 'Cost, node 0: 3 figures, all within <strong>3&nbsp;%</strong>, from ' section
	grep -qF '; their intervals overlap.' section
	own '.tables = [.tables[0] | .mean = null | .quantity = "bandwidth" | .unit = "GB/s" | .values = {} | .rows = ["0"] | .columns = ["0"] | .cells = [[{value: 19.5}]] |
		.operation = "load", .operation = "store"]'
	grep -qF '<p class=verdict>Bandwidth of load: <strong>19.50</strong>&nbsp;GB/s; bandwidth of store: <strong>19.50</strong>&nbsp;GB/s. ' section
	own '.tables = []'
	grep -qF '<p class=verdict>Time per access: from <strong>' section
}

@test "a section says what it is for, how large vectors really were, and where each sample is" {
	printf '%s\n' host,run,solo vm,0,0 vm,0,0 vm,2,0 >tests/golden/report/one/own/holes.csv
	own '.arguments.text = "# What a <hole> costs: more of it.\nopType: read\n" | .runs[0].vectors[0].bytes = 16384 | .runs[2].vectors[0].bytes = 67108864'
	grep -q '^<h3>What a &lt;hole&gt; costs</h3>' section
	grep -q '^<p class=prose>More of it.</p>' section
	grep -q '^<li>vector 0: 16 KiB to 64 MiB of char, node 0</li>' section
	grep -qF "<a href='own/holes.json'>own/holes.json</a>; each sample: <a href='own/holes.csv'>" section
	grep -qF '<tr><th scope=row>p=1 node=0</th><td>2</td><td>3</td></tr>' section
	grep -qF '<tr><th scope=row>p=2 node=0</th><td>4</td><td>4</td></tr>' section
	rm tests/golden/report/one/own/holes.csv
	own .
	grep -qF "<a href='own/holes.json'>own/holes.json</a>.</p>" section
}

@test "slowdowns of solo, counters and chosen loops are shown, also where no table asks for them" {
	run ! grep -q 'Slowdown: \|Counters\|chose by themselves' <(own . && cat section)
	own '.runs[0].solo = {operations: [{operation: "read", overhead_percent: {value: 12.5, low: 12, high: 13}, slowdowns: [{value: 1.125, low: 1.12, high: 1.13}]}], runs: []}
		| .runs[0].operations[0].threads[0] |= (.chose = "avx<2>" | .counters = {"cycles": {value: 640, per_unit: 2.5}, "ipc": {value: 0.75, per_unit: null}})'
	grep -qF "<th scope=row>p=1 node=0 thread 0</th><td data-value='1.125 ±0.005'>1.125 <small>±0.005</small></td>" section
	grep -qF "<th scope=row>p=1 node=0 overhead, %</th><td data-value='12.5 ±0.5'>12.5 <small>±0.5</small></td>" section
	grep -q '<li>read, thread 0: avx&lt;2&gt;</li>' section
	grep -A 1 'Counters, per unit of work' section | grep -q 'cycles'
	grep -q "<th scope=row>p=1 node=0 read, thread 0</th><td data-value='2.5'>2.500</td>" section
	grep -q "<td data-value='0.75'>0.7500</td>" section
}

@test "cells of tables and of the costs of runs have the marks of their figures" {
	local quiet='.environment.others_load_during_run_percent = 1' table='.tables = [.tables[0] | .mean = null | .values = {} | .operation = "read" | .rows = ["1", "2"]
		| .row_axis = "p" | .rows_are = "variable" | .column_axis = "" | .columns_are = "" | .columns = [""] | .cells = [[{value: 2e-6, low: 1.98e-6, high: 2.02e-6}], [{value: 3e-6, low: 2.8e-6, high: 3.2e-6}]]]'
	# of the first row two samples of three are disturbed, the second one is wide
	own "$quiet | $(within 2) | $table | .runs[0].operations[0].samples.disturbed = 2"
	grep -q "<th scope=row>1</th><td data-mark=weak title='weak: disturbed samples: 2 of 3: measure again' data-value='2e-06 " section
	grep -q "<th scope=row>2</th><td data-mark=fair title='fair: interval +-6.7 %' data-value='3e-06 " section
	# the sentence is as good as the cells it names
	sed -n "/<h2 id='found'/,/<h2 id='group/p" "$page" | grep -q '<li class=bad>'
	own "$quiet | $(within 2) | $table | .runs[0].operations[0].samples.disturbed = 0"
	grep -q "<th scope=row>1</th><td data-value='2e-06 " section
	# what is counted has no mark
	own "$quiet | $(within 2) | $table | .tables[0] |= (.quantity = \"cache-misses\" | .kind = \"counter\" | .unit = \"per unit\") | .runs[0].operations[0].samples.disturbed = 2"
	run ! grep -q "<th scope=row>[12]</th><td data-mark" section
	# costs of runs, where the file has no table
	own "$quiet | $(within 2) | .tables = [] | .runs[0].operations[0].threads[0].figures.low_s = null | .runs[0].operations[0].threads[0].figures.high_s = null"
	same 1 "$(grep -o "data-mark=weak title='weak: no interval" section | wc -l)"
}

# pairs_of KERNEL FILTER: own/KERNEL.json of machine ring4, a matrix whose single operation is of that kernel; the filter
# is applied to each run, of $from to $to.
pairs_of() {
	mkdir -p tests/golden/report/ring4/own
	jq --arg kernel "$1" '.environment.simulated = null | .simulated = false | .tables = []
		| .runs |= map(.threads[0].node as $from | (.vectors[0].asked_node | tonumber) as $to
			| .operations |= (.[:1] | map(.operation = $kernel | .threads |= map(.kernel = $kernel | .latency = ($kernel == "chase")
				| .times_caches = 8 | .shares_lines = false | .sleep_s = 0))) | '"$2"')' \
		tests/golden/report/ring4/pruebas_un_hilo/matrix.json >"tests/golden/report/ring4/own/$1.json"
	find tests -exec touch -d 2026-01-02 {} +
}

# figures: of sentences on standard input, without their type.
figures() { sed 's,</\?\(strong\|small\)>,,g; s/&nbsp;/ /g'; }

@test "ways of lines and the reach of the TLB are described in words, each sentence with its file" {
	pairs_of pingpong '.'
	jq '.runs = [(.runs[0], .runs[0], .runs[0]) | .threads = [.threads[0], .threads[0]] | .operations[0].threads = [.operations[0].threads[0] | ., .]]
		| reduce ([0, 1, 40], [1, 2, 50], [2, 4, 110]) as [$i, $to, $ns] (.; .runs[$i] |= (.threads[0].cpu = 0 | .threads[1].cpu = $to
			| .operations[0].threads[].figures |= (.ns_per_unit = $ns | .cost_s = 1 | .low_s = 0.98 | .high_s = 1.02)))
		| .runs[].operations[0].samples.measure_again = false' \
		tests/golden/report/ring4/own/pingpong.json >new.json
	mv new.json tests/golden/report/ring4/own/pingpong.json
	jq '.tables = [([1, 64], [2, 1536]) as [$level, $n] | {shown: "table", title: "reach", quantity: "reach_\($level)", kind: "quantity", along: "n", row_axis: "pages", rows_are: "variable", columns_are: "",
		rows: ["base"], column_axis: "", columns: [""], values: {stride: "4160B"}, cells: [[{value: $n, low: $n, high: $n}]]}] | .runs |= .[:1]' \
		tests/golden/report/ring4/own/pingpong.json >tests/golden/report/ring4/own/tlb.json
	find tests -exec touch -d 2026-01-02 {} +
	stored_page ring4
	grep -A 20 'of lines and of the TLB, in words' "$page" | figures >words
	cat words
	grep -q '^<li>A line that one CPU changes takes 40.0 ±0.8 ns from CPU 0 to CPU 1, the nearest of 3 pairs, and 2.75 ±0.08 times as long, 110 ±2 ns, from CPU 0 to CPU 4, the farthest (<code>own/pingpong</code>, ' words
	grep -q '^<li>Random accesses to more than 256 KiB on base pages miss the first TLB, to more than 6 MiB the second one, too (<code>own/tlb</code>, ' words
	changed ring4/own/pingpong.json '.environment.simulated = "yes"'
	changed ring4/own/tlb.json '.environment.simulated = "yes"'
	stored_page ring4
	run ! grep -q 'of lines and of the TLB, in words' "$page"
}

@test "what huge pages gain in random order is described in words, of the largest vector, and not of another order" {
	local order
	pairs_of read '.'
	for order in random forward; do
		jq --arg order "$order" '.runs[].operations[].threads[].order = $order | .runs = [(.runs[0], .runs[0], .runs[0], .runs[0]) | .operations[0].samples.measure_again = false]
			| reduce ([0, "base", 1, 20], [1, "thp", 1, 30], [2, "base", 64, 50], [3, "thp", 64, 40]) as [$i, $pages, $mib, $ns] (.;
				.runs[$i].vectors[0] |= (.asked_pages = $pages | .bytes = $mib * 1048576)
				| .runs[$i].operations[0].threads[0].figures |= (.ns_per_unit = $ns | .cost_s = 1 | .low_s = 0.99 | .high_s = 1.01))' \
			tests/golden/report/ring4/own/read.json >"tests/golden/report/ring4/own/$order.json"
	done
	rm tests/golden/report/ring4/own/read.json
	find tests -exec touch -d 2026-01-02 {} +
	stored_page ring4
	grep 'on transparent huge pages' "$page" | figures >words
	cat words
	grep -q '^<li>In random order read takes 50.0 ±0.5 ns for each access of 64 MiB on base pages, and 0.80 ±0.01 times as long, 40.0 ±0.4 ns, on transparent huge pages (<code>own/random</code>, ' words
	run ! grep -q 'own/forward' words
	changed ring4/own/random.json '.runs[].operations[].threads[].kernel = "<i>"'
	stored_page ring4
	grep -q '^<li>In random order &lt;i&gt; takes ' "$page"
}

@test "the machine's memories are described in words, each sentence with its figures and their file" {
	pairs_of chase '.operations[].threads[].figures |= (.cost_s = 1 | .low_s = 0.98 | .high_s = 1.02 | .ns_per_unit = if $from == $to then 100 else 200 + 10 * $to end)'
	# of node 0 alone, with one, two and four threads
	pairs_of load '.'
	jq '.runs = [(.runs[] | select(.threads[0].node == 0 and (.vectors[0].asked_node | tonumber) == 0)) as $r
		| ([1, 10e9], [2, 19e9], [4, 20e9]) as [$n, $rate] | $r | .threads = [range($n) as $i | $r.threads[0]]
		| .operations[0].together.bytes_per_s = {value: $rate, low: ($rate * 0.99), high: ($rate * 1.01)}
		| .operations[0].threads = [range($n) as $i | $r.operations[0].threads[0]
			| .figures |= (.cost_s = 1 | .low_s = 0.98 | .high_s = 1.02)]]' \
		tests/golden/report/ring4/own/load.json >new.json
	mv new.json tests/golden/report/ring4/own/load.json
	rm -r tests/golden/report/ring4/{pruebas_*,smt} tests/golden/report/ring4/own/holes.json
	find tests -exec touch -d 2026-01-02 {} +
	stored_page ring4
	sed -n '/<ul class=words>/,/<.ul>/p' "$page" | figures >words
	cat words
	grep -q '^<li>A thread on node 1 waits 100 ±2 ns for memory of its own node, and 2.30 ±0.07 times as long, 230 ±5 ns, for memory of node 3 (<code>own/chase</code>, ' words
	grep -q '^<li>A thread on node 3 waits 100 ±2 ns .* 2.20 ±0.06 times as long, 220 ±5 ns, for memory of node 2 ' words
	# a bandwidth is judged by its own interval too, however alike its threads' costs are
	grep -q '20.0 ±0.2 GB/s (<code>own/load</code>, firm)' words
	grep -q '^<li>Threads on node 0 read memory of their own node at up to 20.0 ±0.2 GB/s (<code>own/load</code>, ' words
	grep -q '^<li>Of 1 to 4 threads on node 0 that read its memory, 2 reach 90 % of the highest rate, 20.0 ±0.2 GB/s (<code>own/load</code>, ' words
	same 6 "$(grep -c '<li>' words)"
	changed ring4/own/load.json '.runs[2].operations[0].together.bytes_per_s.low = 14e9'
	stored_page ring4
	[[ $(figures <"$page") == *"at up to 20 ±3 GB/s (<code>own/load</code>, weak: not for conclusions)"* ]]
	# times of an emulated machine are no performance
	changed ring4/own/chase.json '.environment.simulated = "yes"'
	changed ring4/own/load.json '.environment.simulated = "yes"'
	stored_page ring4
	run ! grep -q 'class=words' "$page"
}

@test "rows and columns without a figure are named below their table, which has the others" {
	changed one/own/holes.json '.tables = [.tables[0] | .mean = null | .rows = ["a", "b", "c"] | .columns = ["x", "y", "z"] |
		.cells = [[{value: 1e-6}, {value: null}, {value: 2e-6}], [{value: null}, {value: null}, {value: null}], [{value: null}, {value: null}, {value: 3e-6}]]]'
	stored_page one
	sed -n "/<section class=experiment id='own\/holes'>/,/<\/section>/p" "$page" >section
	grep -qF '<p class=note>Not measured: row b; column y.</p>' section
	same '<tr><th scope=row>a</th> <tr><th scope=row>c</th>' "$(grep -o '<tr><th scope=row>[abc]</th>' section | xargs)"
	same 'x z' "$(grep -o '<th scope=col>[xyz]<' section | grep -o '[xyz]<' | tr -d '<' | xargs)"
	# the cell of a row that has another one stays
	grep -qE "^<tr><th scope=row>c</th><td><abbr title='not measured'>n/m</abbr></td><td" section
	# a list is kept whole, and so is what has no figure at all
	changed one/own/holes.json '.tables[0] |= (.columns = ["x"] | .cells = [[{value: 1e-6}], [{value: null}], [{value: 2e-6}]])'
	stored_page one
	grep -q '<tr><th scope=row>b</th>' "$page"
	changed one/own/holes.json '.tables[0].cells = [[{value: null}], [{value: null}], [{value: null}]]'
	stored_page one
	grep -q '<tr><th scope=row>a</th>' "$page"
}

@test "indented lines of a comment keep their ends" {
	own '.arguments.text = "# What it is for. So:\n#   a  b\n#   c < d\n# and more.\n#\n# Last.\n"'
	grep -A 4 '<p class=prose>So:</p>' section >found
	diff - found <<-'END'
		<p class=prose>So:</p>
		<pre class=prose>  a  b
		  c &lt; d</pre>
		<p class=prose>and more.</p>
		<p class=prose>Last.</p>
	END
}

@test "an interval that says nothing of its figure has no digits" {
	own '.tables = [.tables[0] | .mean = null | .unit = "" | .cells[][] = {value: 1, low: 1e-40, high: 1e40} | .cells[0][0] = {value: 1, low: 0.5, high: 1500}]'
	[ "$(grep -o '<small>±unknown</small>' section | wc -l)" -ge 2 ]
	grep -q '<small>±750</small>' section
	run ! grep -qE '±[0-9]{9}' section
}

@test "figures of a heat map that a table with means has are not there twice" {
	local map='.mean = null | .quantity = "cost" | .row_axis = "a" | .column_axis = "b" | .rows_are = "variable" | .columns_are = .rows_are | .rows = ["x", "y"] | .columns = ["1", "2"] | .cells = [[1, 2], [3, 4]] | .cells[][] |= {value: .}'
	local means='.mean = "geometric" | .rows += ["geometric mean"] | .columns += ["geometric mean"] | .cells |= (map(. + [{value: 2}]) + [[{value: 2}, {value: 3}, {value: 2}]])'
	own ".tables = [.tables[0] | $map | (., (.shown = \"heat\")) | if .shown == \"table\" then $means else . end]"
	[ "$(grep -c 'class=.sortable wide heat\|class=.sortable heat' section)" -eq 1 ]
	own ".tables = [.tables[0] | $map | .shown = \"heat\"]"
	[ "$(grep -c 'class=.sortable heat' section)" -eq 1 ]
}

@test "files are named in words, and what is said letter by letter in capitals" {
	local from=tests/golden/report/one/own/holes.json name
	for name in 3_isa tlb_2m core_to_core; do
		cp $from tests/golden/report/one/own/$name.json
	done
	stored_page one
	sed -n '/<nav /,/<.nav>/p' "$page" | sed 's/<[^>]*>//g' >index
	for name in ISA 'TLB 2m' 'Core to core' Holes; do
		grep -qx "$name" index
	done
}
