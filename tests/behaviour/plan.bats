#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What --plan resolves on machines we lack: synthetic ones and those of tests/topologies.

bats_require_minimum_version 1.5.0 # run !

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

# The machine of the thesis has four nodes in a ring; so has this one, with fewer cores.
RING=$BATS_TEST_DIRNAME/../topologies/ring4.xml

setup() {
	driver_setup
}

# whole PLAN: t.args has exactly these vectors, threads, operations, speedups and samples.
whole() {
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	same "$1" "$(grep -E '^(vector|thread|operation|speedup|samples)' <<<"$output")"
}

# threads CPU...: these are the CPUs of the plan's threads, in order.
threads() {
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	same "$*" "$(sed -n 's/^thread [0-9]*: CPU \([0-9]*\),.*/\1/p' <<<"$output" | paste -sd ' ')"
}

@test "the argument file of the thesis plans unchanged on a machine with nodes 0 to 3" {
	machine "$RING"
	cat >t.args <<-'END' # thesis, Code A.4
		opType: write read
		nodePerThread: 0 1 2 3
		nodePerVector: 0 0
		tamPerVector: 209715200 209715200
		vectorPerThread: 0 1, 2 3
		summaryType: max
		speedupCalc: write/read
		numIter: 10
		argsExtra: sleep:100 stride:16
	END
	whole "$(
		cat <<-'END'
			vector 0: node 0, 209715200 char, 200 MiB, pages system, init node
			vector 1: node 0, 209715200 char, 200 MiB, pages system, init node
			thread 0: CPU 0, core 0, node 0, vectors 0
			thread 1: CPU 2, core 2, node 1, vectors 0
			thread 2: CPU 4, core 4, node 2, vectors 1
			thread 3: CPU 6, core 6, node 3, vectors 1
			operation write: thread 0 write, thread 1 write sleep 100 ms, thread 2 write, thread 3 write
			operation read: thread 0 read, thread 1 read sleep 100 ms, thread 2 read, thread 3 read
			speedup write/read
			samples: 10 of each operation when its cost has settled, 2 operations, in each of 5 to 10 placements
		END
	)"
}

@test "the kernels of the thesis that sleep plan under their own names" {
	machine "$RING"
	given "opType: read_s write_s read_write_s" "argsExtra: sleep:500"
	planned "operation read_s: thread 0 read_s, thread 1 read_s sleep 500 ms" \
		"operation write_s: thread 0 write_s, thread 1 write_s sleep 500 ms" \
		"operation read_write_s: thread 0 read_write_s, thread 1 read_write_s sleep 500 ms"
}

@test "the plan says what numbers without a unit mean" {
	machine "$RING"
	given "opType: read chase" "typePerVector: double*" "stride: 64 128B*" "timeLimit: 10" "sleep: 100"
	planned "parameter stride: 64 (64 elements, 512 B) 128B*" "timeLimit: 10 is 10 ms"
	given "stride: 1"
	planned "parameter stride: 1 (1 element, 1 B)"
	given "opType: read" "typePerVector: double int" "stride: 64*" "timeLimit: 10s"
	planned "parameter stride: 64* (64 elements)"
	[[ $output != *timeLimit* ]]
}

@test "every key shows in the plan" {
	machine "numa:2(memory=8GB) l3:1(size=16MiB) core:2 pu:2"
	cat >t.args <<-'END'
		let:             X=1 Y=far(X)
		opType:          write+read null
		nodePerThread:   X*2 Y
		oversubscribe:   yes
		nodePerVector:   Y interleave preferred:X
		sizePerVector:   2xL3 1000 10%
		typePerVector:   double char*
		pagesPerVector:  thp 2M system
		initPerVector:   thread:2 main node
		vectorPerThread: 0-2, 1, 0
		passes:          2 2 1
		speedup:         null/write+read
		numIter:         7
		warmup:          2
	END
	whole "$(
		cat <<-'END'
			vector 0: node 0, 4194304 double, 32 MiB, pages thp, init thread (thread 2)
			vector 1: node interleave:0-1, 1000 char, 1000 B, pages 2M, init main
			vector 2: node preferred:1, 800000000 char, 781250 KiB, pages system, init node
			thread 0: CPU 4, core 2, node 1, vectors 0 2
			thread 1: CPU 6, core 3, node 1, vectors 0 1
			thread 2: CPU 0, core 0, node 0, vectors 0
			operation write+read: thread 0 write passes 2, thread 1 read passes 2, thread 2 write
			operation null: thread 0 null passes 2, thread 1 null passes 2, thread 2 null
			speedup null/write+read
			samples: 7 of each operation after 2 warm-up, 2 operations, in each of 5 to 10 placements
		END
	)"
}

