#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What an argument file says about vectors: where, how large, of what, who uses and touches them, and what is
# refused.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	machine "$TWO_NODES"
}

# Vectors

@test "a kernel refuses vectors of a type that it would take for another one" {
	local kernel
	given "opType: triad" "nodePerThread: first" "nodePerVector: first*3" "tamPerVector: 4KiB*" "typePerVector: double float char" \
		"vectorPerThread: own"
	refused 2 "t.args:6: thread 0 runs 'triad', which takes vectors of double or char; its vector 1 is of float" \
		"  hint: typePerVector: double or char; char is memory whose type the file leaves open"
	for kernel in load gups chase load_dep fill atomic_add product bucketsort strsearch; do
		try "$AFFINITY" --plan --set "opType=$kernel" --set 'typePerVector=float*' t.args
		[ "$status" -eq 2 ]
		[[ $stderr == *"thread 0 runs '$kernel', which takes vectors of "*"; its vector 0 is of float"* ]]
	done
	try "$AFFINITY" --plan --set 'typePerVector=char*' t.args
	[ "$status" -eq 0 ]
	try "$AFFINITY" --plan --set 'typePerVector=float*' --set opType=read t.args
	[ "$status" -eq 0 ]
}

@test "a vector on a node that does not exist is refused with those that do" {
	given "nodePerVector: 0 2"
	refused 3 "t.args:3: nodePerVector: node 2 does not exist" \
		"  hint: nodes that can hold vectors here: 0-1"
}

@test "a vector on a node without memory is refused with those that have some" {
	sed '/os_index="1".*local_memory/s/local_memory="[0-9]*"/local_memory="0"/' \
		"$root/tests/topologies/ring4.xml" >m.xml
	machine m.xml
	given
	refused 3 "t.args:3: nodePerVector: node 1 has no memory" \
		"  hint: nodes that can hold vectors here: 0,2-3"
}

@test "a vector on a node that the cpuset forbids is refused with those that it allows" {
	sed 's/allowed_nodeset="0x0000000f"/allowed_nodeset="0x00000007"/' "$root/tests/topologies/ring4.xml" >m.xml
	machine m.xml
	given "nodePerVector: 0 3"
	refused 3 "t.args:3: nodePerVector: node 3 may not be used by this process (cpuset)" \
		"  hint: nodes that can hold vectors here: 0-2"
}

@test "a vector on a node whose number Linux cannot have is refused" {
	machine "numa:1100(memory=1GB) core:1 pu:1"
	given "nodePerVector: 1024 interleave"
	try "$AFFINITY" t.args out.txt
	[ "$status" -eq 3 ]
	[[ $stderr == "t.args:3: nodePerVector: node 1024 has a number that Linux does not know"* ]]
}

@test "policies are interleave, interleave:nodes, preferred:node and local" {
	given "nodePerVector: interleave interleave:1 interleave:0,far(0) preferred:1 local" \
		"vectorPerThread: 0, 0, 0, 1, 1"
	planned "vector 0: node interleave:0-1, 4096 char, 4 KiB, pages system, init owner (thread 0)" \
		"vector 1: node interleave:1, 4096 char, 4 KiB, pages system, init owner (thread 0)" \
		"vector 2: node interleave:0-1, 4096 char, 4 KiB, pages system, init owner (thread 0)" \
		"vector 3: node preferred:1, 4096 char, 4 KiB, pages system, init node" \
		"vector 4: node local, 4096 char, 4 KiB, pages system, init owner (thread 1)"
}

@test "vectors are bound to a set of nodes, or prefer it" {
	given "nodePerVector: bind:0,1 bind:1 bind:0,far(0) preferred:1,0" "vectorPerThread: 0, 0, 0, 1"
	planned "vector 0: node bind:0-1, 4096 char, 4 KiB, pages system, init owner (thread 0)" \
		"vector 1: node 1, 4096 char, 4 KiB, pages system, init node" \
		"vector 2: node bind:0-1, 4096 char, 4 KiB, pages system, init owner (thread 0)" \
		"vector 3: node preferred:0-1, 4096 char, 4 KiB, pages system, init owner (thread 1)"
	given "nodePerVector: bind:0,1 1" "tamPerVector: 100TiB 1"
	refused 3 "t.args:4: tamPerVector: vector 0 and others on its nodes take 100 TiB, these have 14.9 GiB" \
		"  hint: make it smaller, or name more nodes"
	given "nodePerVector: bind:0,1 bind:0,1" "tamPerVector: 10GiB 10GiB" # 8 GB a node
	refused 3 "t.args:4: tamPerVector: vector 0 and others on its nodes take 20 GiB, these have 14.9 GiB" \
		"  hint: make it smaller, or name more nodes"
	given "nodePerVector: bind: 0"
	refused 2 "t.args:3: nodePerVector: 'bind:' names no node" "  hint: for example bind:0,1, without blanks"
}

