#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# Page sizes, with pools on some nodes only: 2 MiB on nodes 1 and 2, 1 GiB on node 1.

# shellcheck source=tests/numa/lib.sh
. "$(dirname "$0")/lib.sh"

all_pages_back() {
	same 'pages in the pools after the run' "$1" "$(cat $sys/node/node*/hugepages/*/free_hugepages | tr '\n' ' ')"
}

topology_agrees
plan_agrees
first_kib=4096 step_kib=2048 # whole pages of 2 MiB
free=$(cat $sys/node/node*/hugepages/*/free_hugepages | tr '\n' ' ')

title '2M: pages of the pool of the node asked'
page=2048
measure two.args '0 2/1 2' '0 1' --set 'nodePerVector=1 2' --set pagesPerVector=2M*
all_pages_back "$free"
title '2M: interleaved over both pools'
measure one.args '0/interleave:1-2' 0 --set nodePerVector=interleave:1,2 --set pagesPerVector=2M
title '2M: a node without a pool is refused, though others have pages'
refused 3 'node 0' one.args --set nodePerVector=0 --set pagesPerVector=2M
title '2M: more than the pool holds is refused before anything is touched'
refused 3 'node 2' one.args --set nodePerVector=2 --set pagesPerVector=2M --set tamPerVector=18MiB
all_pages_back "$free"
title '2M: a pool that another run has taken meanwhile is refused, and nobody is killed'
affinity --quiet --set nodePerVector=2 --set pagesPerVector=2M --set tamPerVector=14MiB --set 'sleep=600s*' --set placements=1 --set numIter=1 \
	one.args taken >/dev/null 2>&1 &
taker=$! times=0
until [ "$(cat $sys/node/node2/hugepages/hugepages-2048kB/free_hugepages)" = 1 ] || [ $times = 3000 ]; do
	times=$((times + 1))
	usleep 10000
done
refused 3 '2 free pages of 2 MiB are needed in the pool of node 2, 1 is there' one.args --set nodePerVector=2 \
	--set pagesPerVector=2M --set tamPerVector=4MiB
kill -KILL $taker
wait $taker 2>/dev/null
all_pages_back "$free"
title '2M: a pool that is emptied is refused, and its pages are there again when it is filled'
pool=$sys/node/node2/hugepages/hugepages-2048kB/nr_hugepages
echo 0 >$pool
refused 3 '1 free page of 2 MiB is needed in the pool of node 2, 0 are there' one.args --set nodePerVector=2 --set pagesPerVector=2M
echo 8 >$pool
measure one.args '0/2' 0 --set nodePerVector=2 --set pagesPerVector=2M
all_pages_back "$free"
move_file 'nodePerThread: 1 0' 'nodePerVector: 1' 'tamPerVector: 8MiB' 'pagesPerVector: 2M'

# Where the pages of the only mapping of four of 2 MiB are, while a program sleeps in its sample.
pool_pages_of() { # PID
	local seen
	while kill -0 "$1" 2>/dev/null; do
		seen=$(awk '/ huge .*dirty=4 / { for (i = 1; i <= NF; i++) if ($i ~ /^N[0-9]/) print $i; exit }' "/proc/$1/numa_maps" 2>/dev/null)
		[ -z "$seen" ] || echo "$seen"
		usleep 200000
	done | uniq
}

for mover in move_pages mbind; do
	title "2M: migrate, mover $mover: pages of a pool move whole into the pool of the target, and are home afterwards"
	affinity --quiet --set mover=$mover --json json move.args report >messages 2>&1 &
	pool_pages_of $! >seen
	wait $! || wrong "exit status $?: $(cat messages)"
	grep -qx N2=4 seen || wrong "not on node 2: $(cat seen)"
	same 'pages asked, moved and refused' '2048 2048 0' "$(figure pages_asked) $(figure pages_moved) $(figure pages_refused)"
	same 'pages that were elsewhere at the end' '"pages_moved_during_run": 0,' "$(grep -o '"pages_moved_during_run": [0-9]*,' json)"
	all_pages_back "$free"
done
title '2M: migrate, mover copy: the copy takes pages of the pool of the target'
affinity --quiet --set mover=copy --set passes=1 --json json move.args report >messages 2>&1 || wrong "exit status $?: $(cat messages)"
same 'pages asked, moved and refused' '2048 2048 0' "$(figure pages_asked) $(figure pages_moved) $(figure pages_refused)"
all_pages_back "$free"
title '2M: a move into a pool that is too small is refused, and the pools stay as they are'
refused 3 'vector 0, which is to move to node 0: 1 free page of 2 MiB is needed in the pool of node 0, 0 are there' \
	move.args --set targetPerVector=0
refused 3 'which is to move to node 2: 1 free page of 1 GiB is needed in the pool of node 2, 0 are there' \
	move.args --set pagesPerVector=1G
all_pages_back "$free"
if grep -q '^hugetlb' /proc/cgroups; then
	group=/sys/fs/cgroup/job
	mount -t cgroup2 none /sys/fs/cgroup
	echo +hugetlb >/sys/fs/cgroup/cgroup.subtree_control
	mkdir $group
	echo $$ >$group/cgroup.procs
	for limit in max rsvd.max; do
		title "2M: a control group's hugetlb.2MB.$limit is a refusal, and nobody is killed"
		echo $((3 * 2 * 1024 * 1024)) >$group/hugetlb.2MB.$limit
		refused 3 "vector 0: 4 pages of 2 MiB are needed, the control group of this process can give 3" one.args \
			--set nodePerVector=2 --set pagesPerVector=2M --set tamPerVector=8MiB
		measure one.args '0/2' 0 --set nodePerVector=2 --set pagesPerVector=2M --set samples=1
		echo max >$group/hugetlb.2MB.$limit
		all_pages_back "$free"
	done
	echo $$ >/sys/fs/cgroup/cgroup.procs
	rmdir $group
	umount /sys/fs/cgroup
fi
title 'nobody was killed for want of a page'
same 'kernel messages of SIGBUS or want of memory' 0 "$(dmesg | grep -ciE 'out of memory|oom-kill|bus error|sigbus')"

title '1G: the page of node 1, whole'
page=1048576 first_kib=1048576
measure one.args '1/1' 0 --set nodePerThread=1 --set nodePerVector=1 --set pagesPerVector=1G --set fraction=0.001
all_pages_back "$free"
title '1G: a node without such a page is refused'
refused 3 'node 2' one.args --set nodePerVector=2 --set pagesPerVector=1G
page=4 first_kib=4096
title 'thp, 4K and 2M side by side'
measure one.args '0/0' 0 --set nodePerVector=0 --set pagesPerVector=4K
thp=1
measure one.args '0/2' 0 --set nodePerVector=2 --set pagesPerVector=thp
quickstart
finish
