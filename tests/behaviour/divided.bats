#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# nodePerVector: replicate and slices: a vector in parts, each on the node of the threads that use it.

bats_require_minimum_version 1.5.0
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

base=(
	"opType: load"
	"nodePerThread: 0*2 1 2"
	"nodePerVector: replicate"
	"vectorPerThread: all"
	"tamPerVector: 4MiB"
	"typePerVector: double*"
)

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
}

# planned [LINE]...: the lines of vectors and threads of t.args, on four nodes of two cores.
planned() {
	machine "node:4 core:2 pu:1"
	given "$@"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	told_parts=$(grep -E '^(vector|thread) ' <<<"$output" | sed 's/, pages system, init node//')
}

# no STATUS MESSAGE [LINE]...: t.args is refused so, before anything is touched.
no() {
	machine "node:4 core:2 pu:1"
	given "${@:3}"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq "$1" ]
	[[ $stderr == *"$2"* ]]
}

@test "a copy for each node with threads, and each thread has that of its node" {
	planned
	same "vector 0: node replicate:0, 524288 double, 4 MiB, copy 1 of 3 of vector 0
vector 1: node replicate:1, 524288 double, 4 MiB, copy 2 of 3 of vector 0
vector 2: node replicate:2, 524288 double, 4 MiB, copy 3 of 3 of vector 0
thread 0: CPU 0, core 0, node 0, vectors 0
thread 1: CPU 1, core 1, node 0, vectors 0
thread 2: CPU 2, core 2, node 1, vectors 1
thread 3: CPU 4, core 4, node 2, vectors 2" "$told_parts"
}

@test "a slice for each thread, all of the vector together" {
	planned "nodePerVector: slices" "tamPerVector: 1001"
	same "vector 0: node slices:0, 250 double, 1.95 KiB, slice 1 of 4 of vector 0
vector 1: node slices:0, 250 double, 1.95 KiB, slice 2 of 4 of vector 0
vector 2: node slices:1, 250 double, 1.95 KiB, slice 3 of 4 of vector 0
vector 3: node slices:2, 251 double, 1.96 KiB, slice 4 of 4 of vector 0
thread 0: CPU 0, core 0, node 0, vectors 0
thread 1: CPU 1, core 1, node 0, vectors 1
thread 2: CPU 2, core 2, node 1, vectors 2
thread 3: CPU 4, core 4, node 2, vectors 3" "$told_parts"
}

@test "vectors beside it keep their numbers and values, and parts have those of their vector" {
	planned "nodePerVector: 3 replicate" "vectorPerThread: 0 2, 1 3" "tamPerVector: 1MiB 2MiB" "typePerVector: char long" \
		"pagesPerVector: 4K thp"
	same "vector 0: node 3, 1048576 char, 1 MiB, pages 4K, init node
vector 1: node replicate:0, 262144 long, 2 MiB, pages thp, init node, copy 1 of 2 of vector 1
vector 2: node replicate:2, 262144 long, 2 MiB, pages thp, init node, copy 2 of 2 of vector 1
thread 0: CPU 0, core 0, node 0, vectors 0
thread 1: CPU 1, core 1, node 0, vectors 1
thread 2: CPU 2, core 2, node 1, vectors 0
thread 3: CPU 4, core 4, node 2, vectors 2" "$told_parts"
}

@test "many vectors, and more parts than there were vectors" {
	machine "numa:2 core:4 pu:1"
	printf '%s\n' "opType: load" "nodePerThread: 0*4 1*4" "nodePerVector: 0 0 0 0 slices" \
		"vectorPerThread: 0, 1, 2, 3, 0-7" "tamPerVector: 1MiB*4 8MiB" >t.args
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	[ "$(grep -c '^vector [0-9]*: .*1 MiB.*, slice [1-8] of 8 of vector 4$' <<<"$output")" -eq 8 ]
	grep -E '^thread 7: .*, vectors 11$' <<<"$output"
}

