#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What translation costs: the lines of args/translation that show it, and the form of what they say. No time is judged.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	TOP=$BATS_TEST_DIRNAME/../..
}

@test "the reach of a TLB is a range of pages, of pages apart and not of the baseline" {
	skip_obstacle
	try "$AFFINITY" --quiet --set 'sweep=n = 16 64 256 1024' --set numIter=3 --set placements=1 --set loads=2000 \
		--set 'sweep=pages = base' --set baseline=stride=64B --json out.json \
		"$TOP/args/translation/tlb.args" out.txt
	[ "$status" -eq 0 ]
	holds '[.tables[] | select(.quantity == "extra" and .shown == "table")] | length == 1 and
		.[0].values == {"stride": "4160B"} and .[0].rows == ["16", "64", "256", "1024"]'
	holds '[.tables[] | select(.ranges)] | length >= 2 and all(.columns == ["all threads"])'
	holds '[.tables[] | select(.quantity == "reach_1" and .along == "n")] | length == 1 and
		(.[0].cells[0][0] | .word == "never" and .low == 1024 or .low < .value and .value < .high)'
	# four times the second level are beyond these pages in any TLB
	holds '[.tables[] | select(.quantity == "walk")] == []'
	grep -q '^reach_1 along n, chase, stride=4160B$' out.txt
}

@test "so many times a size is a vector's size, and a factor of it no axis of sizes" {
	skip_obstacle
	plan=$("$AFFINITY" --plan --set 'sweep=n = 16' "$TOP/args/translation/tlb.args")
	[[ $plan == *66560* ]]
}

@test "physical ranges are those of all pages, or the run says why they are not known" {
	skip_obstacle
	# shellcheck disable=SC2016 # the driver replaces $n
	base=('sweep: n = 64 256' 'opType: load' 'nodePerThread: first' 'nodePerVector: first' 'vectorPerThread: 0'
		'tamPerVector: ${n}KiB' 'pagesPerVector: 4K' 'numIter: 2' 'physicalRanges: yes' 'table: coverage_32 rows=n')
	given
	try "$AFFINITY" --json o.json --csv o.csv t.args o.txt
	[ "$status" -eq 0 ]
	run "$root/tests/fuzz/judge" o.json o.csv o.txt
	same '' "$output"
	if jq -e '.runs[0].physical_ranges.ranges == null' o.json; then
		[[ $stderr == *"physicalRanges: the frames of pages cannot be read"*"hint: run affinity as root"* ]]
		grep -qx ' - Physical ranges: not known' o.txt
	else
		same '[16,64]' "$(jq -c '[.runs[].physical_ranges.pages]' o.json)"
		# 16 pages are at most 16 ranges
		same '100' "$(jq '.tables[0].cells[0][0].value + 0' o.json)"
		grep -q '^ - Physical ranges: [0-9]*; the longest hold of all pages: 32 of them 100 %, 64 100 %' o.txt
	fi
	# a process that may not see frames
	if setpriv --bounding-set -sys_admin --inh-caps -sys_admin true 2>/dev/null; then
		try setpriv --bounding-set -sys_admin --inh-caps -sys_admin "$AFFINITY" --json o.json t.args o.txt
		[[ $stderr == *"the frames of pages cannot be read: the kernel hides them from this process"* ]]
		same '[null,null]' "$(jq -c '[.runs[].physical_ranges.coverage_percent["32"]]' o.json)"
		same 'coverage_32 (%): n/a' "$(grep '^coverage_32' o.txt)"
	fi
	given 'physicalRanges: no'
	run "$AFFINITY" --plan t.args
	[ "$status" -eq 2 ]
	[[ $output == *"table: coverage_32 needs to know where vectors lie in physical memory"*"hint: physicalRanges: yes reads it, as root"* ]]
}

@test "what far huge pages save is of three runs, and nothing where all are near" {
	given() {
		# shellcheck disable=SC2016 # the driver's
		printf '%s\n' 'sweep: p = thp 4K' 'opType: load' 'nodePerThread: first' 'vectorPerThread: 0' \
			'nodePerVector: first' 'tamPerVector: 4MiB' 'pagesPerVector: $p' 'verify: warn' 'numIter: 2' \
			'table: huge_gain rows=p' "$@" >t.args
	}
	given 'baseline: p=thp'
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 2 ]
	[[ $stderr == *"table: huge_gain needs a baseline in huge pages, and smallPages with values of the same variables"* ]]
	[[ $stderr == *"hint: baseline: placement=local_2m and smallPages: placement=local_4k"* ]]
	given 'baseline: p=thp' 'smallPages: p=small'
	try "$AFFINITY" --plan t.args
	[[ $stderr == *"t.args:12: smallPages: 'p=small' matches no run of the sweep"* ]]
	given 'baseline: p=thp' 'smallPages: p=4K' 'claim: huge_gain p=thp ~ p=4K within=1%'
	try "$AFFINITY" --quiet --json o.json t.args out.txt
	[ "$status" -eq 0 ]
	jq -e '[.runs[].vectors[0].found.sizes_shown_by] | any(. == null)' o.json >/dev/null && skip "nothing shows sizes of pages here"
	jq -e '.tables[0].quantity == "huge_gain" and (.tables[0].cells | map(.[0].value) == [0, 0])' o.json
	jq -e '.claims.tests[0].figure.value == 0' o.json
}

@test "a table of what is not counted is a line with the reason" {
	# shellcheck disable=SC2016 # the driver's
	printf '%s\n' 'sweep: n = 64 256' 'opType: load' 'nodePerThread: first' 'vectorPerThread: 0' 'nodePerVector: first' \
		'tamPerVector: ${n}KiB' 'numIter: 2' 'placements: 1' 'counters: tlb' 'baseline: n=64' \
		'table: stall_cost rows=n' 'table: cost rows=n' >t.args
	try "$AFFINITY" --quiet --json o.json --csv o.csv t.args out.txt
	[ "$status" -eq 0 ]
	jq -e '.tables[0].quantity == "stall_cost"' o.json && skip "this machine counts stalls"
	same '2 cost' "$(jq -r '"\(.tables[0].cells | length) \(.tables[0].quantity)"' o.json)"
	grep -q '^stall_cost (%): n/a: [a-z_]* is not counted: .' out.txt
	same '' "$("$root/tests/fuzz/judge" o.json o.csv out.txt)"
}