@test "a policy for nodes that do not exist is refused" {
	given "nodePerVector: interleave:0,4 preferred:5"
	refused 3 "t.args:3: nodePerVector: node 4 does not exist" \
		"  hint: nodes that can hold vectors here: 0-1" \
		"t.args:3: nodePerVector: node 5 does not exist" \
		"  hint: nodes that can hold vectors here: 0-1"
}

@test "a policy that names no node, or is none, is refused" {
	given "nodePerVector: interleave: preferred:"
	refused 2 "t.args:3: nodePerVector: 'interleave:' names no node" "  hint: for example interleave:0,1, without blanks" \
		"t.args:3: nodePerVector: 'preferred:' names no node" "  hint: for example preferred:0,1, without blanks"
	given "nodePerVector: interleaved 0"
	refused 2 "t.args:3: nodePerVector: 'interleaved' is neither a node's number nor a name of let" \
		"  hint: write a node as 0, first, far(0), near(0), kind(HBM), best(bandwidth), or a name defined by 'let: X=0'; or a policy: local, interleave, interleave:0,1, preferred:0"
}

@test "policies in the words of numactl are refused with ours" {
	local word
	while read -r word ours; do
		given "nodePerVector: $word 0"
		refused 2 "t.args:3: nodePerVector: '$word' is a word of numactl; did you mean '$ours'?"
		given "nodePerVector: $ours 0"
		planned
	done <<-'END'
		interleave:all interleave
		interleave:0-1 interleave:0,1
		bind:0-1 bind:0,1
		membind:1 1
		membind:0,1 bind:0,1
		preferred preferred:0
		preferred-many:1,0 preferred:0,1
		localalloc local
		default local
		first-touch local
	END
	given "pagesPerVector: base*" "tablesPerVector: all*"
	refused 2 "t.args:7: tablesPerVector: 'all' is a word of numactl" "  hint: here it names nodes 0,1: write the number of one"
	given "let: default=1" "nodePerVector: default 0"
	planned
}

@test "vectors without a size are refused, and sizes without vectors" {
	given
	sed -i /^tamPerVector/d t.args
	refused 2 "t.args:3: nodePerVector needs sizePerVector: the size of each vector" \
		"  hint: for example sizePerVector: 8xL3*"
	given "opType: null"
	sed -i '/^nodePerVector/d; /^vectorPerThread/d' t.args
	refused 2 "t.args:3: tamPerVector needs nodePerVector: the node of each vector" \
		"  hint: for example nodePerVector: 0, or local"
}

@test "users of vectors are refused where there are no vectors" {
	printf 'opType: null\nnodePerThread: 0\nvectorPerThread: 0\n' >t.args
	refused 2 "t.args:3: vectorPerThread needs vectors, but nodePerVector is missing" \
		"  hint: add nodePerVector and sizePerVector, or leave vectorPerThread out"
}

@test "sizes are elements, bytes, a multiple of a cache or a share of the node" {
	machine "numa:2(memory=1GiB) l2:1(size=1MiB) core:2 pu:1"
	given "nodePerVector: 0*5 1" "typePerVector: double int*3 char*" "sizePerVector: 100 1.5KiB 2xL2 0.5xL2 1000B 50%" \
		"vectorPerThread: 0, 0, 0, 0, 0, 1"
	sed -i /^tamPerVector/d t.args
	planned "vector 0: node 0, 100 double, 800 B, pages system, init node" \
		"vector 1: node 0, 384 int, 1.5 KiB, pages system, init node" \
		"vector 2: node 0, 524288 int, 2 MiB, pages system, init node" \
		"vector 3: node 0, 131072 int, 512 KiB, pages system, init node" \
		"vector 4: node 0, 1000 char, 1000 B, pages system, init node" \
		"vector 5: node 1, 536870912 char, 512 MiB, pages system, init node"
}

