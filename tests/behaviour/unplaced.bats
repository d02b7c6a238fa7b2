#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Threads whose place is refused: no later step judges by a place that they do not have.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

# One node, number 2, of CPUs 1 to 3: neither node 0 nor CPU 0.
NO_ZERO="numa:1(memory=8GB indexes=2) l3:1(size=16MiB) core:3 pu:1(indexes=1,2,3)"

setup() {
	driver_setup
	machine "$NO_ZERO"
}

# alone EXIT MESSAGE: t.args is refused with this message and no other.
alone() {
	try "$AFFINITY" --plan t.args
	[ "$status" -eq "$1" ]
	same "$2" "$(grep -v '^  hint: ' <<<"$stderr")"
}

FAR="'far(first)' needs a second node with CPUs and memory; HWLOC_SYNTHETIC=$NO_ZERO has none that may be used"

@test "a refused thread is refused once, whatever goes by its place" {
	local line
	while read -r line; do
		echo "with $line"
		given "nodePerThread: far(first)*2" "nodePerVector: first local" "tamPerVector: 4KiB*" \
			"vectorPerThread: all, all" "$line"
		alone 3 "t.args:2: nodePerThread: $FAR"
		given "nodePerThread: 2 far(first)" "nodePerVector: first local" "tamPerVector: 4KiB*" \
			"vectorPerThread: all, all" "$line"
		alone 3 "t.args:2: nodePerThread: $FAR"
	done <<-'END'
		nodePerVector: local_2m interleave_2m
		nodePerVector: local_4k rhp_frag
		nodePerVector: replicate slices
		tamPerVector: 4xL3 4xcaches/core
		tamPerVector: 7GiB 6GiB
		leaveHuge: 64MiB
		leaveHuge: 0.5xvectors
		leaveHuge: 2=0.5xvectors
		oversubscribe: yes
	END
}

@test "a refused thread is no owner of a state, and another machine's CPU 0 none either" {
	local state
	for state in M S O F; do
		given "nodePerThread: far(first)*2" "nodePerVector: first" "tamPerVector: 4KiB" "vectorPerThread: all" \
			"statePerVector: $state" "ownerPerVector: thread:0"
		alone 3 "t.args:2: nodePerThread: $FAR"
	done
	given "nodePerThread: far(first)*2" "nodePerVector: first" "tamPerVector: 4KiB" "vectorPerThread: all" \
		"statePerVector: S" "ownerPerVector: thread:0,thread:1"
	alone 3 "t.args:2: nodePerThread: $FAR"
}

@test "mistakes beside a refused thread are told all the same" {
	given "nodePerThread: far(first)*2" "nodePerVector: first" "tamPerVector: 4KiB" "vectorPerThread: 0 2" \
		"statePerVector: X" "leaveHuge: few"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 2 ]
	[[ $stderr == *"vectorPerThread: there is no thread 2"* ]]
	[[ $stderr == *"statePerVector: unknown value 'X'"* ]]
	[[ $stderr == *"leaveHuge: 'few' is not a size"* ]]
}

@test "without a number of threads nothing is counted" {
	given "opType: read+write" "nodePerThread: 0*" "nodePerVector: local*" "tamPerVector: 4KiB*" \
		"pagesPerVector: 2M 2M" "vectorPerThread: own"
	alone 3 "t.args:2: nodePerThread: node 0 does not exist"
	given "opType: read+write" "nodePerThread: 0*" "nodePerVector: local_2m" "tamPerVector: 50%" "vectorPerThread: all"
	alone 3 "t.args:2: nodePerThread: node 0 does not exist"
	given "opType: read+write" "nodePerThread: 0*" "nodePerVector: first" "tamPerVector: 4GiB" "vectorPerThread: all"
	alone 3 "t.args:2: nodePerThread: node 0 does not exist"
}

@test "a refused vector is refused once" {
	given "nodePerThread: 2 2" "nodePerVector: 2 interleave:0" "tamPerVector: 4KiB 50%"
	alone 3 "t.args:3: nodePerVector: node 0 does not exist"
	given "nodePerThread: 2 2" "nodePerVector: 2 2" "pagesPerVector: 4M 4M" "tablesPerVector: 2 2"
	alone 2 "t.args:6: pagesPerVector: unknown value '4M'"
}

@test "a sweep skips the runs whose threads find no place" {
	given "nodePerThread: \$a*2" "sweep: a = first far(first)" "nodePerVector: first" "tamPerVector: 4KiB" \
		"vectorPerThread: all" "statePerVector: S" "ownerPerVector: thread:0,thread:1"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	[[ $output == *"thread 1: CPU 2, core 1, node 2"* ]]
	[[ $output$stderr == *"needs a second node"* ]]
	for file in 26_states 27_own_states; do
		try "$AFFINITY" --plan "$root/args/profile/$file.args"
		[[ $status == [03] ]]
	done
}
