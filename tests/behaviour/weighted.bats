#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Vectors whose pages are dealt out to nodes by weights: what is refused, and where pages are, on nodes that a shim makes
# up: CPU n is on node n there.

# shellcheck disable=SC2030,SC2031 # each test is a process of its own
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

base=(
	"opType: read"
	"nodePerThread: 0"
	"nodePerVector: weighted:0=3,1=1"
	"tamPerVector: 256KiB"
	"vectorPerThread: 0"
	"pagesPerVector: 4K"
	"numIter: 2"
	"placements: 2"
)

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	[[ $BATS_TEST_DESCRIPTION == *@(refused|planned)* ]] || skip_obstacle
}

# dealt [KEY=VALUE]...: on the shim's two nodes.
dealt() {
	two_nodes 4000 4000
	under files,nodes "$@" "$AFFINITY" --quiet --json out.json t.args out.txt
}

@test "weights and their nodes are planned" {
	machine "$TWO_NODES"
	given
	planned "vector 0: node weighted:0=3,1=1, 262144 char, 256 KiB, pages 4K, init owner (thread 0)"
	given "nodePerVector: weighted:far(0)=2,0=255"
	planned "vector 0: node weighted:0=255,1=2, 262144 char, 256 KiB, pages 4K, init owner (thread 0)"
	given "let: X=1" "nodePerVector: weighted:X=5"
	planned "vector 0: node weighted:1=5, 262144 char, 256 KiB, pages 4K, init owner (thread 0)"
}

@test "weights without nodes are planned for all nodes in ascending order, and refused if they are too few or too many" {
	local four="nodes that can hold vectors here, which are 4: 0-3"
	machine "$TWO_NODES"
	given "nodePerVector: weighted:3,1"
	planned "vector 0: node weighted:0=3,1=1, 262144 char, 256 KiB, pages 4K, init owner (thread 0)"
	given "nodePerVector: weighted:3,1,2"
	refused 3 "t.args:3: nodePerVector: 'weighted:3,1,2' has 3 weights for the nodes that can hold vectors here, which are 2: 0-1" \
		"  hint: weighted:0=3,1=1 names the nodes; a node that is not named gets no page"
	machine "$root/tests/topologies/thesis.xml"
	given "nodePerVector: weighted:1,255,3,4"
	planned "vector 0: node weighted:0=1,1=255,2=3,3=4, 262144 char, 256 KiB, pages 4K, init owner (thread 0)"
	given "nodePerVector: weighted:3,1"
	refused 3 "t.args:3: nodePerVector: 'weighted:3,1' has 2 weights for the $four" \
		"  hint: weighted:0=3,1=1 names the nodes; a node that is not named gets no page"
	given "nodePerVector: weighted:3"
	refused 3 "t.args:3: nodePerVector: 'weighted:3' has 1 weight for the $four" \
		"  hint: weighted:0=3 names the nodes; a node that is not named gets no page"
}

