#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The coherence state of a vector's lines: what is done for it, where, how often, and what is refused.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	base=("opType: read" "nodePerThread: 0 1" "nodePerVector: 0" "tamPerVector: 4KiB" "vectorPerThread: 0")
}

# of STATE OWNER STEPS: the plan names these steps.
of() {
	given "statePerVector: $1" "ownerPerVector: $2" "opType: read+null"
	planned "vector 0: node 0, 4096 char, 4 KiB, pages system, init node, state $1: $3"
}

# revisited KERNEL WHY [KEY: VALUE]...: a warning tells why a round of KERNEL meets the state of 128 KiB at first only.
revisited() {
	given "opType: $1" "nodePerThread: 0" "nodePerVector: 0" "tamPerVector: 128KiB" "vectorPerThread: 0" "warmup: 1" \
		"statePerVector: M" "ownerPerVector: thread:0" "${@:3}"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	if [ -z "$2" ]; then
		[ -z "$stderr" ]
	else
		same "affinity: warning: $1: only the first visit of a place meets vector 0 in state M: $2
  hint: a pass that visits each place once, or a larger vector; samples: N takes more samples" "$stderr"
	fi
}

@test "each state has its steps, by the owner and by the other one" {
	machine "$TWO_NODES"
	of M thread:0 "flush by CPU 0, write by CPU 0"
	of E thread:0 "flush by CPU 0, read by CPU 0"
	of S thread:0,thread:1 "flush by CPU 0, read by CPU 0, read by CPU 4"
	of O thread:0,cpu:7 "flush by CPU 0, write by CPU 0, read by CPU 7"
	of F cpu:6,cpu:1 "flush by CPU 6, read by CPU 1, read by CPU 6"
	of I cpu:3 "flush by CPU 3"
}

@test "the other one is a thread that does not use the vector, else an idle core of the owner's node" {
	machine "$TWO_NODES"
	of S thread:0 "flush by CPU 0, read by CPU 0, read by CPU 4" # thread 1 is there
	of S thread:1 "flush by CPU 4, read by CPU 4, read by CPU 6" # thread 0 uses it; CPU 5 is of the same core
	machine "numa:1(memory=8GB) core:1 pu:2"
	given "statePerVector: S" "ownerPerVector: thread:0" "nodePerThread: 0"
	planned "vector 0: node 0, 4096 char, 4 KiB, pages system, init node, state S: flush by CPU 0, read by CPU 0, read by CPU 1"
}

@test "state and owner are short for them, and lists have one value for each vector" {
	machine "$TWO_NODES"
	given "nodePerVector: 0 1 1" "tamPerVector: 4KiB*" "vectorPerThread: 0, 1, 1" "state: M none*" "owner: thread:1 none*"
	planned "vector 0: node 0, 4096 char, 4 KiB, pages system, init node, state M: flush by CPU 4, write by CPU 4" \
		"vector 1: node 1, 4096 char, 4 KiB, pages system, init node"
	given "state: M E" "owner: thread:1*"
	refused 2 "t.args:6: state has 2 values, nodePerVector has 1" \
		"  hint: one value for each vector; V* stands for V as often as is needed"
}

@test "a state without an owner, and states and owners that do not exist, are refused" {
	machine "$TWO_NODES"
	given "statePerVector: M"
	refused 2 "t.args:6: statePerVector: state M of vector 0 needs an owner" "  hint: ownerPerVector: thread:K or cpu:N names it"
	given "statePerVector: X" "ownerPerVector: thread:0"
	refused 2 "t.args:6: statePerVector: unknown value 'X'" "  hint: M, E, S, O, F, I or none"
	given "statePerVector: M" "ownerPerVector: thread:2"
	refused 2 "t.args:7: ownerPerVector: there is no thread 2; threads are 0 .. 1"
	given "statePerVector: M" "ownerPerVector: thread:x"
	refused 2 "t.args:7: ownerPerVector: 'x' is not the number of a thread"
	given "statePerVector: M" "ownerPerVector: cpu:x"
	refused 2 "t.args:7: ownerPerVector: 'x' is not the number of a CPU"
	given "statePerVector: M" "ownerPerVector: node:0"
	refused 2 "t.args:7: ownerPerVector: unknown value 'node:0'" \
		"  hint: thread:K or cpu:N, with a second one after a comma for states S, O and F: thread:1,cpu:4"
	given "statePerVector: M" "ownerPerVector: cpu:8"
	refused 3 "t.args:7: ownerPerVector: CPU 8 does not exist" "  hint: CPUs that may be used here: 0-7"
}

@test "a thread that the system moves about is no owner" {
	machine "$TWO_NODES"
	printf '%s\n' 'opType: read' 'threads: 2' 'mapping: os' 'nodePerVector: 1' 'tamPerVector: 4KiB' 'vectorPerThread: all' \
		'state: M' 'owner: thread:1' >t.args
	refused 2 "t.args:8: owner: thread 1 has no CPU of its own" \
		"  hint: cpu:N names one; mapping: os leaves threads to the system"
}

@test "two CPUs are two, and one is one" {
	machine "$TWO_NODES"
	given "statePerVector: S" "ownerPerVector: thread:0,cpu:0"
	refused 2 "t.args:7: ownerPerVector: state S takes two CPUs, these are CPU 0 and CPU 0"
	given "statePerVector: M" "ownerPerVector: thread:0,thread:1"
	refused 2 "t.args:7: ownerPerVector: 'thread:0,thread:1' names 2, state M takes one" \
		"  hint: states S, O and F have a second reader, the other states do not"
	machine "numa:1(memory=8GB) core:1 pu:1"
	given "nodePerThread: 0" "statePerVector: O" "ownerPerVector: thread:0"
	refused 3 "t.args:6: statePerVector: state O takes two CPUs, this process has CPU 0 only" \
		"  hint: M, E and I take one; affinity --topology shows what may be used"
}

