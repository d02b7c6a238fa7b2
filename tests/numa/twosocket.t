#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# Two sockets: the machine that most people have; far and near are the only other node. And what others do to a run
# while it is measured: nothing of that may end as a figure.

[ "${AFFINITY_BUILD:-build}" = build ] && map=./affinity-map || map=$AFFINITY_BUILD/affinity-map
# shellcheck disable=SC2034 # for lib.sh
boot_options="--program ${AFFINITY_BUILD:-build}/tools/mover --program ${AFFINITY_BUILD:-build}/tools/refuse --program ${AFFINITY_BUILD:-build}/tools/carrier
	--program ${AFFINITY_BUILD:-build}/tools/table_pages --program $map"

# shellcheck source=tests/numa/lib.sh
. "$(dirname "$0")/lib.sh"

# ---- what others do

group=/sys/fs/cgroup/job

# A thread with a vector on each node, ten samples, in a control group of their own.
grouped() { # OPTION...
	rm -f report json
	exec sh -c "echo \$\$ >$group/cgroup.procs"' && exec "$@"' - affinity --json json --set 'nodePerThread=0 1' \
		--set 'nodePerVector=0 1' --set 'tamPerVector=1MiB*' --set placements=1 --set numIter=10 --set warmup=0 --set opType=read \
		"$@" two.args report >messages 2>&1
}

# And TROUBLE, once they wait in a sample; meanwhile they stand still, so that it does not matter how long it takes.
disturbed() { # TROUBLE OPTION...
	local name=$1 pid
	shift
	grouped --set 'sleep=100*' "$@" &
	pid=$!
	until_asleep $pid
	kill -STOP $pid
	trouble "$name" $pid
	kill -CONT $pid
	status=0
	wait $pid || status=$?
}

alone() { # OPTION...
	status=0
	(grouped "$@") || status=$?
}

# ended EXIT-STATUS WORDS: with these words among its messages, and without a report if it failed.
ended() {
	same 'exit status' "$1" "$status"
	grep -qF -- "$2" messages || wrong "no '$2' in: $(cat messages)"
	[ "$1" = 0 ] || [ ! -e report ] || wrong 'there is a report'
}

make_group() {
	mount -t cgroup2 none /sys/fs/cgroup
	echo '+cpuset +memory' >/sys/fs/cgroup/cgroup.subtree_control
	mkdir $group
	echo 0-7 >$group/cpuset.cpus
	echo 0-1 >$group/cpuset.mems
}

trouble() { # NAME PID
	case $1 in
	none) ;;
	lose_cpus) echo 0-3 >$group/cpuset.cpus ;;
	lose_node) echo 0 >$group/cpuset.mems ;;
	lose_node_shortly) echo 0 >$group/cpuset.mems && echo 0-1 >$group/cpuset.mems ;;
	lose_cpu_4) echo 0 >$sys/cpu/cpu4/online ;;
	move_once) mover "$2" 0 1 ;;
	move_all_along) mover "$2" 0 & ;;
	carry_away_and_back) carrier "$2" 0 1 ;;
	esac
}

cpusets() {
	title 'CPUs that the cpuset hides from the start are left out, and refused where they are asked for'
	echo 2-5 >$group/cpuset.cpus
	echo $$ >$group/cgroup.procs
	measure two.args 'cpu:2 cpu:3/0 1' '0 1' --set 'nodePerThread=0 0' --set 'nodePerVector=0 1'
	refused 3 'cpuPerThread: CPU 0 ' unplaced.args --set 'cpuPerThread=0 4' --set 'nodePerVector=0 1'
	echo $$ >/sys/fs/cgroup/cgroup.procs
	echo 0-7 >$group/cpuset.cpus
	title 'a run that is not disturbed is measured'
	disturbed none
	ended 0 ''
	title 'the CPUs of a node leave the cpuset during the run: told, and nothing is written'
	disturbed lose_cpus
	echo 0-7 >$group/cpuset.cpus
	ended 3 'cannot be bound to CPU'
	title 'a node leaves the cpuset during the run and its pages move: found at the end'
	disturbed lose_node
	echo 0-1 >$group/cpuset.mems
	ended 3 'vector 1, asked for node 1: 256 of 256 pages moved during the run'
	title 'a node that left the cpuset and came back: its pages did not'
	disturbed lose_node_shortly --set verify=warn
	ended 0 'vector 1, asked for node 1: 256 of 256 pages moved during the run'
	same 'pages that moved, in the JSON' '0 256 ' "$(sed -n 's/.*"pages_moved_during_run": \([0-9]*\).*/\1/p' json | tr '\n' ' ')"
}

