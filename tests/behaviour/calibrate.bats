#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# How many rounds a sample has where the file does not say it, and what the figures are of then.

# shellcheck disable=SC2016,SC2030,SC2031 # jq has variables of its own; each test is a process

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	skip_obstacle
	given "opType: chase load" "nodePerThread: first*2" "nodePerVector: first*2" "tamPerVector: 16KiB*" "numIter: 4"
}

@test "samples of small vectors have as many rounds as make them long enough" {
	measured
	[[ $stderr != *"works for"* ]]
	holds '[threads | .calibrated and .passes > 16 and (.passes | log2 | . == floor)] | all'
	# one number for all threads and samples of an operation
	holds '.runs[0].operations | all(.threads | (map(.passes) | unique | length == 1)
		and ([.[].samples[].units] | unique | length == 1))'
	grep -qE '^ - chase: calibrated: [0-9]+ passes of chase in a sample; cost and busy are those of one$' out.txt
	same "$(jq -r '.runs[0].operations[] | .threads[] | .samples[] as $s | .passes' out.json)" \
		"$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["passes"] }' out.csv)"
}

@test "cost, busy and units are those of one round, and samples are whole" {
	measured --set warmup=0
	holds 'def near($x): (. - $x | fabs) <= 1e-6 * $x; [threads | . as $t | .figures |
		(.units * $t.passes == $t.samples[0].units)
		and (.cost_s * $t.passes | near([$t.samples[] | .cost_s - .lost_s - .lost_before_s] | add / length))
		and (.busy_s * $t.passes | near([$t.samples[] | .busy_s - .lost_s] | add / length))
		and (.ns_per_unit | near([$t.samples[] | (.busy_s - .lost_s) / .units * 1e9] | add / length))] | all'
	# as many units as in one round that is asked for
	jq '[.runs[0].operations[].threads[].figures.units]' out.json >units
	measured --set passes=1
	jq '[.runs[0].operations[].threads[].figures.units]' out.json | cmp units -
	holds '[threads | .calibrated == false and .passes == 1] | all'
}

@test "threads alone do as many rounds as together" {
	measured --set solo=yes
	holds '.runs[0] as $r | [range(2) as $t | range(2) as $o | $r.operations[$o].threads[$t].passes
		== $r.solo.runs[$t].operations[$o].threads[0].passes] | all'
	measured --set solo=yes --set interleave=yes --set "opType=load sum"
	holds '.runs[0] as $r | [range(2) as $t | range(2) as $o | $r.operations[$o].threads[$t].passes
		== $r.solo.runs[$t].operations[$o].threads[0].passes] | all'
}

@test "each kernel of an operation has its own number, and null none" {
	measured --set opType=load+chase
	holds '[threads.passes] | unique | length == 2'
	measured --set opType=load+null
	holds '[threads | .calibrated] == [true, false]'
}

@test "rounds are not chosen where they change what is measured" {
	# the thesis's kernels, a delay, a state, a time, and what the file says
	for set in opType=read "sleep=1 0" "statePerVector=I*" mode=time:50ms passes=3; do
		measured --set "$set" --set ownerPerVector=thread:0*
		holds '[threads.calibrated | not] | all'
	done
	"$AFFINITY" --set opType=read --plan t.args >plan
	[ "$(grep -c calibrated plan)" -eq 0 ]
	"$AFFINITY" --plan t.args | grep -qx 'operation chase: thread 0 chase passes calibrated, thread 1 chase passes calibrated'
}

# once_so FILTER [KEY=VALUE]...: of what is measured with such a clock this holds; of five times once, for another program
# may have the CPU while passes are chosen.
once_so() {
	local _
	for _ in {1..5}; do
		under clock "${@:2}" "$AFFINITY" --json out.json t.args out.txt
		[ "$status" -eq 0 ] || return 1
		! holds "$1" || return 0
	done
	return 1
}

@test "with a coarse clock samples are longer" {
	shims_setup
	given "opType: chase" "nodePerThread: first" "nodePerVector: first" "tamPerVector: 16KiB" "vectorPerThread: 0" "numIter: 2"
	# 1000 steps, within the twentieth by which one sample may be quicker than another
	once_so '[threads.samples[].busy_s] | min > 0.9 * 1000 * 50e-6' CLOCK_STEP=50000
}

@test "a clock that is slow only at first makes only the first samples longer" {
	shims_setup
	given "sweep: size = 16KiB 17KiB" "opType: chase" "nodePerThread: first" "nodePerVector: first" \
		'tamPerVector: $size' "vectorPerThread: 0" "numIter: 2"
	# the cost of a reading is measured twice before: for the report, and for the first samples
	once_so '[.runs[].operations[].threads[].passes] | .[0] >= 8 * .[1]' CLOCK_SLOW=480
	once_so '[.runs[].operations[].threads[].passes] | .[0] < 8 * .[1]' CLOCK_SLOW=1000000
}

@test "results with other calibrated numbers are compared, and with given ones not" {
	measured
	jq '.runs[].operations[].samples.measure_again = false' out.json >calm.json
	mv calm.json out.json
	jq '.runs[].operations[].threads[].passes *= 2' out.json >other.json
	try "$AFFINITY" --compare out.json other.json
	[ "$status" -eq 0 ]
	[[ $output == *"+ Arguments"*" - nothing changed"* ]]
	jq '.runs[].operations[].threads[].calibrated = false' out.json >other.json
	try "$AFFINITY" --compare out.json other.json
	[ "$status" -eq 2 ]
	[[ $stderr == *"did not do the same work: "*"passes"* ]]
}
