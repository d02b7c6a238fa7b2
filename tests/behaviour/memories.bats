#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Machines with several kinds of memory: their names, where vectors go, memory-side caches. Whole plans: tests/golden/tiers-*,
# memcache-*, gpu-*.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	machine "$root/tests/topologies/tiers.xml"
	base=("opType: read" "nodePerThread: 0" "nodePerVector: 0" "tamPerVector: 1MiB*" "vectorPerThread: all" "placements: 1")
}

# node SELECTOR NODE: a vector there lies on this node.
node() {
	given "nodePerVector: $1"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	same "$2" "$(sed -n 's/^vector 0: node \([^,]*\),.*/\1/p' <<<"$output")"
}

@test "a kind of memory is its first node, or the one nearest to a node" {
	node "kind(HBM)" "2 (HBM)"
	node "kind(HBM,1)" "3 (HBM)"
	node "kind(HBM,far(0))" "3 (HBM)"
	node "kind(NVM)" "4 (NVM)"
	node "kind(CXL)" "5 (CXL)"
	node "preferred:kind(CXL)" "preferred:5 (CXL)"
}

@test "the best node is that for the CPUs of a node, of the first one if none is named" {
	node "best(bandwidth)" "2 (HBM)"
	node "best(bandwidth,1)" "3 (HBM)"
	node "best(latency)" "0 (DRAM)"
	node "best(latency,1)" "1 (DRAM)"
}

# nested OPENING COUNT INNERMOST: OPENING(OPENING(INNERMOST))
nested() {
	printf "$1%.0s" $(seq "$2")
	printf '%s' "$3"
	printf ')%.0s' $(seq "$2")
}

@test "an expression has a hundred characters at most, whatever it is made of" {
	local opening
	node "$(nested 'kind(DRAM,' 9 0)" "0 (DRAM)" # 100
	for opening in 'kind(DRAM,' 'best(latency,' 'near('; do
		given "nodePerVector: $(nested "$opening" 20 0)"
		refused 2 "t.args:3: nodePerVector: '$(nested "$opening" 20 0)' is neither a node's number nor a name of let" \
			"  hint: write a node as 0, first, far(0), near(0), kind(HBM), best(bandwidth), or a name defined by 'let: X=0'; or a policy: local, interleave, interleave:0,1, preferred:0"
	done
}

@test "interleave over a kind takes all its nodes" {
	node "interleave:kind(DRAM)" "interleave:0-1 (DRAM)"
	node "interleave:kind(HBM)" "interleave:2-3 (HBM)"
}

@test "a kind of memory that the machine lacks is refused with those that it has" {
	given "nodePerVector: kind(GPU)"
	refused 3 "t.args:3: nodePerVector: 'kind(GPU)' is not a kind of memory of a node that can hold vectors here" \
		"  hint: kinds of memory here: DRAM, HBM, NVM, CXL"
	machine "$TWO_NODES"
	given "nodePerVector: kind(HBM)"
	refused 3 "t.args:3: nodePerVector: 'kind(HBM)' is not a kind of memory of a node that can hold vectors here" \
		"  hint: hwloc knows no kind of memory of a node that can hold vectors here"
}

@test "a kind whose nodes may not be used is refused with the kinds that may" {
	sed 's/allowed_nodeset="0x0000003f"/allowed_nodeset="0x00000037"/' "$root/tests/topologies/tiers.xml" >m.xml
	machine m.xml
	node "kind(HBM,1)" "2 (HBM)"
	sed -i 's/allowed_nodeset="0x00000037"/allowed_nodeset="0x00000033"/' m.xml
	given "nodePerVector: kind(HBM)"
	refused 3 "t.args:3: nodePerVector: 'kind(HBM)' is not a kind of memory of a node that can hold vectors here" \
		"  hint: kinds of memory here: DRAM, NVM, CXL"
}

@test "a best node without attributes is refused with the way to measure them" {
	machine "$TWO_NODES"
	given "nodePerVector: best(bandwidth)"
	refused 3 "t.args:3: nodePerVector: 'best(bandwidth)' needs the bandwidth of the nodes for CPUs of node 0, which HWLOC_SYNTHETIC=$TWO_NODES does not give" \
		"  hint: affinity --export-memattrs FILE.xml writes what was measured; HWLOC_XMLFILE=FILE.xml HWLOC_THISSYSTEM=1 uses it"
	given "nodePerVector: best(speed)"
	refused 2 "t.args:3: nodePerVector: 'best(speed)' names no attribute of memory" \
		"  hint: best(bandwidth) or best(latency)"
}