@test "a size of nothing, or of less than an element, is refused" {
	given "tamPerVector: 0 0KiB"
	refused 2 "t.args:4: tamPerVector: '0' makes a vector without elements" \
		"  hint: at least 1 element of 1 byte" \
		"t.args:4: tamPerVector: '0KiB' makes a vector without elements" \
		"  hint: at least 1 element of 1 byte"
	given "tamPerVector: 7B*" "typePerVector: long*"
	refused 2 "t.args:4: tamPerVector: '7B' makes a vector without elements" \
		"  hint: at least 1 element of 8 bytes"
}

@test "a negative size is refused as such" {
	given "tamPerVector: -1 4KiB"
	refused 2 "t.args:4: tamPerVector: '-1' is not a size" \
		"  hint: a size cannot be negative; 209715200 elements, 200MiB, 8xL3 (times a cache), 8xLLC (the last one), 8xcaches (all of them), 4xcaches/thread (of all threads together), 50% (of the node's memory), max(4GiB,4xcaches)"
}

@test "a size that is no number is refused with what is one" {
	for size in many 4Kib 1e6 0x10 4KiBs 2x '%' 1.KiB 0.3B; do
		given "tamPerVector: $size*"
		try "$AFFINITY" t.args out.txt
		[ "$status" -eq 2 ]
		[[ $stderr == "t.args:4: tamPerVector: '$size' is not a "* ]]
	done
	for size in 64KB 64kb; do
		given "tamPerVector: $size*"
		refused 2 "t.args:4: tamPerVector: '$size' is not a size" \
			"  hint: kB is 1000 bytes, KiB 1024; 209715200 elements, 200MiB, 8xL3 (times a cache), 8xLLC (the last one), 8xcaches (all of them), 4xcaches/thread (of all threads together), 50% (of the node's memory), max(4GiB,4xcaches)"
	done
	for size in many 5xall; do
		given "tamPerVector: $size*"
		refused 2 "t.args:4: tamPerVector: '$size' is not a size" \
			"  hint: 209715200 elements, 200MiB, 8xL3 (times a cache), 8xLLC (the last one), 8xcaches (all of them), 4xcaches/thread (of all threads together), 50% (of the node's memory), max(4GiB,4xcaches)"
	done
}

@test "a size that no address reaches is refused, in every unit" {
	given "tamPerVector: 18446744073709551616 9223372036854775808"
	refused 2 "t.args:4: tamPerVector: 18446744073709551616 elements exceed the address space" \
		"t.args:4: tamPerVector: 9223372036854775808 elements of 1 bytes exceed the address space"
	given "tamPerVector: 9000TiB 1152921504606846976" "typePerVector: char double"
	refused 2 "t.args:4: tamPerVector: '9000TiB' exceeds the address space" \
		"t.args:4: tamPerVector: 1152921504606846976 elements of 8 bytes exceed the address space"
	given "tamPerVector: 99999999999999999999TiB 1e99xL1"
	try "$AFFINITY" t.args out.txt
	[ "$status" -eq 2 ]
}

@test "a vector larger than its node is refused" {
	given "tamPerVector: 4KiB 9GB"
	refused 3 "t.args:4: tamPerVector: the vectors of node 1 take 8.38 GiB, the node has 7.45 GiB" \
		"  hint: make them smaller, or spread them: nodePerVector: interleave"
}

@test "vectors that are larger than their node together are refused" {
	given "nodePerVector: 0 0" "tamPerVector: 4GiB*"
	refused 3 "t.args:4: tamPerVector: the vectors of node 0 take 8 GiB, the node has 7.45 GiB" \
		"  hint: make them smaller, or spread them: nodePerVector: interleave"
}

@test "vectors whose sum has more than 64 bits are refused with a sum that is not small" {
	given "nodePerVector: 0*3" "tamPerVector: 9223372036854775807*" "vectorPerThread: 0, 1, 1"
	refused 3 "t.args:4: tamPerVector: the vectors of node 0 take 16 EiB, the node has 7.45 GiB" \
		"  hint: make them smaller, or spread them: nodePerVector: interleave"
}

@test "a multiple of a cache that the machine does not show is refused" {
	given "tamPerVector: 8xL3*"
	refused 3 "t.args:4: tamPerVector: '8xL3', but the machine shows no L3 cache" \
		"  hint: give the size in bytes, such as 200MiB, or the caches: caches: 32K 1M 32M"
}

