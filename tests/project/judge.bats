#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/fuzz/judge, which computes the figures of results anew: it finds nothing in results as they are, and every
# planted mistake.
# shellcheck disable=SC2016 # jq's own variables

bats_require_minimum_version 1.5.0
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/fuzz/rules.bash
source "$BATS_TEST_DIRNAME/../fuzz/rules.bash"

setup_file() {
	find_obstacle
	[ -z "$OBSTACLE" ] || return 0
	# shellcheck disable=SC2016 # the sweeps' dollars
	printf '%s\n' 'opType: copy load+store' 'nodePerThread: first*2' 'nodePerVector: first*4' 'tamPerVector: $s*' \
		'vectorPerThread: 0, 0, 1, 1' 'sweep: s = 16384 32768' 'sweep: t = long double' 'typePerVector: $t*' \
		'numIter: 4' 'warmup: 1' 'placements: 1' 'solo: yes' 'speedupCalc: copy/load+store' 'baseline: s=16384' \
		'table: bandwidth rows=s cols=thread' 'table: ns_per_unit rows=kernel' \
		'table: speedup rows=s cols=kernel mean=geometric thread=1' 'table: slowdown rows=s cols=thread' \
		'claim: cost s=16384 < s=32768 by=10%' 'claim: bandwidth operation=copy thread=0 ~ operation=load+store within=50%' \
		'claim: overhead s=16384 > s=32768 by=3%' >r.args
	"$AFFINITY" --quiet --json r.json --csv r.csv r.args r.txt
	# figures of a kernel's own: pages that are where they shall go
	printf '%s\n' 'opType: load+migrate' 'nodePerThread: first*2' 'nodePerVector: first*2' 'targetPerVector: none*' 'there: yes' \
		'tamPerVector: 64KiB*' 'vectorPerThread: 0, 1' 'pagesPerVector: 4K*' 'numIter: 3' 'warmup: 1' 'placements: 2' 'solo: yes' >o.args
	"$AFFINITY" --quiet --json o.json --csv o.csv o.args o.txt
}

setup() {
	driver_setup
	skip_obstacle
	judge=$root/tests/fuzz/judge
	cp "$BATS_FILE_TMPDIR"/[ro].* .
}

# blind PROGRAM: a program of jq that gives paths; prints those whose change the judge does not find. A rate of the clock
# is halved: a hundredth more of one that is neither the least nor in the middle would change no figure.
blind() {
	with_rules "$quiet_sample"' . as $d | [('"$1"')][] as $p |
		select([$d | setpath($p; getpath($p) | if ($p | last | tostring | endswith("_hz")) then . / 2
			elif type == "number" then . * 1.01 + 1e-3 elif type == "string" then . + "x"
			elif type == "boolean" then not else 1 end) | first(document_faults)] == []) | $p | tojson' -r r.json
}

# Samples in which no thread waited and none met a page fault: where one did, more of it changes nothing.
quiet_sample='def quiet_sample: range(1; 4) as $r | range(0; 2) as $o | .runs[$r].operations[$o] as $op |
	range(1; $op.threads[0].samples | length) as $i | select($op.threads | all(.samples[$i] | .blocked + .page_faults == 0)) |
	["runs", $r, "operations", $o, "threads", 0, "samples", $i];'

# formats FILE csv|text: compares a file only with r.json, because figures take longer. Status 1: it finds something.
formats() {
	local faults
	faults=$(with_rules "$2_faults(\$file)" -r --rawfile file "$1" r.json) || return 2
	[[ -z $faults ]] || { printf '%s\n' "$faults" && return 1; }
}

@test "nothing is wrong with results as they are" {
	run "$judge" r.json r.csv r.txt
	echo "$output"
	[ "$status" -eq 0 ]
	[ -z "$output" ]
}

@test "the t that it looks up are those that it computes, and those of books" {
	run with_rules '[0.95, 1 - (1 - 0.95) * 0.6] | .[] as $part | usual_t["\($part)"] | . as $all |
		length, (range(0; length) | select((newton_t($part; . + 1) / $all[.] - 1 | fabs) > 1e-12))' -n -c
	same $'64\n64' "$output"
	run with_rules '[1, 20, 1000 | t_of(0.95; .) * 1000 | round]' -n -c
	same '[12706,2086,1962]' "$output"
}