# By the kernel's own list, while the process stands still.
shown() {
	local pid
	title 'affinity-map --show: threads on one node, their memory on the other'
	echo 0-3 >$group/cpuset.cpus
	grouped --set 'sleep=100*' --set 'nodePerThread=0 0' --set 'nodePerVector=1 1' --set 'tamPerVector=8MiB*' &
	pid=$!
	until_asleep $pid
	kill -STOP $pid
	affinity-map --show $pid --out shown >messages 2>&1 || wrong "exit status $?: $(cat messages)"
	same 'anonymous memory of node 1 and in all, MiB' "$(awk '!/ file=/ && !/ huge / {
			match($0, /kernelpagesize_kB=[0-9]+/)
			kib = substr($0, RSTART + 18, RLENGTH - 18)
			for (i = 3; i <= NF; i++) if ($i ~ /^N[01]=/) { n = substr($i, 4) * kib / 1024; all += n; one += $i ~ /^N1/ ? n : 0 }
		} END { printf "%.1f %.1f", one, all }' /proc/$pid/numa_maps)" "$(awk '$1 == "anonymous" { print $(NF - 1), $NF }' shown)"
	awk '$1 == "anonymous" { exit !($(NF - 1) >= 16) }' shown || wrong "$(cat shown)"
	grep -q ' MiB ([0-9.]* %) are on nodes where none of its threads uses a CPU' shown || wrong "$(cat shown)"
	grep -q "hint: migratepages $pid 1 0 " shown || wrong "$(cat shown)"
	kill -KILL $pid
	wait $pid 2>/dev/null
	echo 0-7 >$group/cpuset.cpus
}

carried() {
	title 'pages that are carried away and back during the run: told, because only the counters show it'
	disturbed carry_away_and_back --set 'nodePerVector=0 0'
	ended 0 'the kernel migrated pages while it was measured'
	same 'pages that moved' '0 0 ' "$(sed -n 's/.*"pages_moved_during_run": \([0-9]*\).*/\1/p' json | tr '\n' ' ')"
}

offline() {
	title 'a CPU goes offline during the run: told, and nothing is written'
	disturbed lose_cpu_4
	ended 3 'cannot be bound to CPU 4: Invalid argument'
	title 'a CPU that is offline before the run is left out, and refused where it is asked for'
	measure two.args '1 1/1 0' '0 1' --set 'nodePerThread=1 1' --set 'nodePerVector=1 0'
	refused 3 'cpuPerThread: CPU 4 is offline' unplaced.args --set 'cpuPerThread=4 0' --set 'nodePerVector=0 1'
	echo 1 >$sys/cpu/cpu4/online
}

moved() {
	title 'another program moves the threads once: that sample is taken again'
	disturbed move_once
	ended 0 ''
	same 'samples that count; samples taken again' '"moved":0"repeated":1' \
		"$(sed -n '/"moved":/p; /"repeated":/p' json | tr -d ' ,\n')"
	title 'another program moves the threads all along: told after six samples'
	disturbed move_all_along
	ended 3 'threads were moved off their CPUs in 6 samples in a row'
}

# ---- automatic NUMA balancing

migrated() { sed -n 's/^numa_pages_migrated //p' /proc/vmstat; }

# Each thread uses what the other one touched, long enough for the kernel to see it.
crossed() { # COMMAND...
	rm -f report json
	status=0
	"$@" --json json --set 'nodePerThread=0 1' --set 'nodePerVector=local local' --set 'initPerVector=thread:1 thread:0' \
		--set opType=read --set 'tamPerVector=1MiB*' --set mode=time:3s --set placements=1 --set numIter=1 --set warmup=0 two.args report \
		>messages 2>&1 || status=$?
}

balancing() {
	local before file
	title 'NUMA balancing is warned of, and leaves alone what has a policy of its own: all vectors'
	echo 1 >/proc/sys/kernel/numa_balancing
	before=$(migrated)
	crossed affinity
	ended 0 'warning: automatic NUMA balancing is on: the kernel may move pages while they are measured: numa_balancing = 1'
	[ "$(migrated)" -gt "$before" ] || wrong 'the kernel did not balance anything, which proves nothing'
	same 'pages that moved' '0 0 ' "$(sed -n 's/.*"pages_moved_during_run": \([0-9]*\).*/\1/p' json | tr '\n' ' ')"
	title 'where policies are forbidden NUMA balancing moves vectors: found at the end'
	crossed refuse mbind=EPERM -- affinity
	ended 3 'pages moved during the run'
	title 'where policies are forbidden NUMA balancing hides pages of threads at home: they have not moved'
	mount -t debugfs none /sys/kernel/debug
	for file in scan_delay_ms scan_period_min_ms scan_period_max_ms; do
		echo 100 >/sys/kernel/debug/sched/numa_balancing/$file
	done
	rm -f report json
	status=0
	refuse mbind=EPERM -- affinity --json json --set 'nodePerThread=0 1' --set 'nodePerVector=local local' --set opType=read \
		--set 'tamPerVector=4MiB*' --set mode=time:6s --set placements=1 --set numIter=1 --set warmup=0 two.args report >messages 2>&1 ||
		status=$?
	ended 0 'memory policies are forbidden here'
	same 'pages that moved' '0 0 ' "$(sed -n 's/.*"pages_moved_during_run": \([0-9]*\).*/\1/p' json | tr '\n' ' ')"
	umount /sys/kernel/debug
	title 'the same run with NUMA balancing off is measured'
	echo 0 >/proc/sys/kernel/numa_balancing
	crossed refuse mbind=EPERM -- affinity
	ended 0 'memory policies are forbidden here'
}