@test "a core's part of a cache is that of the cores under it that may be used" {
	machine "numa:2(memory=8GB) l3:2(size=30MB) core:6 pu:2"
	given "tamPerVector: 4xL3/core*"
	planned "vector 0: node 0, 20000000 char, 19.1 MiB, pages system, init node"
	given "tamPerVector: 4xL3*"
	planned "vector 0: node 0, 120000000 char, 114 MiB, pages system, init node"
}

@test "caches are all above a core together, and a core's part of them" {
	given "tamPerVector: 4xcaches*"
	refused 3 "t.args:4: tamPerVector: '4xcaches', but the machine shows no caches" \
		"  hint: give the size in bytes, such as 200MiB, or the caches: caches: 32K 1M 32M"
	machine "numa:2(memory=8GB) l2:2(size=3000000) core:3 l1:1(size=64000) pu:1"
	planned "vector 0: node 0, 12256000 char, 11.7 MiB, pages system, init node"
	given "tamPerVector: 4xcaches/core*"
	planned "vector 0: node 0, 4256000 char, 4.06 MiB, pages system, init node"
}

@test "LLC is the last level that the machine has, alone" {
	given "tamPerVector: 8xLLC*"
	refused 3 "t.args:4: tamPerVector: '8xLLC', but the machine shows no caches" \
		"  hint: give the size in bytes, such as 200MiB, or the caches: caches: 32K 1M 32M"
	machine "numa:2(memory=8GB) l2:2(size=3000000) core:3 l1:1(size=64000) pu:1"
	planned "vector 0: node 0, 24000000 char, 22.9 MiB, pages system, init node"
	given "tamPerVector: 8xLLC/core*"
	planned "vector 0: node 0, 8000000 char, 7.63 MiB, pages system, init node"
}

@test "a multiple of a cache is a positive number and a level that exists" {
	for size in 0xL1 -1xL1 axL1 xL1 1xL 1xL5 1xL0 1xLx 1xL/core 1xL1/cores 1xL1/core2 1xL1/ 1xLL 1xcaches4 1xcaches/2 xcaches; do
		given "tamPerVector: $size*"
		refused 2 "t.args:4: tamPerVector: '$size' is not of the form 8xL3 (a positive number, xL, 1 to 4), 8xLLC, 8xcaches, 8xL3/core or 8xL3/thread"
	done
}

@test "a share of a node's memory is above 0 and up to 100 %" {
	for size in 0% 101% -5% half%; do
		given "tamPerVector: $size*"
		refused 2 "t.args:4: tamPerVector: '$size' is not a share of a node's memory, above 0 and up to 100%"
	done
}

@test "a share of memory means nothing for a local vector" {
	given "nodePerVector: local 0" "tamPerVector: 50%*"
	refused 2 "t.args:4: tamPerVector: '50%' is a share of a node, but a local vector has no node of its own" \
		"  hint: give the size in bytes, such as 200MiB"
}

@test "an unknown element type or page size is refused with the name that is near" {
	local sizes="system, 4K, thp, 2M, 1G, base, 16K, 64K, 32M, 512M, 16G, thp:16K, thp:32K, thp:64K, thp:128K, thp:256K"
	sizes+=", thp:512K, thp:1M, thp:2M, thp:4M, thp:8M, thp:16M, thp:32M, thp:64M, thp:128M, thp:256M or thp+base"
	given "typePerVector: it char" "pagesPerVector: 4k huge"
	refused 2 "t.args:6: typePerVector: unknown value 'it'; did you mean 'int'?" \
		"  hint: char, short, int, long, float or double" \
		"t.args:7: pagesPerVector: unknown value '4k'; did you mean '4K'?" \
		"  hint: $sizes" \
		"t.args:7: pagesPerVector: unknown value 'huge'" \
		"  hint: $sizes"
}

# Placements by name, and the order of touching

@test "a placement by name is a node, as seen from the threads that use the vector, and pages" {
	given "nodePerThread: 1 0" "nodePerVector: local_2m local_2m_4k local_4k interleave_2m remote_2m" \
		"tamPerVector: 8MiB*3 32MiB 8MiB" "vectorPerThread: 0, 1, 1, 0 1, 0"
	planned "vector 0: node 1, 8388608 char, 8 MiB, pages thp:2M, init node, local_2m of thread 0" \
		"vector 1: node 0, 8388608 char, 8 MiB, pages thp+base, init node, local_2m_4k of thread 1" \
		"vector 2: node 0, 8388608 char, 8 MiB, pages 4K, init node, local_4k of thread 1" \
		"vector 3: node interleave:0-1, 33554432 char, 32 MiB, pages thp:2M, init owner (thread 0), interleave_2m of thread 0" \
		"vector 4: node 0, 8388608 char, 8 MiB, pages thp:2M, init node, remote_2m of thread 0"
	given "nodePerThread: 1 0" "nodePerVector: local_frag rhp_frag" "tamPerVector: 8MiB*" "vectorPerThread: 0, 1"
	planned "vector 0: node 1, 8388608 char, 8 MiB, pages thp:2M, init node, local_frag of thread 0" \
		"vector 1: node preferred:0, 8388608 char, 8 MiB, pages thp:2M, init node, rhp_frag of thread 1"
}

