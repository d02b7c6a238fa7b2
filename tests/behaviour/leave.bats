#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck disable=SC2030,SC2031 # each test is a process
# leaveHuge: nodes are fragmented while they are measured. What the kernel has free is replaced here, so that there is
# nothing to break; tests/numa/fragment.t breaks real nodes.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

setup() {
	small_run
	fragmenter_setup
	buddyinfo=$'Node 0, zone Normal 9 0 0 0 0 0 0 0 0 4 28\n'
	one_node
}

# One node with 120 MiB free in large blocks.
one_node() {
	says /sys/devices/system/node/has_memory $'0\n'
	says /proc/buddyinfo "$buddyinfo"
	says /proc/zoneinfo "Node 0, zone   Normal
  pages free     1000000
        min      10
        low      12
        high     14
        protection: (0, 0, 0, 0)
"
	leave=first=120MiB
}

measured() {
	under files "$@" "$AFFINITY" --json out.json --set leaveHuge="$leave" t.args out.txt
}

@test "a line a node in the plan: a size for the nodes of the threads, or for one that is named" {
	machine "$TWO_NODES"
	given "leaveHuge: 4G"
	planned "node 0: free memory is broken, 4 GiB left in blocks of a huge page" \
		"node 1: free memory is broken, 4 GiB left in blocks of a huge page"
	given "leaveHuge: 0=512MiB far(0)=0"
	planned "node 0: free memory is broken, 512 MiB left in blocks of a huge page" \
		"node 1: free memory is broken, 0 B left in blocks of a huge page"
	given "nodePerThread: 1*2" "leaveHuge: 1GiB"
	planned "node 1: free memory is broken, 1 GiB left in blocks of a huge page"
}

@test "a multiple of the vectors is that of those which the threads of the node use; all leaves the node as it is" {
	machine "$TWO_NODES"
	given "nodePerThread: 0 1 1" "nodePerVector: 0 1 1" "tamPerVector: 8MiB 16MiB 4MiB" "vectorPerThread: 0, 1, 1 2" \
		"leaveHuge: 0.5xvectors"
	planned "node 0: free memory is broken, 4 MiB left in blocks of a huge page" \
		"node 1: free memory is broken, 10 MiB left in blocks of a huge page"
	sed -i 's/^leaveHuge.*/leaveHuge: 1=1.1xvectors/' t.args
	planned "node 1: free memory is broken, 22 MiB left in blocks of a huge page"
	sed -i 's/^leaveHuge.*/leaveHuge: all/' t.args
	"$AFFINITY" --plan t.args >plan
	same 0 "$(grep -c 'memory is broken' plan)"
	given "nodePerThread: 0" "nodePerVector: 1" "vectorPerThread: 0" "leaveHuge: 1=0.5xvectors"
	refused 2 "t.args:6: leaveHuge: no thread of node 1 uses a vector, and a multiple of these is to be left" \
		"  hint: give the size for this node, such as 1=4G"
	printf '%s\n' 'opType: read' 'nodePerThread: 0' 'nodePerVector: 0' 'vectorPerThread: 0' 'tamPerVector: 8xcaches' \
		'leaveHuge: 0.5xvectors' >t.args
	refused 3 "t.args:5: tamPerVector: '8xcaches', but the machine shows no caches" \
		"  hint: give the size in bytes, such as 200MiB, or the caches: caches: 32K 1M 32M"
	same 0 "$(grep -c leaveHuge <<< "$stderr")"
}

@test "sizes, nodes and orders that do not go with leaveHuge are refused" {
	machine "$TWO_NODES"
	given "leaveHuge: 4"
	refused 2 "t.args:6: leaveHuge: '4' is not a size" \
		"  hint: 0, or a number and a unit, such as 512MiB; 0.5xvectors for half of the vectors; 1=4G for node 1 only; all, alone, breaks nothing"
	given "leaveHuge: 4G 1=2G"
	refused 2 "t.args:6: leaveHuge: names node 1 twice" "  hint: a size alone is for the nodes of all threads"
	given "leaveHuge: 2=2G"
	refused 3 "t.args:6: leaveHuge: node 2 does not exist" "  hint: nodes that can hold vectors here: 0-1"
	given "leaveHuge: 2G" "interleave: yes"
	refused 2 "t.args:6: leaveHuge: with interleave: yes the vectors of all runs are in memory at the same time" \
		"  hint: leave interleave out: each run then has the nodes so"
	given "leaveHuge: 2G"
	sed -i 's/^nodePerThread.*/threads: 2\nmapping: os/' t.args
	refused 2 "t.args:7: leaveHuge: a size alone is for the nodes of the threads, and thread 0 is not on a node of its own" \
		"  hint: name the node: leaveHuge: 0=4G"
}