@test "a change of any figure of a thread, an operation, a ratio or a table is found" {
	local all
	# shellcheck disable=SC2016 # jq's own variables
	all='(["runs", 2, "operations", 1, "threads", 1, "figures"] as $f | $d | getpath($f) | keys[] | select(IN("traffic_bytes_per_s", "busy", "first", "unit_time", "whole_time") | not) | $f + [.]),
		(["busy", "first", "unit_time"][] | ["runs", 2, "operations", 1, "threads", 1, "figures", ., "value"]),
		(["cost_s", "busy_s", "units", "calls", "lost_s", "lost_before_s", "off_cpu_ns", "throttled_ns", "disturbed_flags", "skew_ns",
			"blocked", "page_faults", "migrations", "cpu_before", "clock_before_hz", "clock_after_hz"][] as $name |
			first($d | quiet_sample) + [$name]),
		(["calibrated", "passes"][] | ["runs", 1, "operations", 0, "threads", 1, .]),
		(["min_hz", "median_hz", "max_hz", "changed", "cycles_per_unit"][] |
			["runs", 1, "operations", 1, "threads", 0, "clock", .]),
		(["taken", "disturbed", "preempted", "blocked", "page_faults", "moved", "taken_away", "throttled", "measure_again"][] | ["runs", 1, "operations", 0, "samples", .]),
		(["total_s", "total_low_s", "total_high_s", "skew_max_ns", "skew_median_ns"][] | ["runs", 1, "operations", 0, .]),
		(["value", "low", "high"][] as $e |
			(["ns_per_unit", "bytes_per_s"][] | ["runs", 1, "operations", 0, "together", ., $e]),
			(["runs", 1, "speedups", 0] as $s | ["total", $e], ["threads", 0, $e] | $s + .),
			(["runs", 3, "solo", "operations", 1] as $s | ["overhead_percent", $e], ["slowdowns", 1, $e] | $s + .),
			["runs", 2, "baseline", "operations", 0, "threads", 1, "speedup", $e]),
		["runs", 2, "baseline", "operations", 0, "threads", 1, "base_s"], ["runs", 1, "speedups", 0, "base_s"],
		["runs", 3, "solo", "runs", 1, "operations", 0, "threads", 0, "figures", "cost_s"],
		(range(0; $d.tables | length) as $t | ["tables", $t, "cells", 0, 0, "value"], ["tables", $t, "cells", 1, 0, "value"]),
		(["value", "low", "high"][] | ["claims", "tests", 0, "figure", .]),
		(["above", "below", "verdict"][] | ["claims", "tests", 1, .]),
		(["left", "right"][] | ["claims", "tests", 1, ., "value", "value"]),
		(["confidence", "confidence_each", "asked"][] | ["claims", .]),
		["tables", 0, "rows", 0], ["tables", 0, "columns", 1], ["tables", 0, "title"],
		["runs", 1, "values", "s"], ["runs", 1, "values", "t"], ["runs", 1, "vectors", 2, "type"],
		["runs", 1, "vectors", 2, "bytes"], ["runs", 1, "method", "confidence"], ["runs", 1, "method", "iterations"],
		["runs", 0, "method", "statistic"], ["runs", 1, "baseline", "run"], ["runs", 1, "operations", 0, "threads", 1, "thread"]'
	run blind "$all"
	echo "$output"
	[ "$status" -eq 0 ]
	[ -z "$output" ]
}

