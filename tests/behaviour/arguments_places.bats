#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What an argument file says about nodes and threads: lists, let, far, near, and what is refused.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

setup() {
	driver_setup
	machine "$TWO_NODES"
}

# Threads

@test "a thread on a node that does not exist is refused with those that do" {
	given "nodePerThread: 0 2"
	refused 3 "t.args:2: nodePerThread: node 2 does not exist" \
		"  hint: nodes that can run threads here: 0-1"
}

@test "a thread on a core that does not exist is refused with those that do" {
	given "corePerThread: 0 4"
	sed -i /^nodePerThread/d t.args
	refused 3 "t.args:5: corePerThread: core 4 does not exist" \
		"  hint: the machine's cores: 0 .. 3; CPUs that may be used: 0-7"
}

@test "a thread on a CPU that does not exist is refused with those that do" {
	given "cpuPerThread: 8 0"
	sed -i /^nodePerThread/d t.args
	refused 3 "t.args:5: cpuPerThread: CPU 8 does not exist" \
		"  hint: CPUs that may be used here: 0-7"
}

@test "a core or CPU that is no number is refused" {
	given "corePerThread: 0 x"
	sed -i /^nodePerThread/d t.args
	refused 2 "t.args:5: corePerThread: 'x' is not the number of a core"
	given "cpuPerThread: -1 0"
	sed -i /^nodePerThread/d t.args
	refused 2 "t.args:5: cpuPerThread: '-1' is not the number of a CPU"
}

@test "two keys that place threads are refused" {
	given "cpuPerThread: 0 1"
	refused 2 "t.args:6: both nodePerThread and cpuPerThread say where threads run; keep one"
}

@test "more threads than hardware threads are refused, once for each node" {
	given "nodePerThread: 0*6 1*7" "vectorPerThread: 0-12, 0"
	refused 3 "t.args:2: nodePerThread: more threads than usable hardware threads on node 0" \
		"  hint: two threads on one hardware thread take turns and measure the scheduler; oversubscribe: yes allows it" \
		"t.args:2: nodePerThread: more threads than usable hardware threads on node 1" \
		"  hint: two threads on one hardware thread take turns and measure the scheduler; oversubscribe: yes allows it"
}

@test "two threads on one CPU are refused" {
	given "cpuPerThread: 3 3"
	sed -i /^nodePerThread/d t.args
	refused 3 "t.args:5: cpuPerThread: more threads than usable hardware threads on CPU 3" \
		"  hint: two threads on one hardware thread take turns and measure the scheduler; oversubscribe: yes allows it"
}

@test "oversubscribe lets threads share hardware threads, evenly" {
	given "nodePerThread: 0*5" "vectorPerThread: 0-4, 0" "oversubscribe: yes"
	planned "thread 3: CPU 3, core 1, node 0, vectors 0, shares its core" \
		"thread 4: CPU 0, core 0, node 0, vectors 0, takes turns on its CPU"
}

@test "a very long list of threads is refused without delay and with one message" {
	printf 'opType: null\nnodePerThread: 0*65536\n' >t.args
	try patient 20 "$AFFINITY" --plan t.args
	[ "$status" -eq 3 ]
	[ "${#stderr_lines[@]}" -eq 2 ] # and its hint
}

@test "a CPU that only the affinity mask lacks, as with isolcpus, is used where it is named" {
	machine this
	mapfile -t cpus < <(usable_cpus)
	[ "${#cpus[@]}" -gt 1 ] || skip "this process may use one CPU only"
	local a=${cpus[0]} b=${cpus[1]}
	printf 'opType: null\ncpuPerThread: %s %s\n' "$b" "$a" >t.args
	try taskset -c "$a" "$AFFINITY" --quiet --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	jq -e --argjson a "$a" --argjson b "$b" '[.runs[0].threads[].cpu] == [$b, $a] and .environment.cpus_allowed == "\($a)" and
		([.runs[0].operations[].threads[].samples[] | .cpu_before, .cpu_after] | unique | sort) == ([$a, $b] | sort)' out.json
	try taskset -c "$a" "$AFFINITY" --topology
	[ "${#cpus[@]}" -gt 2 ] || grep -qx "CPUs that may be used: $a; that cpuPerThread may name as well: $b" <<<"$output"
	[[ $output == *" $b (by name only)"* ]]
	# nothing takes it by itself
	printf 'opType: null\nnodePerThread: first*%s\n' "${#cpus[@]}" >t.args
	try taskset -c "$a" "$AFFINITY" --plan t.args
	[ "$status" -eq 3 ]
	[[ $stderr == *"more threads than usable hardware threads"* ]]
	printf 'opType: null\ncpuPerThread: 8191\n' >t.args
	try taskset -c "$a" "$AFFINITY" --plan t.args
	[[ $stderr == "t.args:2: cpuPerThread: CPU 8191 does not exist"*"hint: CPUs that may be used here: $a; that may be named: $b"* ]]
}