@test "huge pages that cannot all be on the node are refused before the node is broken" {
	machine "$TWO_NODES"
	given "nodePerThread: 0" "nodePerVector: local_2m" "tamPerVector: 64MiB" "vectorPerThread: 0" "leaveHuge: 32MiB"
	refused 3 "t.args:6: leaveHuge: 32 MiB are left on node 0, and the vectors there need 64 MiB in huge pages" \
		"  hint: leave more; nodePerVector: local_frag takes small pages where no block is left, rhp_frag blocks of other nodes"
	given "nodePerThread: 0" "nodePerVector: local_2m_4k" "tamPerVector: 96MiB" "vectorPerThread: 0" "leaveHuge: 0"
	refused 3 "t.args:6: leaveHuge: 0 B are left on node 0, and the vectors there need 48 MiB in huge pages" \
		"  hint: leave more; nodePerVector: local_frag takes small pages where no block is left, rhp_frag blocks of other nodes"
	# what is left may be more than was asked for
	sed -i 's/^leaveHuge.*/leaveHuge: 40MiB/' t.args
	planned "node 0: free memory is broken, 40 MiB left in blocks of a huge page"
	sed -i 's/^leaveHuge.*/leaveHuge: 0\nverify: warn/' t.args
	planned "node 0: free memory is broken, 0 B left in blocks of a huge page"
	for placement in local_4k local_frag rhp_frag remote_2m; do
		given "nodePerThread: 0" "nodePerVector: $placement" "tamPerVector: 64MiB" "vectorPerThread: 0" "leaveHuge: 0"
		planned "node 0: free memory is broken, 0 B left in blocks of a huge page"
	done
}

@test "what was left is in the report and in the JSON, by placement" {
	sed -i 's/^placements.*/placements: 2/' t.args
	measured
	[ "$status" -eq 0 ]
	grep -qx ' - Node 0     asked: 120 MiB in blocks of a huge page; 120 MiB were left (0 blocks broken), of 122916 KiB free; '\
'at most 120 MiB meanwhile; placement 2: 120 MiB were left (0 blocks broken), of 122916 KiB free; at most 120 MiB meanwhile' out.txt
	same '[{"node":0,"asked_bytes":125829120,"left":[{"huge_bytes":125829120,"free_bytes":125865984,"blocks_broken":0,'\
'"most_huge_bytes":125829120},{"huge_bytes":125829120,"free_bytes":125865984,"blocks_broken":0,"most_huge_bytes":125829120}]}]' \
		"$(jq -c '.runs[0].left_huge' out.json)"
	[ ! -e "/dev/shm/affinity-frag-$(id -u)-node0" ]
	same "" "$("$root/tests/fuzz/judge" out.json)"
	jq '.runs[0].left_huge[0].left[0] |= (.huge_bytes = 200e6 | .blocks_broken = -1)' out.json >wrong.json
	run "$root/tests/fuzz/judge" wrong.json
	[ "$status" -eq 1 ]
	same 4 "$(grep -c 'left on node 0: ' <<< "$output")"
	/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || skip "the system's Python has no jsonschema (make setup installs it)"
	/usr/bin/python3 -m jsonschema -i out.json "$root/results/schema-3.json"
}

@test "without leaveHuge there is nothing of it" {
	"$AFFINITY" --quiet --json out.json t.args out.txt
	[[ $(<out.txt) != *Fragmented* ]]
	jq -e '.runs[0] | has("left_huge") | not' out.json
}

@test "blocks that come back while it is measured are a warning" {
	says /proc/buddyinfo.later "${buddyinfo/28/48}"
	given "mode: time:2.5s" "opType: null" "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" "numIter: 1" "warmup: 0"
	measured FILES_LATER=/proc/buddyinfo FILES_AFTER=6
	warned "node 0 has 200 MiB free in large blocks now, 120 MiB were left"
	grep -q 'at most 200 MiB meanwhile' out.txt
}