@test "nodes without a name are named by their bandwidth, and measured figures are called so" {
	export HWLOC_MEMTIERS=none # a newer hwloc guesses by itself
	sed -E '/<object type="NUMANode"/s/ subtype="[^"]*"//; /MemoryTier|DAX/d' "$root/tests/topologies/tiers.xml" >m.xml
	machine m.xml
	try "$AFFINITY" --topology
	[ "$status" -eq 0 ]
	[[ $output == *"node 2: CPUs none, memory 16 GiB, kind HBM (by its bandwidth)"* ]]
	[[ $output == *"node 4: CPUs none, memory 256 GiB, kind slow (by its bandwidth)"* ]]
	[[ $output == *"node 0: CPUs 0-3, memory 64 GiB"$'\n'* ]]
	node "kind(HBM)" "2 (HBM)"
	sed -i '0,/<info /s//<info name="MemoryAttributesFrom" value="measured"\/>\n    <info /' m.xml
	try "$AFFINITY" --topology
	[[ $output == *"kind HBM (by its measured bandwidth)"* ]]
	[[ $output == *"bandwidths (MiB/s), measured, from"* ]]
}

@test "the memory of a GPU takes a vector only where the file names it" {
	machine "$root/tests/topologies/gpu.xml"
	node interleave interleave:0
	node 8 "8 (GPU)"
	node "kind(GPU)" "8 (GPU)"
	# shellcheck disable=SC2016 # for the driver to expand
	given "sweep: v = nodes" 'nodePerVector: $v'
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	[ "$(grep -c ^run <<<"$output")" -eq 1 ]
}

@test "a memory-side cache is a level of its own, and a vector that it holds is said to measure it" {
	machine "$root/tests/topologies/memcache.xml"
	given "tamPerVector: 2xmemcache"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	[[ $output == *"vector 0: node 0, 206158430208 char, 192 GiB, pages system, init node"* ]]
	given "tamPerVector: 5xmemcache"
	planned "vector 0: node 0, 515396075520 char, 480 GiB, pages system, init node"
	given "tamPerVector: 4xcaches"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	same "affinity: warning: what thread 0 accesses in read exceeds the caches of the CPUs, but a memory-side cache holds a good part of it: the figures are those of that cache
  hint: tamPerVector: 5xmemcache measures the memory behind it" "$stderr"
	given "tamPerVector: 8xmemcache"
	refused 3 "t.args:4: tamPerVector: the vectors of node 0 take 768 GiB, the node has 512 GiB" \
		"  hint: make them smaller, or spread them: nodePerVector: interleave"
	given "tamPerVector: 0.5xL2"
	planned "vector 0: node 0, 524288 char, 512 KiB, pages system, init node"
	# an interleaved vector lies behind both
	given "nodePerVector: interleave" "tamPerVector: 5xmemcache"
	planned "vector 0: node interleave:0-1, 1030792151040 char, 960 GiB, pages system, init owner (thread 0)"
	same "" "$stderr"
	# what measures: memory compares with are the caches of the CPUs
	given "measures: memory" "tamPerVector: 2xcaches"
	try "$AFFINITY" --plan t.args
	[[ $stderr == *"is 2 times its share of the caches above it, less than 4 times"* ]]
	machine "$TWO_NODES"
	given "tamPerVector: 2xmemcache"
	refused 3 "t.args:4: tamPerVector: '2xmemcache', but the machine shows no memory-side cache before node 0" \
		"  hint: affinity --topology shows them; give the size in bytes, such as 200GiB"
}

@test "matrices and the document carry the kind of memory" {
	find_obstacle
	skip_obstacle
	machine this
	local home
	home=$("$AFFINITY" --topology | sed -n 's/^node \([0-9]*\): CPUs [0-9].*/\1/p' | head -1)
	lstopo-no-graphics --of xml m.xml || skip "lstopo-no-graphics is not installed"
	sed -i -E "s/<object type=\"NUMANode\" os_index=\"$home\"/& subtype=\"HBM\"/" m.xml
	machine m.xml
	export HWLOC_THISSYSTEM=1
	# shellcheck disable=SC2016
	given "sweep: v = $home" 'nodePerVector: $v' "nodePerThread: $home" "table: cost rows=v thread=0" \
		"plot: cost rows=v cols=operation" "tamPerVector: 64KiB" "numIter: 2"
	measured
	grep -q "^  $home (HBM) " out.txt
	grep -q "; kind of memory: HBM" out.txt
	holds ".tables[0].rows == [\"$home (HBM)\"] and run.vectors[0].memory == \"HBM\""
}
