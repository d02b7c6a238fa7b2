#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# What keeps pages from moving, or moves others, on kernels of today: tests/project/traps.txt tells of each.

[ "${AFFINITY_BUILD:-build}" = build ] && frag=./affinity-frag || frag=$AFFINITY_BUILD/affinity-frag
# shellcheck disable=SC2034 # lib.sh uses it
boot_options="--program ${AFFINITY_BUILD:-build}/tools/migrate --program ${AFFINITY_BUILD:-build}/tools/page_nodes --program $frag"
# shellcheck source=tests/numa/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/numa/migrate.sh
. "$(dirname "$0")/migrate.sh"

export AFFINITY_SPM_REUSE_THRESHOLD=0 AFFINITY_SPM_SIZE_TEST=no
echo madvise >/sys/kernel/mm/transparent_hugepage/enabled

title 'the machine is as these tests need it: CPU 2 on node 1, CPU 4 on node 2 without memory, node 3 without CPUs'
same 'nodes with memory' 0-1,3 "$(cat $sys/node/has_memory)"
same 'nodes with CPUs' 0-2 "$(cat $sys/node/has_cpu)"
same 'nodes of CPUs' '2 1 4 2 ' "$(grep -E '^(2|4) ' cpus | tr '\n' ' ')"

# ---- the runtime: page by page

pages_that_stay() {
	title "$1: pages that another process maps, too, stay, and the others move"
	migrate_to '0*100 1*10 0*10 1*80 0*100' 'refused EACCES' 300 share 110 120 call 2 100 200
	same 'pages counted as moved, and as refused' '90 10' "$(counted 9) $(counted 12)"
	title "$1: pages that the kernel holds stay, and move when it lets go of them"
	migrate_to '0*100 1*10 0*10 1*80 0*100' 'refused EBUSY' 300 hold 110 120 call 2 100 200
	same 'pages counted as moved, and as refused' '90 10' "$(counted 9) $(counted 12)"
	migrate_to '0*100 1*100 0*100' 'refused EBUSY done' 300 hold 110 120 call 2 100 200 drop call 2 100 200
	title "$1: pages that were never written, only read, or are not mapped need no move"
	migrate_to '0*100 1*10 -1*10 1*10 -1*10 1*10 -1*10 1*40 0*100' 'done' 300 empty 110 120 empty 130 140 read 130 140 \
		unmap 150 160 call 2 100 200
	same 'pages counted as moved, and as there' '70 30' "$(counted 9) $(counted 10)"
	title "$1: pages without permissions are counted as what became of them"
	migrate 300 protect 110 120 call 2 100 200 permit 110 120 show >moved 2>&1 || wrong "exit status $?: $(cat moved)"
	case "$(sed -n 's/^nodes //p' moved) $(counted 9) $(counted 10) $(counted 12)" in
	'0*100 1*100 0*100 100 0 0') ;;
	# Linux 6.1 does not say where they are
	'0*100 1*100 0*100 90 10 0' | '0*100 1*10 0*10 1*80 0*100 90 10 0') ;;
	*) wrong "$(cat moved)" ;;
	esac
	title "$1: on a node without memory nothing moves, and the program says so"
	migrate_to '0*300' 'refused ENODEV' 300 call 4 100 200
	same 'pages counted as refused' 100 "$(counted 12)"
	title "$1: two threads that move the same pages, again and again, lose none, and each call is accounted for"
	migrate 2000 race 0 2 20 call 2 0 2000 show >moved 2>&1 || wrong "exit status $?: $(cat moved)"
	same 'the last call' 'done' "$(sed -n 1p moved)"
	same 'pages of nodes' '1*2000' "$(sed -n 's/^nodes //p' moved)"
	same 'pages asked, and accounted for' "$((41 * 2000)) $((41 * 2000))" "$(counted 8) $(counted 9 10 11 12)"
}

huge_kib() { echo "awk '/AnonHugePages/ { s += \$2 } END { print s + 0 }' /proc/\$PID/smaps"; }

huge_pages_that_stay() {
	title "$1: a huge page of which the kernel holds a page stays whole where it is"
	migrate_to '0*1024' 'refused EBUSY 4096' 1024h hold 10 11 call 2 0 512 run "$(huge_kib)"
	migrate_to '1*512 0*512' 'refused EBUSY done 4096' 1024h hold 10 11 call 2 0 512 drop call 2 0 512 run "$(huge_kib)"
	title "$1: a huge page of which two threads ask for a half each moves whole each time"
	migrate_to '0*512' 'done done' 512h call 2 0 256 call 0 256 512
	same 'pages counted as moved' 512 "$(counted 9)"
}

too_many_mappings() {
	title 'mbind: where the program may have no more mappings, move_pages moves the pages'
	export AFFINITY_SPM_MOVER=mbind
	# the first call is for what the thread itself maps
	migrate_to '1*10 0*90 1*100 0*100' 'done done' 300 call 2 0 10 crowd call 2 100 200 ease
	same 'policies' 'bind:1 default' "$(sed -n 's/^numa_maps //p' moved | tr ' ' '\n' | grep -v = | tr '\n' ' ' | sed 's/ $//')"
	same 'pages counted as moved' 110 "$(counted 9)"
}