@test "threads of a node get whole cores first, then the siblings in the same order" {
	machine "$TWO_NODES"
	printf 'opType: null\nnodePerThread: 0*4\n' >t.args
	threads 0 2 1 3
	planned "thread 2: CPU 1, core 0, node 0, vectors none, shares its core"
}

@test "threads that have their core to themselves do not share it" {
	machine "$TWO_NODES"
	printf 'opType: null\nnodePerThread: 0*3\n' >t.args
	planned "thread 1: CPU 2, core 1, node 0, vectors none" \
		"thread 2: CPU 1, core 0, node 0, vectors none, shares its core"
}

@test "nodes in any order fill up each on its own" {
	machine "$TWO_NODES"
	printf 'opType: null\nnodePerThread: 1 0 1 0 1\n' >t.args
	threads 4 0 6 2 5
}

@test "whole cores come first where the system numbers siblings far apart" {
	machine "core:4 pu:2(indexes=0,4,1,5,2,6,3,7)"
	printf 'opType: null\nnodePerThread: 0*6\n' >t.args
	threads 0 1 2 3 4 5
}

@test "equal cores take their hardware threads in turn" {
	machine "$TWO_NODES"
	printf 'opType: null\ncorePerThread: 3 0 0 3\n' >t.args
	threads 6 0 1 7
}

@test "CPUs are taken as they are" {
	machine "$TWO_NODES"
	printf 'opType: null\ncpuPerThread: 7 0 3-5\n' >t.args
	threads 7 0 3 4 5
}

@test "oversubscribed nodes have their threads dealt out evenly" {
	machine "$TWO_NODES"
	printf 'opType: null\nnodePerThread: 0*9\noversubscribe: yes\n' >t.args
	threads 0 2 1 3 0 2 1 3 0
}

@test "far is the farthest node in distance and near the nearest, the first of equals" {
	machine "$RING"
	printf 'opType: null\nnodePerThread: far(0) far(1) far(2) far(3)\n' >t.args
	threads 4 6 0 2
	printf 'opType: null\nnodePerThread: near(0) near(1) near(2) near(3)\n' >t.args
	threads 2 0 3 1
}

@test "without distances far and near are the first other node" {
	machine "numa:3(memory=1GB) core:1 pu:1"
	printf 'opType: null\nnodePerThread: far(0) near(1) first\noversubscribe: yes\n' >t.args
	threads 1 0 0
}

@test "far and near pass over nodes that cannot hold both threads and vectors" {
	sed '/os_index="2".*local_memory/s/local_memory="[0-9]*"/local_memory="0"/' "$RING" >m.xml
	machine m.xml
	printf 'opType: null\nnodePerThread: far(0) far(3)\n' >t.args
	threads 2 3
}

@test "nodes need not be numbered from 0" {
	machine "numa:2(memory=8GB indexes=5,3) core:2 pu:1"
	given "nodePerThread: first far(first)" "nodePerVector: interleave 5" "let: X=first"
	planned "thread 0: CPU 2, core 2, node 3, vectors 0" "thread 1: CPU 0, core 0, node 5, vectors 1" \
		"vector 0: node interleave:3,5, 4096 char, 4 KiB, pages system, init owner (thread 0)"
}

@test "hundreds of nodes and CPUs are planned" {
	machine "numa:512(memory=1GB) core:4 pu:1"
	printf 'opType: null\nnodePerThread: 0-511*3\n' >t.args
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	[[ $output == *"thread 1535: CPU 2046, core 2046, node 511, vectors none"* ]]
}

@test "the plan names the machine that it is for" {
	machine "$TWO_NODES"
	given
	planned "machine: HWLOC_SYNTHETIC=$TWO_NODES, 2 nodes, 4 cores, 8 CPUs"
	machine "$RING"
	planned "machine: HWLOC_XMLFILE=$RING, 4 nodes, 8 cores, 8 CPUs"
	machine this
	printf 'opType: null\nnodePerThread: first\n' >t.args
	try "$AFFINITY" --plan t.args
	[[ $output == "machine: this machine, "* ]]
}

@test "a plan touches nothing: memory of any size, no OUT" {
	machine "numa:2(memory=64TiB) core:2 pu:2"
	given "tamPerVector: 60TiB*"
	echo earlier >out.txt
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	# OUT is no argument file
	try "$AFFINITY" --plan t.args out.txt
	[ "$status" -eq 2 ]
	same "out.txt: is not an argument file
  hint: --plan takes argument files only, and no OUT" "$stderr"
	[[ $output == *'==== t.args ===='*'vector 0: '*'==== out.txt ===='* ]]
	[ "$(<out.txt)" = earlier ]
	no_temporary_files
}