@test "a CPU that is switched off is said to be offline" {
	shims_setup
	machine this
	says /sys/devices/system/cpu/cpu8000/online $'0\n'
	printf 'opType: null\ncpuPerThread: 8000\n' >t.args
	under files "$AFFINITY" --plan t.args
	[ "$status" -eq 3 ]
	same "t.args:2: cpuPerThread: CPU 8000 is offline
  hint: echo 1 | sudo tee /sys/devices/system/cpu/cpu8000/online" "$stderr"
}

@test "a node or core whose CPUs may not be used is refused with those that may" {
	sed 's/allowed_cpuset="0x000000ff"/allowed_cpuset="0x0000003f"/' "$root/tests/topologies/ring4.xml" >m.xml
	machine m.xml
	given "nodePerThread: 0 3"
	refused 3 "t.args:2: nodePerThread: node 3 has no CPU that this process may use" \
		"  hint: nodes that can run threads here: 0-2"
	given "corePerThread: 7 0"
	sed -i /^nodePerThread/d t.args
	refused 3 "t.args:5: corePerThread: core 7 has no CPU that this process may use" \
		"  hint: the machine's cores: 0 .. 7; CPUs that may be used: 0-5"
	machine "numa:1 core:1 pu:1"
	given "corePerThread: 1" "nodePerVector: 0" "vectorPerThread: 0"
	sed -i /^nodePerThread/d t.args
	refused 3 "t.args:5: corePerThread: core 1 does not exist" \
		"  hint: the machine's cores: 0; CPUs that may be used: 0"
}

@test "a node of a machine that has fewer is refused on the machine itself" {
	machine this
	printf 'opType: null\nnodePerThread: 2000\n' >t.args
	try "$AFFINITY" t.args out.txt
	[ "$status" -eq 3 ]
	[[ $stderr == "t.args:2: nodePerThread: node 2000 does not exist"*"  hint: nodes that can run threads here: "* ]]
	[ ! -e out.txt ]
}

# Lists

@test "V*N stands for N times V, 0-3 for 0 1 2 3, V* for V as often as is needed" {
	given "nodePerThread: 0*2 1" "nodePerVector: 1 0-1 0-1*2" "tamPerVector: 8KiB*2 4KiB*" \
		"vectorPerThread: 0, 1, 2, 0-2, 0-1 2, 1, 1"
	planned "thread 0: CPU 0, core 0, node 0, vectors 0 3 4" \
		"thread 1: CPU 2, core 1, node 0, vectors 1 3 4 5 6" \
		"thread 2: CPU 4, core 2, node 1, vectors 2 3 4" \
		"vector 1: node 0, 8192 char, 8 KiB, pages system, init node" \
		"vector 2: node 1, 4096 char, 4 KiB, pages system, init node" \
		"vector 6: node 1, 4096 char, 4 KiB, pages system, init node"
}

@test "a range that runs backwards or has no end is refused" {
	given "nodePerThread: 1-0"
	refused 2 "t.args:2: nodePerThread: '1-0' is not a range such as 0-3" \
		"  hint: ranges count upwards; write each value of another order: 3 2 1 0"
	given "nodePerVector: 0-"
	refused 2 "t.args:3: nodePerVector: '0-' is not a range such as 0-3"
}

@test "V*N with an N of 0 or that is no number is refused" {
	given "nodePerThread: 0*0"
	refused 2 "t.args:2: nodePerThread: '0*0' is not of the form VALUE*COUNT"
	given "tamPerVector: 4KiB*two"
	refused 2 "t.args:4: tamPerVector: '4KiB*two' is not of the form VALUE*COUNT"
}

