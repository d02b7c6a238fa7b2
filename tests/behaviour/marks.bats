#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The mark of each figure: how far it can be trusted, the same in every output.

bats_require_minimum_version 1.5.0 # run !

# shellcheck source=tests/helper.bash
. "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	command -v jq >/dev/null || skip "jq is not installed (make setup installs it)"
	printf '%s\n' 'kernels: load null' 'nodePerThread: first*2' 'nodePerVector: first*2' 'sizePerVector: 64KiB*' \
		'vectorPerThread: 0, 1' 'samples: 6' 'placements: 1' >t.args
}

# measured [OPTION]...: t.args as out.txt, out.json, out.csv and figures.csv.
measured() {
	try "$AFFINITY" --quiet --json out.json --csv out.csv --summary figures.csv "$@" t.args out.txt
	[ "$status" -eq 0 ] || { echo "$stderr" && return 1; }
}

# marks_of FILE NAME...: of each row its NAMEs and mark, as "word: why".
marks_of() {
	jq -rRs --arg names "${*:2}" 'split("\n")[:-1]
		| map([match("(?:^|,)(?:\"([^\"]*)\"|([^,\"]*))"; "g") | .captures | map(.string // "") | add]) | .[0] as $head | .[1:][]
		| [$head, .] | transpose | map({key: .[0], value: .[1]}) | from_entries as $row
		| [($names | splits(" ")) as $n | $row[$n]] + [$row.mark + (if $row.why == "" then "" else ": " + $row.why end)] | join(" ")' "$1"
}

@test "a figure has the same mark in text, JSON, CSV and summary, and the verdict counts them" {
	measured
	local word='(.mark | .word + (if .why == "" then "" else ": " + .why end))'
	jq -r ".runs[0].operations[] | .operation as \$op | .threads[] | \"\(\$op) \(.thread) \(${word})\"" out.json >threads
	jq -r ".runs[0].operations[] | \"\(.operation) \(${word})\"" out.json >totals
	same 4 "$(wc -l <threads)"
	run ! grep -v ' \(firm\|\(fair\|weak\): .*\)$' threads totals
	# text: rows in the order of operations
	same "$(cut -d ' ' -f 3- threads)" "$(sed -n '/-Results-/,/^+/s/.*| Thread [0-9]*: .* | \(\(firm\|fair\|weak\).*\)/\1/p' out.txt)"
	same "$(cut -d ' ' -f 2- totals)" "$(sed -n '/-Results-/,/^+/s/.*| Total: .* | \(\(firm\|fair\|weak\).*\)/\1/p' out.txt)"
	same "$(sort threads)" "$(marks_of out.csv operation thread | sort -u)"
	same "$(grep ' [01] ' threads | sort)" "$(marks_of figures.csv figure operation thread | sed -n 's/^cost \([a-z]* [01] .*\)/\1/p' | sort)"
	# the verdict is that of the document, which counts threads, and the bandwidth of load
	local verdict
	verdict=$(tail -n 1 out.txt | cut -c 4-)
	same "${verdict,}" "$(jq -r .trust.text out.json)"
	same 5 "$(jq '.trust | .firm + .fair + .weak' out.json)"
	same "$(grep -c ' weak' threads)" "$(jq --argjson all "$(jq '.trust.weak' out.json)" \
		'(.runs[0].operations[0].mark.word == "weak") as $total | [.runs[].operations[].threads[].mark.word | select(. == "weak")] | length' out.json)"
}

@test "each mark follows from the figure's own interval and samples" {
	measured
	jq -e '[.runs[].operations[] | .samples as $s | .threads[] | (.figures | if .low_s then (.high_s - .low_s) / 2 / .cost_s * 100 else 1e9 end) as $half
		| ($s.disturbed / $s.taken * 100) as $lost
		| (if $half > 10 or $lost > 50 or $s.measure_again then "weak" elif $half > 3 or $lost > 5 then "fair" else "firm" end) == .mark.word]
		| length == 4 and all' out.json
}

@test "conditions of the whole run stand once for all figures, in the summary in each row" {
	measured --set quick=yes
	same "a quick trial" "$(jq -r .trust.conditions out.json | sed 's/; .*//')"
	same weak "$(jq -r .trust.word out.json)"
	run ! grep -v '^host\|a quick trial' figures.csv
	run ! grep -q '|.* | .*a quick trial' out.txt
}

@test "counts and the kernels' own figures have no mark in the summary" {
	printf '%s\n' 'kernels: null' 'nodePerThread: first' 'samples: 3' 'placements: 1' >t.args
	measured
	run ! grep ',clock_rate,.*,\(firm\|fair\|weak\),' figures.csv
	grep -q ',cost,s,.*,\(firm\|fair\|weak\),' figures.csv
}

@test "cells of tables and ratios have marks, in the text a sign that is explained" {
	sed -i 's/^sizePerVector.*/sizePerVector: $s*/' t.args
	# shellcheck disable=SC2016 # the sweep's dollar
	printf '%s\n' 'sweep: s = 16KiB 64KiB' 'solo: yes' 'baseline: s=16KiB' 'speedup: load/null' 'table: cost rows=operation cols=thread' \
		'table: speedup rows=s cols=thread mean=geometric' 'table: clock_rate rows=s cols=thread' >>t.args
	measured
	"$root/tests/fuzz/judge" out.json out.csv out.txt
	# a cost has one mark, wherever it stands
	jq -e '.runs as $runs | [.tables[] | select(.quantity == "cost") | . as $t | range(2) as $i | range(2) as $k | .cells[$i][$k].mark ==
		($runs[] | select(.values.s == $t.values.s) | .operations[] | select(.operation == $t.rows[$i]).threads[$k].mark)] | length == 8 and all' out.json
	# a ratio has the worse mark of its two sides' samples, and a mean that of its cells'; one of a cost with itself is firm
	jq -e 'def worst: map(.mark.why | capture("(?<n>[0-9]+) of") // {n: "0"} | .n | tonumber) | max;
		[.tables[] | select(.quantity == "speedup") | (.cells | map(.[0])) as $c | $c[0].mark.word == "firm", ($c[2] | [.] | worst) <= ($c | worst),
		(.cells[][] | has("mark"))] | all' out.json
	jq -e '[.tables[] | select(.quantity == "clock_rate").cells[][] | has("mark")] | any | not' out.json
	jq -e '[.runs[] | (.speedups[] | .total, .threads[]), (.solo.operations[] | .overhead_percent, .slowdowns[]),
		.baseline.operations[].threads[].speedup | .value == null or .mark != null] | all' out.json
	# without an interval all are weak, on the page as well
	measured --set samples=1
	local value word why
	"$AFFINITY-report" -o page.html out.json
	while IFS=$'\t' read -r value word why; do
		LC_ALL=C printf -v value "data-value='%.6g" "$value"
		grep -qF "<td data-mark=$word title='$word: $why' $value" page.html
	done < <(jq -r '.tables[] | select(.quantity == "cost").cells[][] | [.value, .mark.word, .mark.why] | @tsv' out.json)
	[ "$(grep -c '^  \(load\|null\) .*[0-9]?.*[0-9]?$' out.txt)" -eq 4 ]
	[ "$(grep -c '^  ~ fair, ? weak: ' out.txt)" -ge 3 ]
}