@test "rhp_frag_profiler needs the runs that judge it, before it and for its kernel alone" {
	judged() { # LINE...
		# shellcheck disable=SC2016 # the driver's
		printf '%s\n' 'nodePerThread: 0' 'vectorPerThread: 0' 'tamPerVector: 4MiB' 'nodePerVector: $p' "$@" >t.args
	}
	local runs='sweep: p = local_2m local_4k rhp_frag rhp_frag_profiler' near='baseline: p=local_2m' small='smallPages: p=local_4k'
	local missing=("t.args:4: rhp_frag_profiler is judged by runs before it: of baseline, of smallPages with values of the same \
variables, and the same with rhp_frag"
		"  hint: sweep: placement = local_2m local_4k rhp_frag rhp_frag_profiler, baseline: placement=local_2m, smallPages: \
placement=local_4k")
	judged 'opType: read' "$runs" "$near" "$small"
	planned "vector 0: node preferred:0, 4194304 char, 4 MiB, pages thp:2M, init node, rhp_frag_profiler of thread 0"
	judged 'opType: read' "$runs" "$near"
	refused 2 "${missing[@]}"
	judged 'opType: read' "$runs" "$small"
	refused 2 "${missing[@]}"
	judged 'opType: read' "${runs/rhp_frag /}" "$near" "$small"
	refused 2 "${missing[@]}"
	judged 'opType: read' 'sweep: p = local_2m local_4k rhp_frag_profiler rhp_frag' "$near" "$small"
	refused 2 "${missing[@]}"
	# shellcheck disable=SC2016 # the driver's
	judged 'opType: read' "$runs" 'sweep: w = 1 2' 'passes: $w' "$near w=1" "$small"
	refused 2 "${missing[@]}"
	judged 'opType: read' "$runs" "$near" "$small" 'interleave: yes'
	refused 2 "t.args:4: rhp_frag_profiler is judged by runs before it, and interleave: yes has none" \
		"  hint: leave interleave out"
	judged 'opType: read copy' "$runs" "$near" "$small"
	# shellcheck disable=SC2016 # the driver's
	refused 2 "t.args:4: rhp_frag_profiler is judged for one kernel, and moves pages for all" \
		'  hint: sweep: program = hotcold triad, with opType: $program'
}

@test "interleave_2m and remote_2m take the farthest node, and are refused where there is no other" {
	machine "$root/tests/topologies/ring4.xml"
	given "nodePerThread: 0*2" "nodePerVector: remote_2m interleave_2m" "vectorPerThread: all, all" "tamPerVector: 4KiB 32MiB"
	planned "vector 0: node 2, 4096 char, 4 KiB, pages thp:2M, init node, remote_2m of thread 0" \
		"vector 1: node interleave:0,2, 33554432 char, 32 MiB, pages thp:2M, init owner (thread 0), interleave_2m of thread 0"
	given "nodePerThread: 0*2" "nodePerVector: remote_2m interleave_2m" "vectorPerThread: all, all" "tamPerVector: 4KiB 30MiB"
	refused 3 "t.args:4: vector 1: interleave_2m: 30 MiB has too few huge pages to be half far" \
		"  hint: a larger tamPerVector: 32 MiB, 16 huge pages, at least"
	machine "numa:1(memory=8GB) core:2 pu:1"
	given "nodePerThread: 0*2" "nodePerVector: rhp_frag local_frag" "vectorPerThread: all, all"
	refused 3 "t.args:3: vector 0: rhp_frag needs a second node with CPUs and memory, besides node 0" \
		"  hint: a machine of one node can measure local_2m, local_2m_4k, local_4k and local_frag"
	given "nodePerThread: 0*2" "nodePerVector: remote_2m interleave_2m" "vectorPerThread: all, all"
	refused 3 "t.args:3: vector 0: remote_2m needs a second node with CPUs and memory, besides node 0" \
		"  hint: a machine of one node can measure local_2m, local_2m_4k, local_4k and local_frag" \
		"t.args:3: vector 1: interleave_2m needs a second node with CPUs and memory, besides node 0" \
		"  hint: a machine of one node can measure local_2m, local_2m_4k, local_4k and local_frag"
}