@test "V* is refused where the list itself says how many values there are" {
	given
	for key in core cpu; do
		sed "s/nodePerThread: .*/${key}PerThread: 0*/" <t.args >k.args
		mv k.args t.args
		refused 2 "t.args:2: ${key}PerThread: '0*' has no count" \
			"  hint: write VALUE*COUNT; VALUE* must be the last value of a list whose length another key sets"
		given
	done
}

@test "N* is a thread on each core of a node, and a vector for every thread" {
	given "nodePerThread: 1* 0" "nodePerVector: 0 1*" "tamPerVector: 4KiB*" "vectorPerThread: own"
	planned "thread 0: CPU 4, core 2, node 1, vectors 0" "thread 1: CPU 6, core 3, node 1, vectors 1" \
		"thread 2: CPU 0, core 0, node 0, vectors 2"
	[ "$(grep -c '^vector [12]: node 1,' <<<"$output")" -eq 2 ]
	given "nodePerThread: far(0)*" "nodePerVector: 0" "tamPerVector: 4KiB" "vectorPerThread: all"
	planned "thread 0: CPU 4, core 2, node 1, vectors 0" "thread 1: CPU 6, core 3, node 1, vectors 0"
}

@test "N* of a node that does not exist, and own vectors without as many, are refused" {
	given "nodePerThread: 5*" "nodePerVector: 0" "vectorPerThread: all"
	refused 3 "t.args:2: nodePerThread: node 5 does not exist" "  hint: nodes that can run threads here: 0-1"
	given "nodePerThread: 0*" "nodePerVector: 1" "vectorPerThread: own"
	refused 2 "t.args:5: vectorPerThread: own needs as many vectors for each thread; there is 1 vector and 2 threads" \
		"  hint: nodePerVector: first* is a vector for every thread"
}

@test "a range of N* is a thread on each core of all these nodes" {
	given "nodePerThread: 0-1*" "nodePerVector: 0" "tamPerVector: 4KiB" "vectorPerThread: all"
	planned "thread 0: CPU 0, core 0, node 0, vectors 0" "thread 1: CPU 2, core 1, node 0, vectors 0" \
		"thread 2: CPU 4, core 2, node 1, vectors 0" "thread 3: CPU 6, core 3, node 1, vectors 0"
	given "nodePerThread: 0-5*" "vectorPerThread: all, all"
	refused 3 "t.args:2: nodePerThread: node 2 does not exist" "  hint: nodes that can run threads here: 0-1"
}

@test "a word that only ends like a kind of cores is refused as a core" {
	for word in 'L3(0)' '()' '(0)' ')' '3(x)' 'kind(' 'kin(d)'; do
		for list in "$word" "$word*" "$word*2"; do
			given "corePerThread: $list" "vectorPerThread: 0, 0"
			sed -i /^nodePerThread/d t.args
			refused 2 "t.args:5: corePerThread: '$word' is not the number of a core"
		done
	done
}

@test "V* is refused before other values" {
	given "tamPerVector: 4KiB* 8KiB"
	refused 2 "t.args:4: tamPerVector: '4KiB*' has no count" \
		"  hint: write VALUE*COUNT; VALUE* must be the last value of a list whose length another key sets"
}

@test "a list of more than 65536 values is refused, however it is written" {
	for list in '0*65537' '0-65536' '0-40000 0-40000' '0-299*300'; do
		given "nodePerThread: $list"
		try timeout 120 "$AFFINITY" t.args out.txt
		[ "$status" -eq 2 ]
		[[ $stderr == "t.args:2: nodePerThread: '"*"' makes more than 65536 values" ]]
	done
}

@test "a list for vectors that is too short or too long is refused" {
	given "tamPerVector: 4KiB" "typePerVector: int int int" "pagesPerVector: 4K" "initPerVector: node*3"
	refused 2 "t.args:4: tamPerVector has 1 value, nodePerVector has 2" \
		"  hint: one value for each vector; V* stands for V as often as is needed" \
		"t.args:6: typePerVector has 3 values, nodePerVector has 2" \
		"  hint: one value for each vector; V* stands for V as often as is needed" \
		"t.args:7: pagesPerVector has 1 value, nodePerVector has 2" \
		"  hint: one value for each vector; V* stands for V as often as is needed" \
		"t.args:8: initPerVector has 3 values, nodePerVector has 2" \
		"  hint: one value for each vector; V* stands for V as often as is needed"
	given "tamPerVector: 4KiB"
	refused 2 "t.args:4: tamPerVector has 1 value, nodePerVector has 2" \
		"  hint: one value for each vector; V* stands for V as often as is needed"
}