@test "a change of any figure of a kernel's own is found, of threads together and alone" {
	run "$judge" o.json o.csv o.txt
	same '' "$output"
	cp o.json r.json
	# shellcheck disable=SC2016 # jq's own variables
	run blind '("pages_there", "move_calls") as $f | (["operations", 0, "kernel_figures", $f, "value"],
		["operations", 0, "threads", 1, "kernel_figures", $f, "value"], ["operations", 0, "threads", 1, "samples", 2, "kernel_figures", $f],
		["solo", "runs", 1, "operations", 0, "threads", 0, "kernel_figures", $f, "value"],
		["solo", "runs", 1, "operations", 0, "threads", 0, "samples", 2, "kernel_figures", $f]) | ["runs", 0] + .'
	same '' "$output"
	local line
	for line in 1 2; do # with the others, and alone
		awk -v line="$line" '/^   pages_there/ && ++n == line { sub(/16/, "17") } { print }' o.txt >m.txt
		run formats m.txt text
		[[ $output == *"pages_there of load+migrate"*" is 17, not 16"* ]]
	done
	awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 9 { $at["pages_asked"]++ } { print }' o.csv >m.csv
	run formats m.csv csv
	[[ $output == *": pages_asked is "* ]]
}

@test "runs that change their places are found" {
	jq '.runs |= [.[1], .[0], .[2], .[3]]' r.json >m.json
	run "$judge" m.json r.csv r.txt
	[ "$status" -eq 1 ]
	[[ $output == *"CSV row 1: s is"* || $output == *"CSV row 1: t is"* ]]
	[[ $output == *"text: names of runs are"* ]]
	jq '.runs[0].values.s = "32768"' r.json >m.json
	run "$judge" m.json
	[ "$status" -eq 1 ]
	[[ $output == *"two runs are called 's=32768 t=long'"*"run 0 elements is 16384, not 32768"* ]]
}

@test "a change of any column of CSV is found" {
	local n i
	n=$(head -n 1 r.csv | awk -F, '{ print NF }')
	for ((i = 1; i <= n; i++)); do
		case $(head -n 1 r.csv | cut -d, -f"$i") in
		host | overlap | chose) continue ;; # in CSV alone, or empty
		esac
		awk -F, -v OFS=, -v i="$i" 'NR == 9 { if ($i == "") next; $i = $i ~ /^[0-9.]+$/ ? $i + 1 : $i "x" } { print }' r.csv >m.csv
		run formats m.csv csv
		echo "column $i: $output"
		[ "$status" -eq 1 ]
	done
	awk 'NR == 9 { print $0 ",1"; next } { print }' r.csv >m.csv
	run formats m.csv csv
	[[ $output == *"CSV line 9 has "*" fields, not "* ]]
	sed 9d r.csv >m.csv
	run formats m.csv csv
	[[ $output == *"CSV has "*" timed rows, and JSON "* ]]
}

# change_line WORD PATTERN: changes the last digit, or of a long number the last but one, of the WORD-th number of the
# first line of r.txt with the pattern. The first word is the name of the line. Status 1: it has no such number.
change_line() {
	awk -v word="$1" -v pattern="$2" '
		!done && $0 ~ pattern {
			n = split($0, part, /[ ]+/)
			k = 1
			for (i = 3; i <= n && !done; i++)
				if (part[i] ~ /^[0-9]+([.][0-9]+)?$/ && k++ == word) {
					at = index($0, " " part[i])
					# of 9.99999 five more in the last digit are within the rounding of 1.00000
					place = length(part[i]) - (length(part[i]) > 6)
					changed = substr(part[i], 1, place - 1) (substr(part[i], place, 1) + 5) % 10 substr(part[i], place + 1)
					$0 = substr($0, 1, at) changed substr($0, at + 1 + length(part[i]))
					done = 1
				}
		}
		{ print }' r.txt >m.txt
	! cmp -s r.txt m.txt
}

@test "a change of any number of the text is found" {
	local word words pattern
	while read -r pattern words; do
		# an interval that says nothing is left out
		for ((word = 1; word <= words; word++)); do
			change_line "$word" "${pattern//_/ }" || break
			run formats m.txt text
			echo "$pattern $word: $output"
			[ "$status" -eq 1 ]
		done
		((2 * (word - 1) >= words))
	done <<-'END'
		Thread_1:_.*GB/s 8
		Total:_.*GB/s 4
		slowdown 3
		base_ 2
		__16384_ 1
	END
	sed 's/^==== run 2 of 4: s=16384/==== run 2 of 4: s=32768/' r.txt >m.txt
	run "$judge" r.json - m.txt
	[ "$status" -eq 1 ]
}

