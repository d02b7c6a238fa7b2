#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Lines `claim`: what is judged, that all outputs agree on it, and what is refused. Claims are about numbers of pages,
# which are the same in every sample.
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
	base=('sweep: n = 16 128' 'sweep: node = 0 7' 'opType: migrate' 'nodePerThread: $node' 'nodePerVector: first'
		'targetPerVector: none' 'there: yes' 'tamPerVector: ${n}KiB' 'pagesPerVector: 4K' 'vectorPerThread: 0' 'numIter: 3'
		'placements: 3' 'claim: pages_there n=128 > n=16 by=2x')
}

# A line of the verdicts in o.txt, with single blanks.
verdict_of() { grep -m1 -A1 -F -- "$1" o.txt | tail -n 1 | sed 's/  */ /g'; }

@test "claims are judged, and all outputs have the same verdicts" {
	skip_obstacle
	need_move_pages
	given
	printf '%s\n' 'claim: pages_there node=0 n=16 > n=128' 'claim: pages_there node=0 n=16 ~ n=128 within=10%' >>t.args
	"$AFFINITY" --quiet --json o.json --csv o.csv t.args o.txt
	cat o.txt
	same ' migrate, node=0 holds 32 +-0 against 4 +-0 page: ratio 8, 8 to 8; claimed: above 2' "$(verdict_of 'pages_there n=128 > n=16 by=2x')"
	same ' migrate does not hold 4 +-0 against 32 +-0 page: ratio 0.125, 0.125 to 0.125; claimed: above 1' \
		"$(verdict_of 'pages_there node=0 n=16 > n=128')"
	same ' migrate does not hold 4 +-0 against 32 +-0 page: ratio 0.125, 0.125 to 0.125; claimed: 0.909091 to 1.1' \
		"$(verdict_of 'pages_there node=0 n=16 ~ n=128 within=10%')"
	grep -F 'migrate, node=7  cannot be asked here  n=128 is skipped: t.args:4: nodePerThread: node 7' o.txt
	grep -Fx '4 tests: holds 1, does not hold 2, not shown 0, cannot be asked here 1' o.txt
	grep -Fx 'the intervals of all 3 ratios and differences are right together with 95 %, each with 98.3333 %' o.txt
	same '["holds","cannot be asked here","does not hold","does not hold"]' "$(jq -c '[.claims.tests[].verdict]' o.json)"
	run "$root/tests/fuzz/judge" o.json o.csv o.txt
	same '' "$output"
	mkdir -p results/here && cp o.json results/here/own.json
	"$root/scripts/report" results/here
	grep -F '<code>pages_there n=128 &gt; n=16 by=2x</code>' results/here/report.html
	grep -F '<tr><th scope=row>migrate</th><td>does not hold</td>' results/here/report.html
}

@test "the plan says which claims will be judged, and touches nothing" {
	need_move_pages
	given
	run "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	[[ $output == *$'\nclaim pages_there n=128 > n=16 by=2x\n  migrate, node=0: will be judged\n  migrate, node=7: cannot be asked here: n=128 is skipped: '* ]]
	run "$AFFINITY" --plan --set quick=yes t.args
	[[ $output == *'migrate, node=0: cannot be asked here: quick: yes is a trial and allows no conclusions'* ]]
	# what a narrower sweep has is judged
	run "$AFFINITY" --plan --set n=16 t.args
	[ "$status" -eq 0 ]
	[[ $output == *'migrate, node=0: cannot be asked here: --set leaves out n=128'* ]]
	# a trial leaves values of several variables out
	given
	sed -i 's/^sweep: n = .*/sweep: n = 16 24 32 48 64 96 128/; s/^sweep: node = .*/sweep: node = 0 1 2 3 4 5 6 7/' t.args
	sed -i '/^claim:/d' t.args
	for n in 24 32 48 64 96; do echo "claim: pages_there n=$n node=3 > n=128 node=4" >>t.args; done
	run "$AFFINITY" --plan --set quick=yes t.args
	[ "$status" -eq 0 ]
	[[ $output != *'more than once'* ]]
}

@test "a claim that makes no sense is refused with its line, and measures nothing" {
	need_move_pages
	given 'claim: cost n=16 > n=2'
	run "$AFFINITY" --quiet t.args o.txt
	[ "$status" -eq 2 ]
	same $'t.args:13: claim: the sweep\'s n is never \'2\'\n  hint: its values: 16 128' "$output"
	given 'claim: overhead n=16 > n=128'
	run "$AFFINITY" --quiet t.args o.txt
	[ "$status" -eq 2 ]
	[[ $output == 't.args:13: claim: overhead needs runs of each thread alone'* ]]
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