@test "a vector larger than any cache is warned of, unless it is flushed" {
	machine "numa:1(memory=8GB) l3:1(size=1MiB) core:2 pu:1"
	given "nodePerThread: 0" "statePerVector: E" "ownerPerVector: thread:0" "tamPerVector: 2MiB"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	same "affinity: warning: vector 0: 2 MiB in a cache of 1 MiB: the state of most of its lines is not known
  hint: states other than I need a vector that fits the owner's cache" "$stderr"
	given "nodePerThread: 0" "statePerVector: I" "ownerPerVector: thread:0" "tamPerVector: 2MiB"
	try "$AFFINITY" --plan t.args
	[ -z "$stderr" ]
}

@test "what meets the state only at first is warned of or refused" {
	machine "$TWO_NODES"
	given "statePerVector: E" "ownerPerVector: thread:0" "passes: 3 1" "opType: read+null"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	same "affinity: warning: read: only the first pass meets vector 0 in state E
  hint: leave passes out; samples: N takes more samples" "$stderr"
	given "statePerVector: E" "ownerPerVector: thread:0" "mode: time:2s" "opType: read+null"
	refused 2 "t.args:6: statePerVector cannot be used with mode: time:2s: only the first pass would meet the state" \
		"  hint: use mode: work, and set samples: N"
	# the state would bring the pages whose faults are measured
	given "statePerVector: M" "ownerPerVector: thread:0" "opType: fault+null"
	refused 2 "t.args:6: statePerVector: state M of vector 0 touches the pages whose faults and calls 'fault' measures" \
		"  hint: none, or leave statePerVector out"
}

@test "a round that visits places again is warned of" {
	machine "$TWO_NODES"
	revisited chase "loads = 2049 visits the 2048 places of a chain again" "loads: 2049"
	revisited chase "" "loads: 2048"
	revisited chase ""
	revisited chase "loads = 2048 visits the 1024 places of a chain again" "loads: 2048" "chains: 2"
	revisited false_sharing "rounds = 100000 visits the same line again"
	revisited false_sharing "" "rounds: 1"
	revisited atomic_add "rounds = 2 visits the same line again" "rounds: 2"
	revisited atomic_cas "" "rounds: 1"
	revisited load_dep "a round of 4096 visits the 1024 nodes of the list again"
	revisited load_dep "" "stride: 32B"
	revisited store_ind "a round of 4096 visits the 64 places of the vector again" "tamPerVector: 8KiB"
	revisited load_ind "a round of 4096 visits the 1024 places of the vector again"
	revisited load_ind "" "stride: 8B"
	revisited read ""
	local two=("nodePerThread: 0*2" "vectorPerThread: 0 1" "lines: 4")
	revisited pingpong "" "${two[@]}" "rounds: 4"
	given "opType: pingpong" "nodePerVector: 0" "tamPerVector: 4KiB" "statePerVector: M" "ownerPerVector: thread:0" \
		"${two[@]}" "rounds: 5"
	try "$AFFINITY" --plan t.args
	[[ $stderr == *"pingpong: only the first visit of a place meets vector 0 in state M: rounds = 5 visits"* ]]
}

two_cpus() {
	skip_obstacle
	mapfile -t cpus < <(usable_cpus)
	[ "${#cpus[@]}" -gt 1 ] || skip "one CPU only"
	base=("opType: read" "cpuPerThread: ${cpus[0]}" "nodePerVector: first" "tamPerVector: 4KiB" "vectorPerThread: 0" "warmup: 1" \
		"numIter: 3")
}

@test "the steps are taken before every sample, on the CPUs that they name" {
	two_cpus
	shims_setup
	given "state: S" "owner: cpu:${cpus[1]},cpu:${cpus[0]}" "initPerVector: main"
	BINDINGS=$PWD/bound under bindings "$AFFINITY" --quiet t.args out.txt
	[ "$status" -eq 0 ]
	local a=${cpus[0]} b=${cpus[1]}
	# flush and read by the owner, read by the other, then the sample: four times, and no fifth
	[[ "$(xargs <bound)" == *"$b $b $a $a $b $b $a $a $b $b $a $a $b $b $a $a"* ]]
	[[ "$(xargs <bound)" != *"$b $b $a $a $b $b $a $a $b $b $a $a $b $b $a $a $b $b $a $a"* ]]
}

@test "what is in the vector survives, and report and document say what was done" {
	two_cpus
	given "opType: write read_write" "state: O" "owner: thread:0,cpu:${cpus[1]}"
	try "$AFFINITY" --json out.json t.args out.txt
	[ "$status" -eq 0 ] # the result of write is verified
	grep -q "before each sample state O: flush by CPU ${cpus[0]}, write by CPU ${cpus[0]}, read by CPU ${cpus[1]}\$" out.txt
	jq -e --argjson a "${cpus[0]}" --argjson b "${cpus[1]}" '.runs[0].vectors[0].state == {asked: "O", steps:
		[{action: "flush", cpu: $a}, {action: "write", cpu: $a}, {action: "read", cpu: $b}]}' out.json
	/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || skip "the system's Python has no jsonschema"
	/usr/bin/python3 -m jsonschema -i out.json "$root/results/schema-3.json"
}

@test "threads alone, random order and idle owners get their state too" {
	two_cpus
	given "cpuPerThread: ${cpus[0]} ${cpus[1]}" "vectorPerThread: 0 1" "solo: yes" "interleave: yes" "opType: read write" \
		"state: M" "owner: thread:1"
	try "$AFFINITY" --quiet t.args out.txt
	[ "$status" -eq 0 ]
}