@test "what is no weight, a node twice, an unknown one and pages that do not move are refused" {
	local word hint
	hint="  hint: weighted:0=3,1=1 gives node 0 three pages for each page of node 1; weighted:3,1 has a weight for each node of a machine of two"
	machine "$TWO_NODES"
	for word in 3,0 256,1 -1,1 3,x 0=3,1 3,1=1 0=0,1=1 0=256 =3 0=1.5; do
		given "nodePerVector: weighted:$word"
		try "$AFFINITY" --plan t.args
		[ "$status" -eq 2 ]
		[[ $stderr =~ ^"t.args:3: nodePerVector: '"[^\']*"' is not a node with a weight from 1 to 255" ]]
		[ "${stderr#*$'\n'}" = "$hint" ]
	done
	given "nodePerVector: weighted:"
	refused 2 "t.args:3: nodePerVector: '' is not a node with a weight from 1 to 255" \
		"$hint"
	given "nodePerVector: weighted:0=3,far(1)=1"
	refused 2 "t.args:3: nodePerVector: weighted: names node 0 twice" "  hint: add its weights up: each node has one"
	given "nodePerVector: weighted:0=3,7=1"
	refused 3 "t.args:3: nodePerVector: node 7 does not exist" "  hint: nodes that can hold vectors here: 0-1"
	given "pagesPerVector: 2M" "tamPerVector: 4MiB"
	refused 2 "t.args:3: vector 0: pages of pagesPerVector: 2M cannot be dealt out by weights" \
		"  hint: weighted goes with pagesPerVector: system, base or thp"
}

# measured_matrix [CHANGE]: bw.json, the bandwidths of the machine of the thesis, as jq's CHANGE leaves them.
measured_matrix() {
	command -v jq >/dev/null || skip "jq is not installed (make setup installs it)"
	machine "$root/tests/topologies/thesis.xml"
	jq -n -f "$root/tests/behaviour/memattrs.jq" | jq "${1:-.}" >bw.json
}

# weighs LINE...: what the plan says of vector 0 with bw.json.
weighs() {
	try "$AFFINITY" --plan --bandwidths bw.json t.args
	[ "$status" -eq 0 ]
	same "$(printf '%s\n' "$@")" "$(sed -n 's/^vector 0: node \([^,]*\(,[0-9]*=[0-9]*\)*\), .*/\1/p
		s/^vector 0: weights by //p' <<<"$output")"
}

@test "measured weights are planned by the bandwidths that the threads of the vector have of each node" {
	measured_matrix
	given "nodePerVector: weighted:measured"
	weighs "weighted:0=5,1=1,2=1,3=1" \
		"bw.json: 61.3 GB/s from node 0, 12.7 GB/s from node 1, 12 GB/s from node 2, 12.4 GB/s from node 3, read by CPUs of node 0"
	# the slower one of two nodes counts, and only that of a thread which uses the vector
	given "nodePerVector: weighted:measured" "nodePerThread: 0 2" "vectorPerThread: 0 1"
	weighs "weighted:0=1,1=1,2=1,3=1" \
		"bw.json: 12 GB/s from node 0, 12.4 GB/s from node 1, 12 GB/s from node 2, 12.4 GB/s from node 3, read by CPUs of node 0,2"
	given "nodePerVector: weighted:measured local" "nodePerThread: 0 2" "vectorPerThread: 1, 0" "tamPerVector: 256KiB*" \
		"pagesPerVector: 4K*"
	weighs "weighted:0=1,1=1,2=5,3=1" \
		"bw.json: 12 GB/s from node 0, 12.4 GB/s from node 1, 61.3 GB/s from node 2, 12.7 GB/s from node 3, read by CPUs of node 2"
	# threads that are not bound may run on every node
	given "nodePerVector: weighted:measured" "nodePerThread: 0" "vectorPerThread: all"
	sed -i 's/^nodePerThread: 0/threads: 2\nmapping: os/' t.args
	weighs "weighted:0=1,1=1,2=1,3=1" \
		"bw.json: 12 GB/s from node 0, 12 GB/s from node 1, 12 GB/s from node 2, 12 GB/s from node 3, read by CPUs of node 0-3"
}

@test "the second line of a vector stands in short plans where the vector differs" {
	measured_matrix
	whole_plans --bandwidths bw.json "$root/args/tiers/4_weighted.args"
	grep -q '^vector 0: weights by bw.json' short
}

@test "measured weights are planned from the bandwidths of reads only" {
	measured_matrix '.runs |= map(if .values == {t: "0", v: "1"} then .operations |= (map(
		if .operation == "load" then .together.bytes_per_s.value = 30.6e9
		elif .operation == "store" then .together.bytes_per_s.value = 61e9 else . end)) else . end)'
	given "nodePerVector: weighted:measured"
	weighs "weighted:0=10,1=5,2=2,3=2" \
		"bw.json: 61.3 GB/s from node 0, 30.6 GB/s from node 1, 12 GB/s from node 2, 12.4 GB/s from node 3, read by CPUs of node 0"
}