@test "a node that cannot be left so ends with status 3 and affinity-frag's reason" {
	leave=first=1GiB
	measured
	failed_with 3 "--set: leaveHuge: node 0 has 120 MiB free in large blocks, less than the 1 GiB to be left
  hint: affinity-frag --undo --node 0 may drive blocks together"
	says /proc/buddyinfo ''
	measured
	failed_with 3 "--set: leaveHuge: cannot read /proc/buddyinfo: No such file or directory"
}

@test "a sweep skips the runs whose nodes cannot be left so" {
	sed -i '1i sweep: a = 120 121 1024' t.args
	# shellcheck disable=SC2016 # affinity's
	leave='first=${a}MiB'
	measured
	[ "$status" -eq 0 ]
	[[ $stderr == *"warning: run a=1024 is skipped: "*"leaveHuge: node 0 has 120 MiB free in large blocks, less than the 1 GiB"* ]]
}

@test "affinity-frag must be beside affinity, and hold the node to the end" {
	mkdir alone
	cp "$AFFINITY" alone/affinity
	AFFINITY=$PWD/alone/affinity measured
	failed_with 3 "--set: leaveHuge: the program affinity-frag is not beside affinity
  hint: make builds it, make install puts it into PREFIX/bin"
	printf '#!/bin/sh\nexit 5\n' >alone/affinity-frag
	chmod +x alone/affinity-frag
	AFFINITY=$PWD/alone/affinity measured
	failed_with 3 "--set: leaveHuge: affinity-frag of node 0 ended, and no message says why"
	printf '#!/none\n' >alone/affinity-frag
	AFFINITY=$PWD/alone/affinity measured
	failed_with 3 "--set: leaveHuge: cannot execute '$PWD/alone/affinity-frag': No such file or directory"
	# shellcheck disable=SC2016 # of the script
	printf '#!/bin/sh\necho "left 1 free 2 broken 3" >&$6\n' >alone/affinity-frag
	AFFINITY=$PWD/alone/affinity measured
	failed_with 3 "--set: leaveHuge: affinity-frag of node 0 ended before the run did: the node was not so to the end
  hint: the kernel kills it first when memory runs out: dmesg; smaller vectors need less"
}

@test "after SIGKILL affinity-frag gives the node back and ends" {
	given "mode: time:20s" "opType: null" "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0"
	env LD_PRELOAD="$shims/files.so" "$AFFINITY" --quiet --set leaveHuge="$leave" t.args out.txt 3>&- &
	local driver=$! frag='' times=0
	while [[ -z $frag && times -lt 2400 ]]; do
		frag=$(pgrep -P "$driver" -f affinity-frag) || sleep 0.05
		times=$((times + 1))
	done
	[ -n "$frag" ]
	kill -KILL "$driver"
	while [ -d "/proc/$frag" ] && [ $times -lt 4800 ]; do
		sleep 0.05
		times=$((times + 1))
	done
	[ ! -d "/proc/$frag" ]
}

@test "local_frag without knowledge of free blocks, or without policies, is refused" {
	given "opType: null" "nodePerThread: first" "nodePerVector: local_frag" "tamPerVector: 4MiB" "vectorPerThread: 0"
	says /proc/buddyinfo ''
	under files "$AFFINITY" --json out.json t.args out.txt
	[ "$status" -eq 3 ]
	grep -qx "t.args:[0-9]*: vector 0: local_frag: cannot read /proc/buddyinfo: No such file or directory" <<<"$stderr"
	grep -qx "  hint: local_2m and local_4k need no knowledge of free blocks" <<<"$stderr"
	[ ! -e out.txt ]
	[ ! -e out.json ]
	says /proc/buddyinfo "$buddyinfo"
	under files "$tools/refuse" mbind=EPERM -- "$AFFINITY" t.args out.txt
	[ "$status" -ne 77 ] || skip "no seccomp filters here"
	[ "$status" -eq 3 ]
	grep -qx "t.args:[0-9]*: vector 0: local_frag: the kernel refuses memory policies: Operation not permitted" <<<"$stderr"
	[ ! -e out.txt ]
}

@test "a descriptor that is not open is refused" {
	try "$AFFINITY-frag" --leave 0 --amounts 77 -- true
	[ "$status" -eq 2 ]
	[[ $stderr == "affinity-frag: --amounts: '77' is not an open file descriptor"* ]]
}