# let, far, near, first

@test "let names nodes, far and near go by distance, first is the first that can hold both" {
	machine "$root/tests/topologies/ring4.xml"
	given "let: X=first Y=far(X) Z=near(Y) W=far(Z)" "nodePerThread: X Y Z W" "nodePerVector: Y near(0)" \
		"vectorPerThread: 0-2, 3"
	planned "thread 0: CPU 0, core 0, node 0, vectors 0" "thread 1: CPU 4, core 4, node 2, vectors 0" \
		"thread 2: CPU 2, core 2, node 1, vectors 0" "thread 3: CPU 6, core 6, node 3, vectors 1" \
		"vector 0: node 2, 4096 char, 4 KiB, pages system, init node" \
		"vector 1: node 1, 4096 char, 4 KiB, pages system, init node"
}

@test "far may stand inside far, and of a name given again the last counts" {
	given "let: X=1 Y=far(far(X)) X=0" "nodePerThread: X Y"
	planned "thread 0: CPU 0, core 0, node 0, vectors 0" "thread 1: CPU 2, core 1, node 0, vectors 1"
}

@test "let wants NAME=NODE" {
	for word in X X= =0 1X=0 X-Y=0 local=0 far=0; do
		given "let: $word"
		refused 2 "t.args:6: let: '$word' is not of the form NAME=NODE" \
			"  hint: for example let: X=0 Y=far(X); no spaces around =, and names such as first, far or local are taken"
	done
}

@test "a name that let does not define is refused with the one that is near" {
	given "let: home=0" "nodePerThread: hoem 1"
	refused 2 "t.args:2: nodePerThread: 'hoem' is neither a node's number nor a name of let; did you mean 'home'?" \
		"  hint: write a node as 0, first, far(0), near(0), kind(HBM), best(bandwidth), or a name defined by 'let: X=0'"
}

@test "a name that is near to none is refused without a guess, also inside far" {
	given "let: home=0 away=far(house" "nodePerVector: far(moon) 0"
	refused 2 "t.args:3: nodePerVector: 'moon' is neither a node's number nor a name of let" \
		"  hint: write a node as 0, first, far(0), near(0), kind(HBM), best(bandwidth), or a name defined by 'let: X=0'; or a policy: local, interleave, interleave:0,1, preferred:0" \
		"t.args:6: let: 'far(house' is neither a node's number nor a name of let" \
		"  hint: write a node as 0, first, far(0), near(0), kind(HBM), best(bandwidth), or a name defined by 'let: X=0'"
}

@test "far of a node that does not exist is refused" {
	given "let: X=far(5)"
	refused 3 "t.args:6: let: node 5 of 'far(5)' does not exist" \
		"  hint: affinity --topology shows the nodes"
}

@test "far and near need a second node" {
	machine "core:2 pu:2"
	given "nodePerThread: 0 far(0)" "nodePerVector: 0 near(0)"
	refused 3 "t.args:2: nodePerThread: 'far(0)' needs a second node with CPUs and memory; HWLOC_SYNTHETIC=core:2 pu:2 has none that may be used" \
		"  hint: affinity --topology shows the nodes" \
		"t.args:3: nodePerVector: 'near(0)' needs a second node with CPUs and memory; HWLOC_SYNTHETIC=core:2 pu:2 has none that may be used" \
		"  hint: affinity --topology shows the nodes"
}

@test "first needs a node with memory" {
	sed 's/local_memory="[0-9]*"/local_memory="0"/' "$root/tests/topologies/ring4.xml" >m.xml
	machine m.xml
	given "let: X=first" "nodePerVector: X X"
	refused 3 "t.args:6: let: no node of HWLOC_XMLFILE=m.xml can hold both threads and vectors" \
		"  hint: affinity --topology shows the nodes"
}