@test "parts are of one size, whatever their nodes have" {
	local part sizes
	# the second node's memory is half of the first one's
	awk '/local_memory=/ && ++n == 2 { sub(/local_memory="[0-9]*"/, "local_memory=\"9000000000\"") } { print }' \
		"$root/tests/topologies/thesis.xml" >half.xml
	run ! cmp -s half.xml "$root/tests/topologies/thesis.xml"
	for part in replicate slices; do
		printf '%s\n' "opType: load" "nodePerThread: 0 1" "nodePerVector: $part" "vectorPerThread: all" "tamPerVector: 5%" >t.args
		HWLOC_XMLFILE=half.xml HWLOC_THISSYSTEM=0 try "$AFFINITY" --plan t.args
		[ "$status" -eq 0 ]
		sizes=$(sed -n 's/^vector [01]: .*, \([0-9]*\) [a-z]*, .*/\1/p' <<<"$output" | sort -u)
		[ "$(wc -l <<<"$sizes")" -eq 1 ] && [ "$sizes" -gt 1000 ]
	done
}

@test "threads of gemv have their rows in the copy of their node, and slices are rows" {
	local placement
	for placement in replicate slices; do
		planned "opType: gemv" "nodePerVector: $placement" "tamPerVector: 64KiB" "typePerVector: char"
		try "$AFFINITY" --plan --set columns=16384 t.args
		case $placement in
		replicate) [ "$status" -ne 0 ] && [[ $stderr == *"a vector has 2 rows of 32768 bytes for 4 threads"* ]] ;;
		slices) [ "$status" -ne 0 ] && [[ $stderr == *"a vector has 0 rows of 32768 bytes for 1 thread"* ]] ;;
		esac
	done
}

@test "of a copy gemv reads the rows of its threads: what caches would have to hold" {
	machine "numa:2 l3:1(size=1MiB) core:2 pu:1"
	given "opType: gemv" "nodePerThread: 0*2 1*2" "typePerVector: char" "measures: memory"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	# 1 MiB, a quarter, for each thread, with half of the cache
	[[ $stderr == *"what thread 0 accesses in gemv is 2 times its share of the caches above it"* ]]
	try "$AFFINITY" --plan --set kernels=load t.args
	[[ $stderr != *"load is 2 times"* ]]
}

@test "copies are counted n times on their nodes" {
	no 3 "the vectors of node 1 take" "nodePerVector: 1 replicate" "vectorPerThread: 0, all" "tamPerVector: 60% 60%" \
		"typePerVector: double*"
	[[ $stderr == *"hint: make them smaller, such as fewer layers of a model, or spread them instead of copies: nodePerVector: interleave"* ]]
}

@test "what cannot be divided is refused" {
	no 2 "store stores, and its vector 0 has copies" "opType: store"
	no 2 "barrier works in common with other threads, and its vector 0 has slices" "opType: barrier" "nodePerVector: slices"
	no 2 "'replicated' is neither a node's number" "nodePerVector: replicated"
	printf '%s\n' "opType: load" "threads: 2" "mapping: os" "nodePerVector: replicate" "vectorPerThread: 0 1" "tamPerVector: 4MiB" >t.args
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 2 ]
	[[ $stderr == *"t.args:4: vector 0: replicate is by the nodes of its threads, and thread 0 is not on a node of its own"* ]]
}

@test "on one node there is one copy, which is said, and JSON, schema and text have the parts" {
	skip_obstacle
	command -v jq >/dev/null || skip "jq is not installed (make setup installs it)"
	given "nodePerThread: first*2" "tamPerVector: 64KiB" "numIter: 2"
	try "$AFFINITY" --quiet --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	grep -q '^ - Vector 0 .*; the only copy: all its threads are next to this node$' out.txt
	jq -e '.runs[0].vectors | length == 1 and .[0].part == {of_vector: 0, by: "replicate", number: 0, parts: 1}' out.json
	given "nodePerThread: first*2" "tamPerVector: 64KiB" "numIter: 2" "nodePerVector: slices" "opType: store"
	try "$AFFINITY" --quiet --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	grep -q '^ - Vector 1 .*; slice 2 of 2 of vector 0$' out.txt
	jq -e '.runs[0].vectors | length == 2 and .[1].part.number == 1 and .[1].bytes == 32768' out.json
	# the page looks at the node of each part
	mkdir -p results/here && cp out.json results/here/own.json
	"$root/scripts/report" results/here
	grep -F 'placed as asked 2 of 2 vectors' results/here/report.html
	jq '.runs[0].vectors[1].asked_node = "slices:999"' out.json >results/here/own.json
	"$root/scripts/report" results/here
	grep -F 'placed as asked 1 of 2 vectors' results/here/report.html
}