@test "a placement by name with pages of its own, or for a thread that is not bound, is refused" {
	given "nodePerVector: local_2m 1" "pagesPerVector: 4K system"
	refused 2 "t.args:6: vector 0: local_2m says which pages it has, and pagesPerVector says 4K" \
		"  hint: leave pagesPerVector out, or give it system for this vector"
	given "nodePerVector: local_4k 1"
	sed -i 's/^nodePerThread.*/threads: 2\nmapping: os/' t.args
	refused 2 "t.args:4: vector 0: local_4k is by the node of thread 0, which is not on a node of its own" \
		"  hint: nodePerThread binds it; or name the node: nodePerVector: 0"
}

@test "a placement by name for threads on two nodes is refused, as it would be another for each" {
	given "nodePerThread: 0 1" "nodePerVector: local_4k 1" "vectorPerThread: 0 1, 1"
	refused 2 "t.args:3: vector 0: local_4k is by the node of thread 0, but thread 1, which uses it too, is on node 1" \
		"  hint: a vector for each node, or name the node: nodePerVector: 0"
	machine "$root/tests/topologies/ring4.xml"
	given "nodePerThread: 0 1" "nodePerVector: interleave_2m 1" "vectorPerThread: 0 1, 1" "tamPerVector: 64MiB*"
	refused 2 "t.args:3: vector 0: interleave_2m is by the node of thread 0, but thread 1, which uses it too, is on node 1" \
		"  hint: a vector for each node, or name the node: nodePerVector: 0"
}

@test "initOrderPerVector is planned, and refused for pages that come in pairs" {
	given "initOrderPerVector: hot_first hot_last" "initPerVector: node thread:0"
	planned "vector 0: node 0, 4096 char, 4 KiB, pages system, init node, touched hot_first" \
		"vector 1: node 1, 4096 char, 4 KiB, pages system, init thread (thread 0), touched hot_last"
	given "initOrderPerVector: any hot_last" "pagesPerVector: thp:64K*"
	refused 2 "t.args:6: vector 1: pages of pagesPerVector: thp:64K come in pairs, and cannot be touched hot_last" \
		"  hint: initOrderPerVector: any, or pagesPerVector: base or thp"
	given "initOrderPerVector: hot_first last"
	refused 2 "t.args:6: initOrderPerVector: unknown value 'last'" "  hint: any, hot_first or hot_last"
}

# tablesPerVector

@test "tablesPerVector takes the words for nodes, and none" {
	given "let: X=0 Y=far(X)" "nodePerVector: X*3" "vectorPerThread: 0, 1, 1" "tablesPerVector: Y none near(Y)" \
		"pagesPerVector: base system 4K"
	planned "vector 0: node 0, 4096 char, 4 KiB, pages base, init node, page tables on node 1" \
		"vector 1: node 0, 4096 char, 4 KiB, pages system, init node" \
		"vector 2: node 0, 4096 char, 4 KiB, pages 4K, init node, page tables on node 0"
}

@test "page tables on a node that does not exist, or of other than base pages, are refused" {
	given "tablesPerVector: 7 none" "pagesPerVector: 4K*"
	refused 3 "t.args:6: tablesPerVector: node 7 does not exist" "  hint: nodes that can hold vectors here: 0-1"
	for pages in 2M thp thp:64K thp+base system; do
		given "tablesPerVector: none 0" "pagesPerVector: $pages*"
		refused 2 "t.args:6: vector 1: only base pages are reached through page tables that can be placed and proven, not $pages" \
			"  hint: tablesPerVector goes with pagesPerVector: base, or nodePerVector: local_4k"
	done
	given "tablesPerVector: 0 1" "nodePerVector: local_4k*"
	planned "vector 0: node 0, 4096 char, 4 KiB, pages 4K, init node, local_4k of thread 0, page tables on node 0" \
		"vector 1: node 1, 4096 char, 4 KiB, pages 4K, init node, local_4k of thread 1, page tables on node 1"
	machine "numa:1(memory=8GB) core:2 pu:1"
	given "nodePerThread: 0*2" "nodePerVector: 0*2" "tablesPerVector: 0 1" "pagesPerVector: 4K*"
	refused 3 "t.args:6: tablesPerVector: node 1 does not exist" "  hint: nodes that can hold vectors here: 0"
}