@test "measured weights without bandwidths, or with a part of them, are refused" {
	machine "$TWO_NODES"
	given "nodePerVector: weighted:measured"
	refused 3 "t.args:3: nodePerVector: weighted:measured needs the bandwidths between nodes, and no results of them are given" \
		"  hint: affinity --json bandwidth.json args/matrix/bandwidth.args OUT measures them, --bandwidths bandwidth.json gives them"
	try "$AFFINITY" --list --bandwidths bw.json
	[ "$status" -eq 2 ]
	same "affinity: --bandwidths has no effect with --list" "${stderr%%$'\n'*}"
	measured_matrix '.runs |= map(select(.operations[0].operation == "chase"))'
	try "$AFFINITY" --plan --bandwidths bw.json t.args
	[ "$status" -eq 2 ]
	same "bw.json: has no read bandwidth between nodes
  hint: args/matrix/bandwidth.args measures it" "$(tail -n 2 <<<"$stderr")"
	measured_matrix '.runs |= map(select(.values != {t: "3", v: "0"}))'
	try "$AFFINITY" --plan --bandwidths bw.json t.args
	[ "$status" -eq 2 ]
	[[ $stderr == *"read bandwidth (load) is missing for 1 of 16 pairs of nodes, such as CPUs of node 3 and memory of node 0"* ]]
}

@test "measured weights place pages, and the results say what they are by" {
	need_move_pages
	measured_matrix
	machine this
	shims_setup
	given
	dealt
	jq --slurpfile here out.json '.environment = $here[0].environment
		| .runs |= map(select(.values | .t < "2" and .v < "2"))' bw.json >here.json
	given "nodePerVector: weighted:measured" "pagesPerVector: 4K"
	two_nodes 4000 4000
	under files,nodes "$AFFINITY" --quiet --bandwidths here.json --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	holds '.runs[0].vectors[0] | .asked_node == "weighted:0=5,1=1" and .found.pages_on_node == {"0": 54, "1": 10}'
	holds '.runs[0].vectors[0].weights_by == "here.json: 61.3 GB/s from node 0, 12.7 GB/s from node 1, read by CPUs of node 0"'
	grep -q '; weights by here.json: 61.3 GB/s from node 0, 12.7 GB/s from node 1, read by CPUs of node 0$' out.txt
}

@test "three of four pages are on the first node, in each placement" {
	need_move_pages
	shims_setup
	given
	dealt
	[ "$status" -eq 0 ]
	holds '.runs[0].vectors[0] | .asked_node == "weighted:0=3,1=1" and .found.pages_on_node == {"0": 48, "1": 16}'
	holds '.runs[0].vectors[0].found_again | length == 1 and all(.pages_on_node == {"0": 48, "1": 16})'
	given "nodePerVector: weighted:0=2,1=5"
	dealt
	# nine turns of seven pages, and one page
	holds '.runs[0].vectors[0].found.pages_on_node == {"0": 19, "1": 45}'
}

@test "where the node is full or pages may not be moved, the run ends with the reason" {
	need_move_pages
	shims_setup
	# of four pages one is on node 0, so that some must move to node 1, wherever the first one was
	given "nodePerVector: weighted:0=1,1=3"
	dealt NODES_ROOM=3
	[ "$status" -eq 3 ]
	[[ $stderr == *"vector 0, asked for node weighted:0=1,1=3: pages are not distributed by the weights (node 0: "* ]]
	[ -e /proc/self/numa_maps ] || skip "this kernel has no /proc/self/numa_maps"
	dealt NODES_REFUSES=move_pages
	[ "$status" -eq 3 ]
	[[ $stderr == *"vector 0, asked for node weighted:0=1,1=3: the kernel does not let its pages be moved (move_pages: Operation not permitted)"* ]]
	[ ! -e out.txt ]
}

@test "one node takes all pages" {
	need_move_pages
	given "nodePerThread: first" "nodePerVector: weighted:first=3"
	measured
	holds '.runs[0].vectors[0].found.pages_on_node | to_entries | length == 1 and .[0].value == 64'
}