# ---- not enough

memory_limit() {
	title 'a vector beyond the memory limit of the control group is refused before it is touched'
	echo 48M >$group/memory.max
	alone --set 'tamPerVector=1MiB 47MiB'
	ended 3 'vector 1 takes 47 MiB, the control group of this process can give'
	title 'vectors that only together are beyond that limit are refused before the second is touched'
	alone --set 'tamPerVector=24MiB*'
	ended 3 'the control group of this process can give'
	title 'a vector within that limit is measured'
	alone --set 'tamPerVector=1MiB 32MiB' --set placements=1 --set numIter=1
	ended 0 ''
	same 'how often memory ran out, who was killed' 'oom 0 oom_kill 0 ' \
		"$(grep -e '^oom ' -e '^oom_kill ' $group/memory.events | tr '\n' ' ')"
	echo max >$group/memory.max
}

# The second thread copies its half of a text, or uses it where it is when the group has no room for copies.
copied_within_limit() { # MiB-OF-THE-TEXT PAGES-NOT-COPIED
	rm -f report json
	status=0
	sh -c "echo \$\$ >$group/cgroup.procs"' && exec "$@"' - affinity --quiet --json json --set policy=copy_on_thread \
		--set "tamPerVector=$1MiB" copies.args report >messages 2>&1 || status=$?
	same 'exit status' 0 "$status"
	[ "$status" = 0 ] || wrong "$(cat messages)"
	same 'bytes copied, pages without a copy' "$((($1 << 20) - $2 * 4096)) $2" "$(figure copied_in) $(figure copy_missed)"
	same 'how often memory ran out, who was killed' 'oom 0 oom_kill 0 ' \
		"$(grep -e '^oom ' -e '^oom_kill ' $group/memory.events | tr '\n' ' ')"
}

copies_within_limit() {
	printf '%s\n' 'opType: strsearch' 'nodePerThread: 0 1' 'nodePerVector: 0' 'vectorPerThread: all' 'pagesPerVector: 4K' \
		'queries: 1' 'placements: 1' 'numIter: 1' 'warmup: 0' >copies.args
	echo 48M >$group/memory.max
	title 'copy_on_thread within the memory limit of the control group: both halves are copied'
	copied_within_limit 8 0
	title 'copy_on_thread beyond that limit: no copy, and nobody is killed'
	copied_within_limit 32 8192
	grep -q 'strsearch: copy_missed is ' report || wrong 'the report does not say so'
	echo max >$group/memory.max
}

no_huge_pages() {
	title 'transparent huge pages that are switched off are refused, with the remedy'
	echo never >/sys/kernel/mm/transparent_hugepage/enabled
	refused 3 'vector 0: transparent huge pages are switched off' one.args --set pagesPerVector=thp --set tamPerVector=4MiB
	grep -qF 'echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled' messages || wrong "$(cat messages)"
	title 'that remedy helps'
	echo madvise >/sys/kernel/mm/transparent_hugepage/enabled
	thp=1 first_kib=4096 step_kib=2048
	measure one.args '0/1' 0 --set nodePerVector=1 --set pagesPerVector=thp
	thp=0 first_kib=1116 step_kib=20
}

# ---- address translation

named_placements() {
	thp=1 first_kib=4096 step_kib=2048
	title 'local_2m: huge pages on the node of the thread'
	measure one.args '1/1' 0 --set nodePerThread=1 --set nodePerVector=local_2m
	title 'remote_2m: huge pages on the other node'
	measure one.args '0/1' 0 --set nodePerVector=remote_2m
	title 'interleave_2m: huge pages on both in turn'
	first_kib=32768
	measure one.args '0/interleave:0-1' 0 --set nodePerVector=interleave_2m
	thp=0 first_kib=1116 step_kib=20
	title 'local_4k: small pages on the node of the thread'
	measure one.args '0/0' 0 --set nodePerVector=local_4k
	title 'local_2m_4k: half of it huge, all of it on the node of the thread'
	alone --set nodePerThread=1 --set nodePerVector=local_2m_4k --set vectorPerThread=0 --set tamPerVector=8MiB --set numIter=1 \
		--set 'initOrderPerVector=hot_last'
	ended 0 ''
	same 'pages, huge bytes' '"1": 2048 4194304' \
		"$(sed -n 's/.*"1": \([0-9]*\).*/"1": \1/p; s/.*"transparent_huge_bytes": \([0-9]*\).*/\1/p' json | head -n 2 | xargs | sed 's/^1:/"1":/')"
}