@test "measuring on a machine that is only described is refused" {
	given
	for described in "$TWO_NODES" "$RING"; do
		machine "$described"
		refused 3 "affinity: cannot measure on a topology that is not this machine: ${HWLOC_XMLFILE+HWLOC_XMLFILE}${HWLOC_SYNTHETIC+HWLOC_SYNTHETIC}=$described" \
			"  hint: --plan works with it; unset the variable to measure here"
	done
}

@test "a description that cannot be read is refused, not replaced by this machine" {
	given
	machine "frob:3"
	refused 2 "affinity: 'HWLOC_SYNTHETIC=frob:3' does not describe a machine" \
		"  hint: write it like HWLOC_SYNTHETIC='numa:4 core:2 pu:2', or unset it for this machine"
	machine none.xml
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 2 ]
	[[ $stderr == *"HWLOC_XMLFILE=none.xml"* ]]
	echo '<topology>' >bad.xml
	machine bad.xml
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 2 ]
	[[ $stderr == *"HWLOC_XMLFILE=bad.xml"* ]]
}

@test "a description by a newer hwloc is told, with both versions" {
	local linked
	linked=$("$AFFINITY" --topology | sed -n '1s/.*(hwloc \(.*\))$/\1/p')
	sed 's/"hwlocVersion" value="[^"]*"/"hwlocVersion" value="99.1.2"/' "$RING" >m.xml
	machine m.xml
	printf 'opType: null\nnodePerThread: 0\n' >t.args
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	same "affinity: warning: 'HWLOC_XMLFILE=m.xml' was written by hwloc 99.1.2, this is hwloc $linked: what newer versions added may be missing
  hint: build with an hwloc as new" "$stderr"
	sed 's/<topology version="2.0"/<topology version="99.0"/' "$RING" >m.xml
	refused 2 "affinity: hwloc $linked cannot load 'HWLOC_XMLFILE=m.xml', which hwloc 99.0 wrote" \
		"  hint: hwloc 99.0 may write a file for older versions: lstopo-no-graphics --help there names the option"
	sed 's/"hwlocVersion" value="[^"]*"/"hwlocVersion" value="1.11.0"/' "$RING" >m.xml
	planned
}

@test "a core that is part of no node says so, and has no number of one" {
	machine "$BATS_TEST_DIRNAME/../topologies/homeless.xml"
	printf 'opType: null\ncorePerThread: 1 2\n' >t.args
	planned "thread 0: CPU 1, core 1, node 0, vectors none" "thread 1: CPU 2, core 2, no node, vectors none"
	try "$AFFINITY" --topology
	[[ $output == *$'\ncore 2: no node, package 0, CPUs 2' ]]
}

@test "a batch leaves out what a machine of one core lacks, and does not fail" {
	machine "$(grep -v '^#' "$BATS_TEST_DIRNAME/../topologies/one-cpu.synthetic")"
	AFFINITY=$AFFINITY try "$root/scripts/ejec.sh" --dry-run -o . "$root/args/smt"
	[ "$status" -eq 0 ]
	[[ $output == *"skipped $root/args/smt/two_cores_matrix.args: corePerThread: core 1 does not exist"* ]]
}

@test "sets of nodes and vectors for all threads on a machine that has none of them are a lack of the machine" {
	sed 's/local_memory="[0-9]*"/local_memory="0"/' "$RING" >m.xml
	machine m.xml
	# shellcheck disable=SC2016 # a dollar sign of the file
	printf '%s\n' 'sweep: n = nodes' 'opType: null' 'nodePerThread: 0' 'nodePerVector: $n' 'tamPerVector: 4KiB' \
		'vectorPerThread: 0' >t.args
	refused 3 "t.args:1: sweep: 'nodes' finds none: on HWLOC_XMLFILE=m.xml no node's memory may be used" \
		"  hint: affinity --topology shows what may be used"
	given "let: X=first" "nodePerThread: X*" "nodePerVector: 0 far(0)*" "vectorPerThread: own"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 3 ]
	[[ $stderr != *"has no count"* ]]
}