# points LINE...: the faults of a table of two points between values, and of one beyond them, as these lines.
points() {
	with_rules '{tables: [{shown: "table", ranges: true, title: "reach_1 along n", rows: ["first", "far first", "x"],
		columns: ["a", "b"], cells: [[{value: 45, low: 16, high: 128}, {value: null, low: null, high: null}],
			[{value: null, low: 1448, high: null, word: "never"}, {value: 0.000125, low: 1e-4, high: 2e-4}],
			[{value: null, low: null, high: null, word: "anywhere"}, {value: null, low: null, high: 2.5, word: "always"}]]}]} |
		table_lines_faults(["          --Tables--", "", "reach_1 along n", "  runs  a  b"] + $ARGS.positional)' -n -r --args "$@"
}

@test "points between two values are held against their bounds" {
	local near='  first  45 (16 .. 128)  -' far='  far first  never (1448 ..)  0.000125 (1e-04 .. 2e-04)' any='  x  anywhere  always (.. 2.5)' wrong
	same '' "$(points "$near" "$far" "$any")"
	for wrong in '44 (16 .. 128)' '45 (17 .. 128)' '45 (16 .. 129)' '45 (16 ..)' 45 - 'never (16 ..)'; do
		[[ $(points "  first  $wrong  -" "$far" "$any") == "text: table reach_1"* ]]
	done
	for wrong in 'always (1448 ..)' 'never (1449 ..)' 'never (1448 .. 2000)' '1448 (1448 ..)' -; do
		[[ $(points "$near" "  far first  $wrong  0.000125 (1e-04 .. 2e-04)" "$any") == "text: table reach_1"* ]]
	done
	for wrong in 'always (2.5 ..)' always 'always (.. 2.6)'; do
		[[ $(points "$near" "$far" "  x  anywhere  $wrong") == "text: table reach_1"* ]]
	done
	for wrong in never 1 -; do
		[[ $(points "$near" "$far" "  x  $wrong  always (.. 2.5)") == "text: table reach_1"* ]]
	done
}

@test "an unknown file is wrong usage" {
	run "$judge"
	[ "$status" -eq 2 ]
	run "$judge" nothing.json
	[ "$status" -eq 2 ]
}

@test "what far huge pages save is computed anew, and a page that is elsewhere is in it" {
	local faults
	# shellcheck disable=SC2016 # the driver's
	printf '%s\n' 'sweep: p = thp 4K' 'kernels: load chase' 'nodePerThread: first' 'vectorPerThread: 0' 'nodePerVector: first' \
		'sizePerVector: 4MiB' 'pagesPerVector: $p' 'verify: warn' 'samples: 3' 'placements: 2' 'baseline: p=thp' 'smallPages: p=4K' \
		'table: huge_gain rows=p cols=operation' 'claim: huge_gain operation=chase p=thp ~ p=4K within=1%' >g.args
	"$AFFINITY" --quiet --json g.json g.args g.txt
	jq -e '[.runs[].vectors[0].found.sizes_shown_by] | any(. == null)' g.json >/dev/null && skip "nothing shows sizes of pages here"
	same '' "$("$judge" g.json)"
	jq '.tables[0].cells[0][0] = {value: 1, low: 0.5, high: 2}' g.json >h.json
	[[ $("$judge" h.json) == *"the cell of thp and load is 1, not [0]"* || $("$judge" h.json) == *"the cell of thp and load is 1, not [-0]"* ]]
	# all pages of one run far: what it saves is what small pages cost
	jq '(.runs[0].vectors[0] | .found, .found_again[]).pages_on_node |= {"1": add}' g.json >h.json
	faults=$("$judge" h.json) || true
	# newer versions of jq write 0.0 where they read it
	[[ $faults =~ "the cell of thp and load is 0"(.0)?", not [" && $faults =~ "p=thp, chase is 0"(.0)?", not " ]]
}