# backingPerVector, pageCachePerVector

@test "vectors are in memory without a file, in a memfd, a file of the run's own, or a user's" {
	head -c 8192 /dev/zero >model
	given "nodePerVector: 0*4" "vectorPerThread: 0, 0, 0, 1" "backing: anonymous memfd file:. file:model" \
		"cache: asis asis warm warm(node(far(0)))"
	planned "vector 0: node 0, 4096 char, 4 KiB, pages system, init node" \
		"vector 1: node 0, 4096 char, 4 KiB, pages system, init node, memfd" \
		"vector 2: node 0, 4096 char, 4 KiB, pages system, init node, folder ., cache warm" \
		"vector 3: node 0, 4096 char, 4 KiB, pages system, init node, file model, cache warm by node 1"
	given "backing: file:model memory"
	refused 2 "t.args:6: backing: unknown value 'memory'" "  hint: anonymous, memfd, file:PATH or file:FOLDER"
	given "backing: memfd file:none"
	refused 3 "t.args:6: backing: 'none': No such file or directory" \
		"  hint: file:PATH is a file to read, or a folder for one of the run's own"
	given "backing: file:/dev/null memfd"
	refused 3 "t.args:6: backing: '/dev/null': is neither a file nor a folder" \
		"  hint: file:PATH is a file to read, or a folder for one of the run's own"
	given "backing: file:model*" "cache: hot warm(7)"
	refused 2 "t.args:7: cache: unknown value 'hot'" "  hint: asis, cold, warm or warm(NODE)" \
		"t.args:7: cache: node 7 does not exist" "  hint: nodes that can hold vectors here: 0-1"
}

@test "a user's file is read only, and no larger than it is; what files cannot have is refused" {
	head -c 8192 /dev/zero >model
	for kernel in write=stores\ to gemv=makes\ the\ content\ of migrate=moves\ pages\ of chase=makes\ the\ content\ of; do
		given "opType: ${kernel%=*}" "backing: file:model memfd" "tamPerVector: 8KiB*" "targetPerVector: 1 0"
		refused 2 "t.args:1: ${kernel%=*} ${kernel#*=} vector 0, which is the file 'model': a user's file is never written" \
			"  hint: opType: read only loads; backing: file:FOLDER is a file of the run's own"
	done
	local backing
	for kernel in fault map unmap protect dontneed free fork; do
		for backing in memfd=memfd file:.=folder file:model=file; do
			given "opType: $kernel" "backing: ${backing%=*} anonymous" "tamPerVector: 8KiB*"
			refused 2 "t.args:1: $kernel measures anonymous memory, and vector 0 is a ${backing#*=}" \
				"  hint: backing: anonymous"
		done
	done
	for kernel in map unmap protect dontneed free; do
		given "opType: $kernel" "pagesPerVector: 2M*" "tamPerVector: 8MiB*"
		refused 2 "t.args:1: $kernel: its mapping has base pages or transparent huge pages of the usual size: pagesPerVector: base or thp"
	done
	given "backing: memfd file:model" "tamPerVector: 4KiB 12KiB"
	refused 3 "t.args:4: vector 1 has 12 KiB, the file 'model' 8 KiB" "  hint: tamPerVector: 8192B is all of it"
	local case
	for case in "cache: asis warm|vector 1: only pages of files can be warm or cold" \
		"cache: cold asis|vector 0: a cold file comes to lie where threads read it" \
		"pagesPerVector: base*|vector 0: only anonymous memory has pages of a size that is asked for" \
		"nodePerVector: weighted:0=1,1=2 0|vector 0: pages of files are not dealt out by weights" \
		"nodePerVector: replicate 0|vector 0: a file has its pages once: there are no copies or slices" \
		"state: M none|vector 0: a user's file is never written, and a state needs stores"; do
		given "backing: file:model memfd" "${case%|*}" "owner: thread:0*"
		try "$AFFINITY" --plan t.args
		[ "$status" -eq 2 ]
		[[ $stderr == *"t.args:6: ${case#*|}"$'\n  hint: '* ]]
	done
	given "backing: file:model file:./model" "cache: warm*"
	refused 2 "t.args:7: cache: vectors 0 and 1 are of the file './model': one keeps the pages that the other drops" \
		"  hint: one vector for all threads, or cache: asis"
	given "backing: file:.*" "cache: cold*" "nodePerVector: local*" "mode: time:1s"
	refused 2 "t.args:7: cache: cold cannot be used with mode: time:1s: only the first pass would meet the state" \
		"  hint: use mode: work, and set samples: N"
}