in_a_cpuset() {
	local group=/sys/fs/cgroup
	mount -t cgroup2 none $group
	echo +cpuset >$group/cgroup.subtree_control
	mkdir $group/part
	echo 0-4 >$group/part/cpuset.cpus
	echo 0 >$group/part/cpuset.mems
	echo $$ >$group/part/cgroup.procs
	for mover in mbind move_pages; do
		export AFFINITY_SPM_MOVER=$mover
		title "$mover: to a node outside of the cpuset nothing moves, and the program says so"
		migrate_to '0*300' 'refused EACCES' 300 call 2 100 200
	done
	title 'migrate: a target outside of the cpuset is refused'
	refused 3 'targetPerVector: node 1 may not be used by this process (cpuset)' move.args --set targetPerVector=1
	title 'interleave and minas take no node outside of the cpuset'
	refused 3 'this process may use memory of one only' spread.args
	echo $$ >$group/cgroup.procs
}

# ---- the kernel migrate

move_file 'nodePerThread: 0 1' 'nodePerVector: 0' 'tamPerVector: 4000KiB' 'pagesPerVector: 4K'
printf '%s\n' 'opType: strsearch' 'nodePerThread: 0' 'nodePerVector: 0' 'tamPerVector: 4000KiB' 'vectorPerThread: 0' \
	'pagesPerVector: 4K' 'queries: 2' 'policy: interleave' 'placements: 1' 'numIter: 1' 'warmup: 0' >spread.args

targets() {
	title 'migrate: pages move to a node without CPUs'
	affinity --quiet --set targetPerVector=3 --json json move.args report >messages 2>&1 &
	nodes_of_vector $! 1000 >seen
	wait $! || wrong "exit status $?: $(cat messages)"
	grep -qx 'N3=1000 ' seen || wrong "not on node 3: $(cat seen)"
	same 'pages asked, moved and refused' '1000 1000 0' "$(figure pages_asked) $(figure pages_moved) $(figure pages_refused)"
	title 'migrate: a target without memory, or that does not exist, is refused'
	refused 3 'targetPerVector: node 2 has no memory' move.args --set targetPerVector=2
	refused 3 'targetPerVector: node 7 does not exist' move.args --set targetPerVector=7
}

# Moves 12 huge pages to node 1.
huge_to_node_1() { # [COMMAND that runs affinity...]
	status=0
	rm -f report
	"$@" affinity --quiet --set targetPerVector=1 --set pagesPerVector=thp --set tamPerVector=24MiB --set passes=1 --json json \
		move.args report >messages 2>&1 || status=$?
	if [ $status = 1 ]; then
		# kernels before 6.1 do not make them whole again
		grep -q 'huge' messages || wrong "exit status 1: $(cat messages)"
		return 1
	fi
	same 'exit status' 0 $status
	same 'base pages that are accounted for' 6144 $(($(figure pages_moved) + $(figure pages_refused) + $(figure pages_there)))
	same 'huge pages that are accounted for' 12 $(($(figure huge_kept) + $(figure huge_split)))
	same 'pages that were elsewhere at the end' '"pages_moved_during_run": 0,' "$(grep -o '"pages_moved_during_run": [0-9]*,' json)"
}

huge_pages_without_room() {
	title 'migrate: huge pages that find no free block on the target arrive, and are counted as split where they are small'
	# without compaction, which would make blocks
	echo never >/sys/kernel/mm/transparent_hugepage/defrag
	if huge_to_node_1 affinity-frag --node 1 --leave 0 --; then
		same 'base pages that moved' 6144 "$(figure pages_moved)"
		[ "$(figure huge_split)" = 0 ] || grep -q 'huge_split is ' report || wrong "the report does not say so: $(cat report)"
		[ "$(figure huge_split)" != 0 ] || echo "# this kernel found blocks for all"
	fi
	echo madvise >/sys/kernel/mm/transparent_hugepage/defrag
	title 'migrate: of huge pages a full node takes what it has room for, and the run says so and goes on'
	for _ in $(seq 200); do
		[ "$(awk '/MemFree/ { print $4 }' $sys/node/node1/meminfo)" -gt 14000 ] || break
		taskset -c 2 dd if=/dev/zero bs=512k count=4 2>/dev/null >>/tmp/full
	done
	if huge_to_node_1; then
		[ "$(figure pages_refused)" -gt 0 ] || wrong 'no page refused'
		grep -q 'pages_refused is ' report || wrong "the report does not say so: $(cat report)"
	fi
	rm /tmp/full
}

# ---- what the system moves by itself

khugepaged() {
	local k=/sys/kernel/mm/transparent_hugepage
	title 'khugepaged makes no huge pages of small ones that are dealt out to nodes'
	echo always >$k/enabled
	echo 100 >$k/khugepaged/scan_sleep_millisecs
	echo 100000 >$k/khugepaged/pages_to_scan
	printf '%s\n' 'opType: idle_sleep' 'nodePerThread: 0' 'nodePerVector: weighted:0=3,1=1' 'tamPerVector: 16MiB' 'vectorPerThread: 0' \
		'pagesPerVector: base' 'passes: 6000' 'placements: 1' 'numIter: 1' 'warmup: 0' >dealt.args
	affinity --quiet --json json dealt.args report >messages 2>&1 &
	nodes_of_vector $! 4096 >seen
	wait $! || wrong "exit status $?: $(cat messages)"
	same 'nodes of the vector' 'N0=3072 N1=1024 ' "$(tail -n 1 seen)"
	same 'pages that moved' '"pages_moved_during_run": 0,' "$(grep -o '"pages_moved_during_run": [0-9]*,' json)"
	echo madvise >$k/enabled
}

for mover in mbind move_pages; do
	export AFFINITY_SPM_MOVER=$mover
	pages_that_stay $mover
	huge_pages_that_stay $mover
done
too_many_mappings
targets
huge_pages_without_room
khugepaged
in_a_cpuset
title 'nobody was killed for want of memory'
same 'kernel messages of want of memory' 0 "$(dmesg | grep -ciE 'out of memory|oom-kill')"
finish
