#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# background: a load at a stated rate beside a run.

bats_require_minimum_version 1.5.0 # run !
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

base=(
	"kernels: chase"
	"placePerThread: node(first)"
	"nodePerVector: first"
	"sizePerVector: 64KiB"
	"vectorPerThread: 0"
	"samples: 2"
	"warmup: 0"
	"placements: 2"
	"background: 0.2GB/s on node(first) by node(first) writes=0.5 size=1MiB"
	"table: background rows=operation"
)

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	[[ $BATS_TEST_DESCRIPTION == *"refused"* || $BATS_TEST_DESCRIPTION == *"plan"* ]] || skip_obstacle
}

# declined STATUS TEXT: t.args is declined with this among the messages.
declined() {
	try "$AFFINITY" t.args out.txt
	same "$1" "$status"
	[[ $stderr == *"$2"* ]]
	[ ! -e out.txt ]
}

@test "what makes no sense is refused, with its line" {
	local line
	machine "$TWO_NODES"
	given "background: fast on node(0) by node(0)"
	declined 2 "t.args:9: background: 'fast' is no rate"
	for line in "5GB/s" "5 by node(0)" "5 on node(0)" "5 on node(0) by" "5 GB/s on node(0) by node(0)"; do
		given "background: $line"
		declined 2 "is not of the form RATE on NODE by PLACE"
	done
	given "background: 5 on node(0) by node(0) gap=3"
	declined 2 "t.args:9: background: 'gap' is no setting of a load; writes and size are"
	given "background: 5 on node(7) by node(0)"
	declined 3 "t.args:9: nodePerVector: node 7 does not exist"
	given "background: 5 on node(0) by core(9)"
	declined 3 "t.args:9: placePerThread: "
	given "interleave: yes"
	declined 2 "t.args:9: background cannot be used with interleave: yes"
	given
	printf 'background: 1 on %s by node(1)\n' 0 0 1 1 >>t.args
	declined 2 "background: more than 4 lines"
}

@test "a plan has its threads on CPUs that the run leaves, and none at a rate of 0" {
	machine "$TWO_NODES"
	given "sweep: load = 0 20" 'background: $load on node(1) by node(0)*3' "placePerThread: node(0)"
	try "$AFFINITY" --plan=full t.args
	same 0 "$status"
	grep -q '^background 0: 0 GB/s$' <<<"$output"
	grep -qE '^background 0: 20 GB/s on node 1, writes 0, vectors of .*, by CPUs 2 1 3$' <<<"$output"
	given 'background: 20 on node(1) by node(0)*4' "placePerThread: node(0)"
	declined 3 "t.args:9: placePerThread: more threads than usable hardware threads on node 0"
	given 'background: 20 on node(1) by cpu(0)' "placePerThread: cpu(0)" "oversubscribe: yes"
	declined 3 "t.args:9: placePerThread: more threads than usable hardware threads on CPU 0"
	[[ $stderr == *"the scheduler; a load has CPUs of its own"* ]]
}

@test "it is placed and proven, has no cost of its own, and what it reached is told" {
	given
	measured
	holds '.runs[0] | (.threads | length) == 1 and (.background | length) == 1'
	holds '.runs[0].operations[0] | (.threads | length) == 1'
	holds '.runs[0].background[0] | .wanted_bytes_per_s == 2e8 and (.threads | length) == 1 and (.vectors | length) == 1'
	holds '.runs[0] | .background[0].threads[0].cpu != .threads[0].cpu'
	holds '.runs[0].background[0].vectors[0] | .found.pages_on_node == {(.asked_node): (.bytes / 4096)} or (.found.pages_on_node | length) == 1'
	holds '.runs[0].operations[0].background[0] | .bytes_per_s.value > 0'
	holds '.runs[0].operations[0] as $o | .tables[0].cells[0][0].value as $shown
		| ($o.background[0].bytes_per_s.value * 1e-9 - $shown | fabs) < 1e-9'
	# the mark goes by what was reached
	holds '.runs[0].operations[0].background[0] | .missed == ((.bytes_per_s.value / 2e8 - 1 | fabs) > 0.05)'
	grep -q '^+ Background 0.2GB/s on node(first) by node(first) writes=0.5 size=1MiB$' out.txt
	grep -qE '^ - beside chase: .* GB/s' out.txt
}

@test "a rate that no thread reaches is marked, and the reached one stands in the table" {
	given "background: 100TB/s on node(first) by node(first) size=1MiB"
	measured
	holds '.runs[0].operations[0].background[0] | .missed and .bytes_per_s.value > 1e6'
	holds '.runs[0].operations[0].threads[0].mark | .word == "weak" and (.why | contains("beside another load than the stated one"))'
	grep -q 'GB/s, which is not the stated rate$' out.txt
}

@test "0 is the run without it, and alone means without it, too" {
	given "background: 0 on node(first) by node(first)" "solo: yes" "table: slowdown rows=operation thread=0"
	measured
	holds '.runs[0].background[0] | .wanted_bytes_per_s == 0 and .threads == [] and .vectors == []'
	holds '.runs[0].operations[0].background[0] | .bytes_per_s.value == 0 and (.missed | not)'
	holds '.tables[0].cells[0][0].value > 0' # slowdown
}