# targetPerVector

@test "targetPerVector takes the words for nodes, and none" {
	given "let: X=0 Y=far(X)" "nodePerVector: X*3" "vectorPerThread: 0, 1, 1" "targetPerVector: Y none near(X)"
	planned "vector 0: node 0, 4096 char, 4 KiB, pages system, init node, target node 1" \
		"vector 1: node 0, 4096 char, 4 KiB, pages system, init node" \
		"vector 2: node 0, 4096 char, 4 KiB, pages system, init node, target node 1"
}

@test "a target that cannot hold vectors, or is no single node, is refused" {
	given "targetPerVector: 7 0"
	refused 3 "t.args:6: targetPerVector: node 7 does not exist" "  hint: nodes that can hold vectors here: 0-1"
	given "targetPerVector: 0"
	refused 2 "t.args:6: targetPerVector has 1 value, nodePerVector has 2" \
		"  hint: one value for each vector; V* stands for V as often as is needed"
	given "targetPerVector: local*"
	refused 2 "t.args:6: targetPerVector: 'local' is neither a node's number nor a name of let" \
		"  hint: write a node as 0, first, far(0), near(0), kind(HBM), best(bandwidth), or a name defined by 'let: X=0'"
}

# vectorPerThread, initPerVector

@test "commas divide groups of threads, wherever the blanks are" {
	given "vectorPerThread: 0 1 ,1"
	planned "thread 0: CPU 0, core 0, node 0, vectors 0" "thread 1: CPU 4, core 2, node 1, vectors 0 1"
}

@test "groups that are as many as there are vectors are asked for" {
	for groups in '0 1' ','; do
		given "vectorPerThread: $groups"
		try "$AFFINITY" t.args out.txt
		[ "$status" -eq 2 ]
		[[ $stderr == "t.args:5: vectorPerThread has "[01]" group"*", but there are 2 vectors
  hint: a group of threads for each vector, divided by commas: 0 1, 2 3" ]]
	done
	given "vectorPerThread: 0, 1, 0"
	refused 2 "t.args:5: vectorPerThread has 3 groups, but there are 2 vectors" \
		"  hint: a group of threads for each vector, divided by commas: 0 1, 2 3"
}

@test "a thread that does not exist cannot use a vector" {
	given "vectorPerThread: 0, 2"
	refused 2 "t.args:5: vectorPerThread: there is no thread 2; threads are 0 .. 1"
}

@test "a user that is no number is refused" {
	given "vectorPerThread: 0, -1"
	refused 2 "t.args:5: vectorPerThread: '-1' is not the number of a thread"
}

@test "a thread twice in a group is refused" {
	given "vectorPerThread: 0-1 0, 1"
	refused 2 "t.args:5: vectorPerThread: thread 0 stands twice in the group of vector 0"
}

@test "initPerVector is node, owner, main or thread:K" {
	given "nodePerVector: 0*4" "vectorPerThread: 0, 1, 1, 1" "initPerVector: node owner main thread:0"
	planned "vector 0: node 0, 4096 char, 4 KiB, pages system, init node" \
		"vector 1: node 0, 4096 char, 4 KiB, pages system, init owner (thread 1)" \
		"vector 2: node 0, 4096 char, 4 KiB, pages system, init main" \
		"vector 3: node 0, 4096 char, 4 KiB, pages system, init thread (thread 0)"
}

@test "a first toucher that does not exist is refused" {
	given "initPerVector: thread:2 thread:x"
	refused 2 "t.args:6: initPerVector: there is no thread 2; threads are 0 .. 1" \
		"t.args:6: initPerVector: unknown value 'thread:x'" \
		"  hint: node, owner, main or thread:K"
}

@test "a share of a node that is refused is no further mistake" {
	machine "$root/tests/topologies/apart.xml"
	given "let: X=first" "nodePerThread: X" "nodePerVector: X" "tamPerVector: 50%" "vectorPerThread: 0"
	refused 3 "t.args:6: let: no node of HWLOC_XMLFILE=$root/tests/topologies/apart.xml can hold both threads and vectors" \
		"  hint: affinity --topology shows the nodes"
}