# Sets $there to the page tables of all processes on a node. No process is started: its own tables would be counted.
tables_on() { # NODE
	local what kib
	echo 1 >/proc/sys/vm/stat_refresh
	while read -r _ _ what kib _; do
		[ "$what" != PageTables: ] || there=$((kib / 4))
	done <"$sys/node/node$1/meminfo"
}

# A thread, a vector of 128 MiB and its 64 page tables on these nodes; the kernel is asked while the program waits, and
# where in physical memory page tables are.
tables_apart() { # THREAD VECTOR TABLES
	local before pid more lay lie
	rm -f report
	lay=$(taskset 1 table_pages) # which has tables itself, always on node 0
	tables_on "$3"
	before=$there
	affinity --quiet --set nodePerThread="$1" --set nodePerVector="$2" --set tablesPerVector="$3" --set tamPerVector=128MiB \
		--set pagesPerVector=4K --set placements=1 --set numIter=1 --set warmup=0 --set 'sleep=600s*' one.args report >messages 2>&1 &
	pid=$!
	until_asleep $pid
	tables_on "$3"
	more=$((there - before))
	# 64 of the vector and what the program itself has; a vector whose tables are elsewhere has none
	if [ $more -lt 64 ] || [ $more -gt 112 ]; then
		wrong "$more page tables more on node $3: $(cat messages)"
	fi
	lie=$(taskset 1 table_pages)
	echo "$lay $lie" | awk -v node="$3" '{ here = $(3 + node) - $(1 + node); there = $(4 - node) - $(2 - node)
		exit !(here >= 60 && here <= 116 && there < 60) }' ||
		wrong "page tables by their physical addresses: $lay before, $lie now, 64 more are to be on node $3"
	grep "^.* N$2=32768 " /proc/$pid/numa_maps >/dev/null || wrong "the vector is not on node $2"
	kill -KILL $pid
	wait $pid 2>/dev/null
}

page_tables() {
	local thread vector tables
	title 'page tables are where they are asked for: all eight of near and far thread, pages and tables (half, but in turns)'
	for thread in ${AFFINITY_TURNS:+0} 1; do
		for vector in 0 1; do
			for tables in 0 1; do
				tables_apart $thread $vector $tables
			done
		done
	done
	title 'the report has the growth of the nodes that shows it'
	alone --set 'tablesPerVector=1 0' --set 'pagesPerVector=4K*' --set 'tamPerVector=128MiB*' --set numIter=1 --set opType=null
	ended 0 ''
	[ "$(sed -n 's/.*"more_on_node": \([0-9]*\).*/\1/p' json | awk '$1 >= 56' | wc -l)" = 2 ] || wrong "$(grep page_tables -A3 json)"
	grep -q '; 6[45] page tables on node 1: [0-9]* more there than before, [-0-9]* more elsewhere' report || wrong "$(grep Vector report)"
}

topology_agrees
plan_agrees

title 'overlapped LR: threads on both sockets, the vector on the first'
measure args/pruebas_solape/lr.args '0 1/0' '0 0'
title 'private BQ: each thread uses the memory of the other socket'
solo=1
measure args/pruebas_solo_priv/bq.args '0 1/1 0' '0 1'
solo=''
title 'far and near are the same node'
measure two.args '0 1/1 1' '0 1' --set 'nodePerThread=0 1' --set 'nodePerVector=far(0) near(0)'
title 'a node full of threads: each has a CPU of its own'
measure two.args '1 1 1 1/1 0' '0 0 1 1' --set 'nodePerThread=1*4' --set 'nodePerVector=1 0' --set 'vectorPerThread=0 1, 2 3'
title 'one thread more than a node has CPUs is refused'
refused 3 'more threads than usable hardware threads on node 1' two.args --set 'nodePerThread=1*5' --set 'vectorPerThread=0 1, 2 3 4'
title 'cpuPerThread: exactly these CPUs, in this order'
measure unplaced.args 'cpu:6 cpu:1/0 1' '0 1' --set 'cpuPerThread=6 1' --set 'nodePerVector=0 1'
title 'corePerThread: exactly these cores'
measure unplaced.args 'cpu:3 cpu:5/0 1' '0 1' --set 'corePerThread=3 5' --set 'nodePerVector=0 1'
make_group
cpusets
shown
carried
offline
moved
balancing
memory_limit
copies_within_limit
no_huge_pages
named_placements
page_tables
quickstart
finish