@test "every argument file of the project plans on four nodes as large as the thesis's" {
	machine "numa:4(memory=32GB) l3:1(size=25MiB) core:10 l2:1(size=256KiB) l1:1(size=32KiB) pu:2"
	while read -r file; do
		try "$AFFINITY" --plan "$file"
		# a node has one L3 here; captured.bats has machines with several
		[[ $status -ne 3 || $file != */@(first/4_cache|domains/3_pairs).args ]] || continue
		[ "$status" -eq 0 ]
		# numbers of threads and levels of caches beyond most machines' are there to be left out, and
		# weights for who has measured bandwidths
		run ! grep -v -e 'warning: run .*n=[0-9]*.* skipped: .*more threads than usable' \
			-e 'warning: run .*n=[0-9]*.* skipped: .*only 80 hardware threads that may be used' \
			-e 'warning: run cache=1 .* skipped: .*has no LLC 1' \
			-e 'warning: run size=.*xL4.* skipped: .*the machine shows no L4 cache' \
			-e 'warning: run .*placement=weighted:measured.* skipped: .*no results of them are given' \
			-e '^  hint: ' -e '^$' <<<"$stderr"
	done < <(find "$root/args" -name '*.args')
}

@test "of each run after the first a plan has what differs from the planned run before it" {
	machine "$TWO_NODES"
	# shellcheck disable=SC2016 # a dollar sign of the file
	printf '%s\n' 'sweep: o = read write' 'sweep: n = 1 3 99 2' 'opType: $o' 'nodePerThread: first*$n' 'nodePerVector: 0' \
		'tamPerVector: 4KiB' 'vectorPerThread: all' 'samples: 3' 'warmup: 0' 'placements: 1' >t.args
	try "$AFFINITY" --quiet --plan t.args
	[ "$status" -eq 0 ]
	same "machine: HWLOC_SYNTHETIC=numa:2(memory=8GB) core:2 pu:2, 2 nodes, 4 cores, 8 CPUs
runs: the first in full, of each other what differs from the planned run before it (--plan=full: all)
run 1 of 8: o=read n=1
vector 0: node 0, 4096 char, 4 KiB, pages system, init node
thread 0: CPU 0, core 0, node 0, vectors 0
operation read: thread 0 read
samples: 3 of each operation after 0 warm-up, 1 operation
run 2 of 8: o=read n=3
thread 0: CPU 0, core 0, node 0, vectors 0, shares its core
thread 1: CPU 2, core 1, node 0, vectors 0
thread 2: CPU 1, core 0, node 0, vectors 0, shares its core
operation read: thread 0 read, thread 1 read, thread 2 read
run 3 of 8: o=read n=99: skipped: t.args:4: nodePerThread: more threads than usable hardware threads on node 0
run 4 of 8: o=read n=2
thread 0: CPU 0, core 0, node 0, vectors 0
no thread 2
operation read: thread 0 read, thread 1 read
run 5 of 8: o=write n=1
no thread 1
no operation read
operation write: thread 0 write" "$(sed '/^run 6 of/,$d' <<<"$output")"
	try "$AFFINITY" --quiet --plan=full t.args
	[ "$status" -eq 0 ]
	same "run 4 of 8: o=read n=2
vector 0: node 0, 4096 char, 4 KiB, pages system, init node
thread 0: CPU 0, core 0, node 0, vectors 0
thread 1: CPU 2, core 1, node 0, vectors 0
operation read: thread 0 read, thread 1 read
samples: 3 of each operation after 0 warm-up, 1 operation" "$(sed -n '/^run 4 of/,/^run 5 of/{/^run 5/!p}' <<<"$output")"
}

@test "a plan says the same in short and in full, whatever is new, gone, moved or another" {
	machine "$TWO_NODES"
	cat >t.args <<-'END'
		sweep: a = read write sum
		sweep: b = write read null
		sweep: n = 3 1 99 2
		where: a != b
		kernels: $a $b
		nodePerThread: first*$n
		nodePerVector: slices
		tamPerVector: 64KiB
		vectorPerThread: all
		speedup: $a/$b
	END
	whole_plans t.args
	local line
	for line in 'no thread 1 to 2' 'no vector 1 to 2' 'no operation write' 'no speedup read/write'; do
		grep -qx "$line" short
	done
	grep -q ': skipped: ' short
	[ "$(wc -l <short)" -lt "$(wc -l <full)" ]
	# what has no number
	cat >t.args <<-'END'
		sweep: l = 0=1GiB all 1=2GiB
		sweep: m = compact scatter os
		sweep: w = weighted:3,1 1
		opType: read
		threads: 2
		mapping: $m
		nodePerVector: $w
		tamPerVector: 4KiB
		vectorPerThread: all
		leaveHuge: $l
	END
	whole_plans t.args
	grep -qx 'no node 0' short
}

@test "the plans of all argument files of the project say the same in short and in full" {
	local described
	for described in thesis.xml ring4.xml; do
		machine "$root/tests/topologies/$described"
		whole_plans "$root"/args/*/*.args
		[ "$(grep -c '^run 1 of ' full)" -gt 50 ]
		[ "$(wc -l <short)" -lt $(($(wc -l <full) / 2)) ]
	done
}
