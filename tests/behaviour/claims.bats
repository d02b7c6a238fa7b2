#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Lines `claim`: what is judged, that all outputs agree on it, and what is refused. Costs are sleeps that are far apart.
# shellcheck disable=SC2016 # the driver replaces $names

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	base=('sweep: t = 1 8' 'sweep: node = 0 7' 'opType: null' 'nodePerThread: $node' 'sleep: ${t}ms*' 'numIter: 3'
		'statistic: median' 'placements: 3' 'claim: cost t=8 > t=1 by=2x')
}

# A line of the verdicts in o.txt, with single blanks.
verdict_of() { grep -m1 -A1 -F -- "$1" o.txt | tail -n 1 | sed 's/  */ /g'; }

@test "claims are judged, and all outputs have the same verdicts" {
	skip_obstacle
	given 'claim: cost t=8 > t=1 by=2x'
	# given() replaces the line of a key
	printf '%s\n' 'claim: cost node=0 t=1 > t=8' 'claim: cost node=0 t=1 ~ t=8 within=10%' >>t.args
	"$AFFINITY" --quiet --json o.json --csv o.csv t.args o.txt
	cat o.txt
	[[ $(verdict_of 'cost t=8 > t=1 by=2x') == " null, node=0 holds "*" against "*" s: ratio "*"; claimed: above 2" ]]
	[[ $(verdict_of 'cost node=0 t=1 > t=8') == " null does not hold "*"; claimed: above 1" ]]
	[[ $(verdict_of 'cost node=0 t=1 ~ t=8 within=10%') == " null does not hold "*"; claimed: 0.909091 to 1.1" ]]
	grep -F 'null, node=7  cannot be asked here  t=8 is skipped: t.args:4: nodePerThread: node 7' o.txt
	grep -Fx '4 tests: holds 1, does not hold 2, not shown 0, cannot be asked here 1' o.txt
	grep -Fx 'the intervals of all 3 ratios and differences are right together with 95 %, each with 98.3333 %' o.txt
	same '["holds","cannot be asked here","does not hold","does not hold"]' "$(jq -c '[.claims.tests[].verdict]' o.json)"
	run "$root/tests/fuzz/judge" o.json o.csv o.txt
	same '' "$output"
	mkdir -p results/here && cp o.json results/here/own.json
	"$root/scripts/report" results/here
	grep -F '<code>cost t=8 &gt; t=1 by=2x</code>' results/here/report.html
	grep -F '<tr><th scope=row>null</th><td>does not hold</td>' results/here/report.html
}

@test "the plan says which claims will be judged, and touches nothing" {
	given
	run "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	[[ $output == *$'\nclaim cost t=8 > t=1 by=2x\n  null, node=0: will be judged\n  null, node=7: cannot be asked here: t=8 is skipped: '* ]]
	run "$AFFINITY" --plan --set quick=yes t.args
	[[ $output == *'null, node=0: cannot be asked here: quick: yes is a trial and allows no conclusions'* ]]
}

@test "a claim that makes no sense is refused with its line, and measures nothing" {
	given 'claim: cost t=8 > t=2'
	run "$AFFINITY" --quiet t.args o.txt
	[ "$status" -eq 2 ]
	same $'t.args:9: claim: the sweep\'s t is never \'2\'\n  hint: its values: 1 8' "$output"
	given 'claim: overhead t=8 > t=1'
	run "$AFFINITY" --quiet t.args o.txt
	[ "$status" -eq 2 ]
	[[ $output == 't.args:9: a table, plot or claim of overhead needs runs of each thread alone'* ]]
	[ ! -e o.txt ]
}

@test "claims about counts are judged by the counted samples" {
	skip_obstacle
	ldd "$AFFINITY" | grep -q libpapi || skip "built without PAPI"
	shims_setup
	base=('sweep: n = 1000 3000' 'opType: read' 'nodePerThread: first' 'nodePerVector: first' 'tamPerVector: $n'
		'stride: 1' 'passes: 1' 'vectorPerThread: 0' 'numIter: 2' 'counters: PAPI_TOT_INS'
		'claim: PAPI_TOT_INS n=1000 > n=3000 by=2x')
	given
	echo 'claim: l3_mpki n=1000 > n=3000' >>t.args
	# every sample has 6000000 of them: for a unit three times as many where there are a third of them
	under papi PAPI_EVENTS=PAPI_TOT_INS=6000000 "$AFFINITY" --quiet --json o.json t.args o.txt
	[ "$status" -eq 0 ]
	[[ $(verdict_of 'PAPI_TOT_INS n=1000 > n=3000 by=2x') == " read holds 6000 +-"*" against 2000 +-"*" per unit: ratio 3, 3 to 3; claimed: above 2" ]]
	[[ $(verdict_of 'l3_mpki n=1000 > n=3000') == ' read cannot be asked here l3_mpki is not counted: --set counters=cache counts it, where the processor can' ]]
	run "$root/tests/fuzz/judge" o.json
	same '' "$output"
}
