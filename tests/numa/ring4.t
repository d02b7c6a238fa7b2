#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# Every suite of args/ on the thesis's ring of four nodes, and who touches first, with every memory policy. One file of each
# in every check, all of them in turns (make check-turns).

# shellcheck disable=SC2034 # lib.sh uses it
boot_options="--program ${AFFINITY_BUILD:-build}/tools/migrate --program ${AFFINITY_BUILD:-build}/tools/page_nodes"
# shellcheck source=tests/numa/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/numa/migrate.sh
. "$(dirname "$0")/migrate.sh"

# ---- what the names of the suites say: THREADS/VECTORS of X and Y, the first node and the one farthest from it

placement() { # NAME
	case $1 in
	pruebas_un_hilo/matrix) echo '0/0;0/1;0/2;0/3;1/0;1/1;1/2;1/3;2/0;2/1;2/2;2/3;3/0;3/1;3/2;3/3' ;;
	pruebas_un_hilo/stride | pruebas_un_hilo/char_float) echo X/X ;;
	pruebas_solo_priv/none) echo 'X Y/X Y' ;;
	pruebas_solo_priv/s) echo 'X X/X Y' ;;
	pruebas_solo_priv/bq) echo 'X Y/Y X' ;;
	pruebas_solo_priv/mc) echo 'X Y/X X' ;;
	pruebas_solo_priv/mc_s) echo 'X X/X X' ;;
	pruebas_solo_priv/mc_bq_s) echo 'X X/Y Y' ;;
	pruebas_solape/ll | pruebas_half_access/ll | pruebas_sleep/ll) echo 'X X/X' ;;
	pruebas_solape/lr | pruebas_half_access/lr | pruebas_sleep/lr) echo 'X Y/X' ;;
	pruebas_solape/rr | pruebas_half_access/rr | pruebas_sleep/rr) echo 'Y Y/X' ;;
	quickstart/1_one_thread) echo X/X ;;
	quickstart/2_two_threads) echo 'X X/X X' ;;
	quickstart/3_two_nodes) echo 'X Y/X' ;;
	esac
}

uses_of() { # PLACEMENT: two threads with two vectors have one each, else all use the one that there is
	case $1 in
	*' '*/*' '*) echo '0 1' ;;
	*' '*/*) echo '0 0' ;;
	*) echo 0 ;;
	esac
}

suite() { # FILE
	local name expect
	name=${1#args/} name=${name%.args}
	expect=$(placement "$name" | sed 's/X/0/g; s/Y/2/g')
	title "$name: threads/vectors on $expect"
	! grep -q '^solo: *yes' "$1" || solo=1
	case $name,$expect in
	*,) wrong 'this test does not know what the name stands for' ;;
	pruebas_sleep/*) delayed "$1" "$expect" ;;
	pruebas_un_hilo/*) swept "$1" "$expect" ;;
	*) measure "$1" "$expect" "$(uses_of "$expect")" ;;
	esac
	solo=''
}

# As a quick trial has it (scripts/ejec.sh --quick), and one operation is enough of each run.
swept() { # FILE EXPECT
	local quick
	quick=$(sed -n 's/^# quick: //p' "$1")
	measure "$1" "$2" 0 --set opType=read --set speedupCalc=read/read ${quick:+--set "$quick"}
}

# Only thread 1 waits there, in the runs of a sweep; one operation is enough of it.
delayed() { # FILE EXPECT
	sleeper=1
	measure "$1" "$2" '0 0' --set opType=read
	sleeper=''
	same 'delays in the JSON, ms' "0 0 0 $delay 0 $((delay * 3)) " "$(awk '/"sleep_s"/ { printf "%d ", $2 * 1000 + 0.5 }' json)"
}

# Plans of all are in tests/golden; those that are measured in every check are the last ones: in them threads or data are far.
in_turn() { # FILE...
	printf '%s\n' "$@" | sort -r | awk -F/ -v all="${AFFINITY_TURNS-}" 'all || !seen[$2]++'
}

suites() {
	local file
	for file in $(in_turn args/pruebas_*/*.args args/quickstart/*.args); do suite "$file"; done
}

# The other suites, one file of each: for a fixed work, in which threads can be made to wait.
other_suites() {
	local file
	title 'bandwidth/5_far: two threads on X, their vectors on Y'
	measure args/bandwidth/5_far.args '0 0/2 2' '0 1' --set mode=work --set opType=load --set 'sweep=threads = X*' --set 'sweep=data = far(X)' \
		--set 'baseline=data=far(X)'
	title 'latency/3_loaded: two threads on X, their vectors on X, then on Y'
	measure args/latency/3_loaded.args '0 0/0 0;0 0/2 2' '0 1' --set mode=work \
		--set 'sweep=writes = 0' --set 'sweep=gap = 0'
	title 'patterns/3_stride: one thread and its vector on X'
	measure args/patterns/3_stride.args '0/0' 0 --set 'sweep=stride = 64B'
	title 'smt/c_other_unit: two threads of one core are refused where cores have one'
	refused 3 'more threads than usable hardware threads on core 0' args/smt/c_other_unit.args
	title 'matrix/latency: one thread on each node, its vector on each'
	measure args/matrix/latency.args "$(pairs 1)" 0 --set mode=work
	title 'matrix/bandwidth: both threads of each node, a vector for each of them on each node'
	measure args/matrix/bandwidth.args "$(pairs 2)" '0 1' --set opType=load
	# plan.bats and captured.bats do it on other machines in every check
	if [ -n "${AFFINITY_TURNS-}" ]; then
		title 'every file of every suite has a plan, or a reason why not'
		plan_all
	fi
}

# In one call, which takes less than a process for each file; its exit status is that of the worst. A file has lines behind
# its heading, or a message with a hint.
plan_all() {
	local status=0
	affinity --quiet --plan args/*/*.args >plan 2>messages || status=$?
	case $status in
	0 | 2 | 3) ;;
	*) wrong "exit status $status: $(tail -n 3 messages)" ;;
	esac
	printf '%s\n' args/*/*.args >files
	wrong "$(awk '
		FILENAME == "files" { files[$0]; next }
		FILENAME == "plan" && /^==== / { file = $2; next }
		FILENAME == "plan" { if (NF) good[file]; next }
		/^  hint: / { good[file]; next }
		match($0, /^args\/[^:]*:/) { file = substr($0, 1, RLENGTH - 1); told[file] = $0 }
		END { for (file in files) if (!(file in good)) print file ": no plan, no hint: " told[file] }' files plan messages)"
}

# All pairs of nodes, with so many threads and vectors: 0 0/0 0;0 0/1 1;...
pairs() { # COUNT
	awk -v count="$1" 'BEGIN {
		for (i = 0; i < 16; i++) {
			printf "%s%d", i ? ";" : "", i / 4
			for (k = 1; k < count; k++) printf " %d", i / 4
			printf "/%d", i % 4
			for (k = 1; k < count; k++) printf " %d", i % 4
		}
	}'
}

# ramfs has the pages of files as a disk's file system has them, but drops none.
files_lie() {
	title 'pages of a file of the own lie by the policy of their vector'
	mkdir /m
	mount -t ramfs none /m
	for place in 2 bind:1,3 interleave:0,2; do
		# shellcheck disable=SC2086 # words
		affinity --quiet $sets --set tamPerVector=1MiB --set backing=file:/m --set "nodePerVector=$place" one.args report \
			>messages 2>&1 || wrong "$place: exit status $?: $(cat messages)"
		same "pages of $place" 256 "$(sed -n 's/.*found: \(node .*\) of 4 KiB.*/\1/p' report | grep -o '[0-9]* page' | awk '{n += $1} END {print n}')"
	done
	title 'pages of a file that lie on another node are told, not moved'
	taskset 1 dd if=/dev/zero of=/m/model bs=4096 count=256 2>/dev/null
	refused 3 '256 of 256 pages are elsewhere (node 0: 256)' one.args --set nodePerVector=2 --set backing=file:/m/model
	grep -qF 'hint: pages of a file in memory lie where it was written' messages || wrong "$(cat messages)"
	refused 3 'its file system is in memory and drops no pages' one.args --set backing=file:/m/model --set cache=warm
	umount /m
}

# Whole sweeps, with little work: what is far, who is whose neighbour and what is left out is the machine's.
whole_suites() {
	local file status
	title 'files of bandwidth, latency, coherence, matrix and patterns are measured, all of their runs'
	for file in $(in_turn args/bandwidth/*.args args/latency/*.args args/coherence/*.args args/matrix/*.args args/patterns/*.args); do
		rm -f report
		status=0
		affinity --quiet --set placements=1 --set numIter=1 --set warmup=0 --set mode=work --set 'tamPerVector=256KiB*' "$file" report \
			>messages 2>&1 || status=$?
		[ $status = 0 ] || wrong "$file: exit status $status: $(grep -v warning: messages | head -n 3)"
		grep -q '^ - Thread 0 ' report || wrong "$file: no thread in the report"
	done
}

half_of_the_work() {
	title 'pruebas_half_access: thread 1 visits half of what thread 0 visits'
	measure args/pruebas_half_access/lr.args '0 2/0' '0 0' --set opType=read
	same 'elements visited' '1142784 571392 ' "$(sed -n 's/^ *"units": \([0-9]*\),/\1/p' json | uniq | tr '\n' ' ')"
}

# ---- would the judge notice? What was seen, with one thing changed at a time

control() { # WHAT-IS-CHANGED SED-SCRIPT FILE
	cp "$3" original
	sed -i "$2" "$3"
	! cmp -s original "$3" || wrong "$1: the control changes nothing"
	judge
	[ -s verdict ] || wrong "$1: the judge notices nothing"
	mv original "$3"
}

expecting() { # EXPECTATION
	local expect=$1
	judge
	[ -s verdict ] || wrong "with '$1' expected the judge notices nothing"
}

controls() {
	local expect='0 2/0' uses='0 0' sizes=1116 sweep='' status=0
	title 'the judge notices every single thing that is not as it should be'
	measure args/pruebas_solape/lr.args "$expect" "$uses" --set opType=read
	for expect in '0 1/0' '2 0/0' '0 0/0' '0/0' '0 2 2/0' '0 2/2' '0 2/interleave:0-3' '0 2/preferred:0' '0 2/local:0' '0 2/0;0 1/0'; do
		expecting "$expect"
	done
	expect='0 2/0'
	control 'a thread on the other CPU of its node' 's/cpu 4 /cpu 5 /' seen
	control 'a thread that is not bound' 's/allowed 4/allowed 0-7/' seen
	control 'a thread that was moved' 's/moves 0/moves 1/' seen
	control 'a thread that did not take part' 's/^thread 1 waits/thread 1 other/' seen
	control 'two threads on one CPU' 's/cpu 4 moves 0 allowed 4/cpu 0 moves 0 allowed 0/' seen
	control 'one page elsewhere' 's/N0=279/N0=278,N3=1/' seen
	control 'one page missing' 's/N0=279/N0=278/' seen
	control 'another policy' 's/bind[^ ]*/default/' seen
	control 'other pages' 's/page 4/page 2048/' seen
	control 'huge pages' 's/thp 0/thp 1116/' seen
	control 'another CPU in the JSON' 's/"cpu": 4/"cpu": 5/' json
	control 'another node in the JSON' 's/"0": 279/"1": 279/' json
	control 'another node in the report' 's/Thread 1     node: 2/Thread 1     node: 3/' report
	judge
	wrong "$(cat verdict)"
}

# ---- policies; a local vector shows who touched it first

policies() {
	title 'an interleaved vector has its pages on all nodes in turn'
	measure one.args '1/interleave:0-3' 0 --set nodePerThread=1 --set nodePerVector=interleave
	title 'interleave:1,3 uses nodes 1 and 3 only'
	measure one.args '0/interleave:1,3' 0 --set nodePerVector=interleave:1,3
	title 'a vector with a preferred node is there, beside one that is bound'
	measure two.args '0 2/preferred:3 1' '0 1' --set 'nodePerVector=preferred:3 1'
	title 'a bound vector is where it is bound, whoever touches it'
	measure two.args '0 2/1 3' '0 1' --set 'nodePerVector=1 3' --set 'initPerVector=thread:1 main'
}

first_touch() {
	title 'owner: the first user touches a vector'
	measure two.args '1 3/local:1 local:3' '0 1' --set 'nodePerThread=1 3' --set 'nodePerVector=local local' --set 'initPerVector=owner owner'
	title 'owner: the first user of a vector is whom vectorPerThread says'
	measure two.args '1 3/local:3 local:1' '1 0' --set 'nodePerThread=1 3' --set 'nodePerVector=local local' \
		--set 'initPerVector=owner owner' --set 'vectorPerThread=1, 0'
	title 'thread:1 touches what thread 0 uses'
	measure two.args '0 2/local:2 local:0' '0 1' --set 'nodePerVector=local local' --set 'initPerVector=thread:1 thread:0'
	title 'node: without a node of its own a vector is its first user'"'"'s'
	measure two.args '3 2/local:3 local:2' '0 1' --set 'nodePerThread=3 2' --set 'nodePerVector=local local' --set 'initPerVector=node node'
	title 'main: the thread that is not bound touches, and all pages are where it was'
	measure one.args '2/local:?' 0 --set nodePerThread=2 --set nodePerVector=local --set initPerVector=main
	same 'node of the CPU that touched, node of the pages' "$(touching_node)" "$(sed -n 's/^memory 1116 .* N\(.\)=279 .*/\1/p' seen)"
}

touching_node() {
	sed -n "s/^$(sed -n 's/^ *"touched_by_cpu": \([0-9]*\),/\1/p' json) //p" cpus
}

page_sizes() {
	same 'transparent huge pages here' '[always] madvise never' "$(cat /sys/kernel/mm/transparent_hugepage/enabled)"
	first_kib=4096 step_kib=2048
	title '4K: no huge page, though the system would give them'
	measure two.args '0 2/1 3' '0 1' --set 'nodePerVector=1 3' --set pagesPerVector=4K*
	title 'thp: nothing but transparent huge pages, on the node asked'
	thp=1
	measure two.args '0 2/1 3' '0 1' --set 'nodePerVector=1 3' --set pagesPerVector=thp*
	thp=0 first_kib=1116 step_kib=20
}

# ---- a batch system that gives a part of the machine: nodes 1 to 3

cpuset() {
	local group=/sys/fs/cgroup
	title 'in a cpuset without node 0 the suites use the first node that is left'
	mount -t cgroup2 none $group
	echo +cpuset >$group/cgroup.subtree_control
	mkdir $group/part
	echo 2-7 >$group/part/cpuset.cpus
	echo 1-3 >$group/part/cpuset.mems
	echo $$ >$group/part/cgroup.procs
	measure args/pruebas_solape/lr.args '1 3/1' '0 0'
	affinity --topology >topology
	same 'nodes for threads' 'nodes that can run threads: 1-3' "$(grep threads: topology)"
	same 'nodes for vectors' 'nodes that can hold vectors: 1-3' "$(grep vectors: topology)"
	title 'in a cpuset interleave leaves out what may not be used'
	measure one.args '2/interleave:1-3' 0 --set nodePerThread=2 --set nodePerVector=interleave
	title 'in a cpuset without node 0 that node is refused'
	refused 3 'nodePerVector: node 0 may not be used by this process (cpuset)' args/pruebas_solape/lr.args --set nodePerVector=0
	title 'in a cpuset without node 0 its CPUs are refused'
	refused 3 'nodePerThread: node 0 has no CPU that this process may use' args/pruebas_solape/lr.args --set 'nodePerThread=0 1'
	title 'in a cpuset a CPU that only the affinity lacks may be named, and no other'
	printf '%s\n' 'kernels: null' 'cpuPerThread: 5 2' >named.args
	taskset 0x4 affinity --quiet --json json named.args report >messages 2>&1 || wrong "exit status $?: $(cat messages)"
	same 'CPUs of the threads' '5 2 ' "$(sed -n 's/^ *"cpu": \([0-9]*\),*$/\1/p' json | tr '\n' ' ')"
	refused 3 'cpuPerThread: CPU 1 may not be used by this process (cpuset)' named.args --set cpuPerThread=1
	echo $$ >$group/cgroup.procs
}

# ---- page migration, seen from another process; CPU 2 is of node 1, 4 of node 2, 6 of node 3

export AFFINITY_SPM_REUSE_THRESHOLD=0 AFFINITY_SPM_SIZE_TEST=no

page_migration() {
	export AFFINITY_SPM_MOVER=$1
	title "$1: every page of a range moves to the caller's node, and no other"
	migrate_to '0*100 1*56 0*144' 'done' 300 call 2 100 156
	same 'pages counted as moved' 56 "$(counted 9)"
	migrate_to '0*10 1*20 3*30 0*40' 'done done done' 100 call 2 10 30 call 6 30 60 call 0 60 70
	same 'pages counted as moved, and as there' '50 10' "$(counted 9) $(counted 10)"
	title "$1: a second call moves back, and counts what was there"
	migrate_to '0*10 2*30 1*20 0*40' 'done done done' 100 call 2 10 60 call 4 10 40 call 2 40 60
	same 'pages counted as moved, and as there' '80 20' "$(counted 9) $(counted 10)"
	title "$1: neighbours with slices of bytes move no page twice"
	migrate_to '0*24 1*24 2*25 3*24 0*23' 'done done done done' 120 bytes 0 0 100000 bytes 2 100000 200000 bytes 4 200000 300000 bytes 6 300000 400000
	same 'pages asked of all' 97 "$(counted 8)"
	title "$1: a huge page moves whole"
	migrate_to '1*512 0*512' 'done' 1024h call 2 0 100
	title "$1: with pins the second thread gets the first free run only"
	export AFFINITY_SPM_PIN=tree
	migrate_to '0*100 1*100 2*50 0*50' 'done pinned' 300 call 2 100 200 call 4 150 250
	migrate_to '0*50 3*50 1*100 0*100' 'done pinned' 300 call 2 100 200 call 6 50 300
	same 'pages refused as pinned' 200 "$(counted 11)"
	migrate_to '0*100 3*100 0*100' 'done pinned done' 300 call 2 100 200 release 6 100 200 call 6 100 200 release 2 100 200 call 6 100 200
	unset AFFINITY_SPM_PIN
}

migration_policy() {
	export AFFINITY_SPM_MOVER=mbind
	title 'mbind binds what it moved, or does not'
	migrate_to '0*10 1*10 0*80' 'done' 100 call 2 10 20
	same policies 'default bind:1 default' "$(sed -n 's/^numa_maps //p' moved | tr ' ' '\n' | grep -v = | tr '\n' ' ' | sed 's/ $//')"
	export AFFINITY_SPM_POLICY=default
	migrate_to '0*10 1*10 0*80' 'done' 100 call 2 10 20
	same policies default "$(sed -n 's/^numa_maps //p' moved | tr ' ' '\n' | grep -v = | uniq)"
	unset AFFINITY_SPM_POLICY
}

migration_locks() {
	title 'node_rr: eight threads are two on each node'
	# shellcheck disable=SC2016 # migrate's PID
	AFFINITY_SPM_LOCK=node_rr migrate 1 lock 8 run 'cat /proc/$PID/task/*/status' >moved 2>&1 || wrong "$(cat moved)"
	same 'CPUs of the threads, and of main' '1*0 2*0-1 2*2-3 2*4-5 2*6-7 ' \
		"$(sed -n 's/^Cpus_allowed_list:	//p' moved | sort | uniq -c | awk '{ printf "%d*%s ", $1, $2 }')"
}

free_kib() { awk '/MemFree/ { print $4 }' $sys/node/node3/meminfo; }

# The file is in memory, on the node of who writes it.
full_node() {
	local before after
	for _ in $(seq 200); do
		[ "$(free_kib)" -gt 10240 ] || break
		taskset -c 6 dd if=/dev/zero bs=512k count=4 2>/dev/null >>/tmp/full
	done
	for AFFINITY_SPM_MOVER in mbind move_pages; do
		export AFFINITY_SPM_MOVER
		title "$AFFINITY_SPM_MOVER: a full node refuses pages, the program says so and goes on"
		before=$(free_kib)
		migrate 6000 call 6 0 6000 show >moved 2>&1 || wrong "exit status $?: $(cat moved)"
		same 'the answer' 'refused ENOMEM' "$(sed -n 1p moved)"
		same 'pages asked' 6000 "$(counted 8)"
		[ "$(counted 12)" -gt 0 ] || wrong "no page refused, $before KiB free before: $(cat moved)"
		same 'pages that are accounted for' 6000 "$(counted 9 10 11 12)"
		after=$(sums "$(sed -n 's/^nodes //p' moved)" '*')
		same 'pages on nodes 0 and 3' "0:$(counted 12) $([ "$(counted 9)" = 0 ] || echo "3:$(counted 9) ")" "$after"
		same 'policies' default "$(sed -n 's/^numa_maps //p' moved | tr ' ' '\n' | grep -v = | uniq)"
	done
	refused_by_full_node
	rm /tmp/full
	! dmesg | grep -i -E 'out of memory|oom-kill|bus error' >oom || wrong "$(cat oom)"
}

# ---- the kernel that moves pages: thread 1 sleeps behind the move, and the vector is looked at meanwhile

move_file 'nodePerThread: 0 1' 'nodePerVector: 0' 'tamPerVector: 4000KiB' 'pagesPerVector: 4K'

moves_to_target() {
	for mover in move_pages mbind migrate_pages; do
		title "migrate, mover $mover: every page is on the target in the sample, and home afterwards"
		affinity --quiet --set mover=$mover --json json move.args report >messages 2>&1 &
		nodes_of_vector $! 1000 >seen
		wait $! || wrong "exit status $?: $(cat messages)"
		grep -q '^N2=1000 $' seen || wrong "not on node 2: $(cat seen)"
		same 'pages asked, moved and refused' '1000 1000 0' "$(figure pages_asked) $(figure pages_moved) $(figure pages_refused)"
		same 'pages that were elsewhere at the end' '"pages_moved_during_run": 0,' "$(grep -o '"pages_moved_during_run": [0-9]*,' json)"
	done
	title 'migrate, mover copy: the vector stays, the copy is on the target'
	affinity --quiet --set mover=copy --json json move.args report >messages 2>&1 || wrong "$(cat messages)"
	same 'pages asked, moved and refused' '1000 1000 0' "$(figure pages_asked) $(figure pages_moved) $(figure pages_refused)"
	title 'migrate: huge pages move whole'
	affinity --quiet --set pagesPerVector=thp --set tamPerVector=4MiB --json json move.args report >messages 2>&1 || wrong "$(cat messages)"
	same 'pages asked and moved, huge pages kept and split, calls' '1024 1024 2 0 1' \
		"$(figure pages_asked) $(figure pages_moved) $(figure huge_kept) $(figure huge_split) $(figure move_calls)"
}

# ---- a program with a policy: its second thread, of node 2, searches the second half of a text on node 0

cat >policy.args <<'END'
opType: strsearch+strsearch+idle_sleep
nodePerThread: 0 2 1
nodePerVector: 0
tamPerVector: 4000KiB
vectorPerThread: 0 1
pagesPerVector: 4K
queries: 13
size_test: no
passes: 1 1 4000
placements: 1
numIter: 1
warmup: 0
END

searched() { # OPTION...
	affinity --quiet --json json "$@" policy.args report >messages 2>&1 || wrong "exit status $?: $(cat messages)"
	at_home
}

# Not 0: affinity was built without the compiler pass.
searched_by_compiler() { # OPTION...
	affinity --quiet --json json "$@" policy.args report >messages 2>&1 && return
	grep -q 'built without clang' messages || wrong "$(cat messages)"
	return 1
}

watched() { # OPTION...
	affinity --quiet --json json "$@" policy.args report >messages 2>&1 &
	nodes_of_vector $! 1000 >seen
	wait $! || wrong "exit status $?: $(cat messages)"
	at_home
}

at_home() {
	same 'pages that were elsewhere at the end' '"pages_moved_during_run": 0,' "$(grep -o '"pages_moved_during_run": [0-9]*,' json)"
}

moved_and_there() { echo "$(figure spm_pages_moved) $(figure spm_pages_there)"; }

programs_with_policies() {
	title 'strsearch, baseline: no page moves'
	watched --set policy=baseline
	same 'nodes of the vector' 'N0=1000 ' "$(cat seen)"
	title 'strsearch, spm: the pages of a slice are on the node of the thread that searches it, and home afterwards'
	watched --set policy=spm --set mover=move_pages
	grep -q '^N0=500 N2=500 $' seen || wrong "not on nodes 0 and 2: $(cat seen)"
	same 'pages moved, and there' '500 500' "$(moved_and_there)"
	same 'nodes before and after, in the results' '"0": 1000, "0": 500, "2": 500' "$(sed -n '/"pages_by_node"/,/absent_after/p' json |
		grep -o '"[0-9]*": [0-9]*' | paste -s -d ' ' | sed 's/ "/, "/g')"
	title 'strsearch, eager: the same pages move, by mbind, and whatever the uses'
	searched --set policy=eager --set queries=1
	same 'pages moved, and there' '500 500' "$(moved_and_there)"
	searched --set policy=spm --set queries=1
	same 'pages moved, and there, of too few uses' '0 0' "$(moved_and_there)"
	# 13 queries are just enough, also in the numbers that the loop computes
	if searched_by_compiler --set policy=compiled --set loop_compiler=clang; then
		title 'strsearch, compiled: the calls in the loop move the same pages'
		same 'pages moved, and there' '500 500' "$(moved_and_there)"
		at_home
	fi
	title 'strsearch, copy_on_thread: the vector stays, each copy is on the node of its thread'
	watched --set policy=copy_on_thread
	# the copies may be one mapping, as large as the vector
	same 'other nodes of the vector, or of the copies' '' "$(grep -v -e '^N0=1000 $' -e '^N0=500 N2=500 $' seen)"
	same 'bytes copied, to and fro, and pages elsewhere' '4096000 0 0' "$(figure copied_in) $(figure copied_out) $(figure copy_missed)"
	same 'pages of the vector that are away' 0 "$(figure pages_away)"
	title 'strsearch, interleave, weighted and minas: pages are on all nodes by their rules, and home afterwards'
	for rule in 'interleave N0=250 N1=250 N2=250 N3=250' 'weighted N0=501 N1=167 N2=166 N3=166' \
		'minas N0=250 N1=250 N2=250 N3=250' 'minas/400 N0=400 N1=200 N2=200 N3=200'; do
		name=${rule%% *}
		pages=0
		case $name in */*) pages=${name#*/} ;; esac
		watched --set "policy=${name%/*}" --set "home_pages=$pages"
		grep -qx "${rule#* } " seen || wrong "$name: not on ${rule#* }: $(cat seen)"
	done
	title 'strsearch, spm+lock: each thread on a node, its pages with it'
	sed '/^nodePerThread/d; s/^opType.*/opType: strsearch/; s/^passes.*/threads: 2/; $a mapping: os' policy.args >lock.args
	affinity --quiet --set policy=spm+lock --set numIter=3 --json json lock.args report >messages 2>&1 || wrong "exit status $?: $(cat messages)"
	same 'pages moved, and there' '500 500' "$(moved_and_there)"
	same 'nodes of each thread, over all samples' '1 1' "$(awk '/"thread": / { thread = $2 }
		/"cpu_(before|after)": / { n[thread] += !seen[thread, int($2 / 2)]++ } END { print n["0,"], n["1,"] }' json)"
	title 'strsearch, first_touch and round_robin: a slice is on its thread node from the begin on, and home afterwards'
	watched --set policy=first_touch
	grep -qx 'N0=500 N2=500 ' seen || wrong "first_touch: not on nodes 0 and 2: $(cat seen)"
	affinity --quiet --set policy=round_robin --set numIter=2 --json json lock.args report >messages 2>&1 || wrong "exit status $?: $(cat messages)"
	at_home
	same 'pages away: a thread keeps its node' 500 "$(figure pages_away)"
	title 'strsearch, eager: a huge page of two slices is whole and home again'
	searched --set policy=eager --set queries=1 --set pagesPerVector=thp --set tamPerVector=6MiB --set numIter=3
}

away_between() { # LEAST MOST
	local away
	away=$(figure pages_away)
	away=${away%.*} # a mean
	[ "$away" -ge "$1" ] || wrong "only $away pages away"
	[ "$away" -le "$2" ] || wrong "$away pages away"
}

# Slices of 4 MiB on node 0; the kernel looks at a process ten times a second here.
pages_that_are_touched() {
	title 'strsearch, next_touch_protect: units are on the node of the thread that searches them, and home afterwards'
	searched --set policy=next_touch_protect --set tamPerVector=8MiB --set "passes=1 1 1"
	# the unit in the middle may have pages of both slices
	away_between 512 1536
	same 'units missed' 0 "$(figure touch_missed)"
	title 'strsearch, next_touch_protect: huge pages move whole'
	searched --set policy=next_touch_protect --set tamPerVector=8MiB --set pagesPerVector=thp --set 'passes=1 1 1'
	same 'pages away, units, huge pages split' '1024 4 0' "$(figure pages_away) $(figure touch_units) $(figure huge_split)"
	title 'strsearch, next_touch_userfault: units are copied to the node of the thread that searches them, and home afterwards'
	searched --set policy=next_touch_userfault --set tamPerVector=8MiB --set "passes=1 1 1"
	away_between 512 1536
	same 'units missed' 0 "$(figure touch_missed)"
	mount -t debugfs none /sys/kernel/debug
	echo 100 >/sys/kernel/debug/sched/numa_balancing/scan_delay_ms
	echo 100 >/sys/kernel/debug/sched/numa_balancing/scan_period_min_ms
	for policy in next_touch_kernel autonuma; do
		title "strsearch, $policy: the kernel moves the pages of a slice to the thread that searches it, and they are home afterwards"
		searched --set policy=$policy --set queries=400 --set 'passes=1 1 1' --set switch_balancing=yes
		# those that it has got to
		away_between 250 500
		moved=$(figure kernel_pages_moved) # a mean
		[ "${moved%.*}" -ge 250 ] || wrong "the kernel has moved $moved pages"
		same 'numa_balancing afterwards' 0 "$(cat /proc/sys/kernel/numa_balancing)"
	done
	title 'strsearch, autonuma: refused where NUMA balancing is off'
	refused 3 'kernel.numa_balancing is 0' policy.args --set policy=autonuma
}

# ---- pages dealt out by weights

cat >weights.args <<'END'
opType: idle_sleep
nodePerThread: 1
nodePerVector: weighted:0=3,2=1
tamPerVector: 4000KiB
vectorPerThread: 0
pagesPerVector: base
passes: 4000
placements: 1
numIter: 1
warmup: 0
END

dealt_by_weights() {
	title 'weighted:0=3,2=1: three pages on node 0 for each on node 2, none where they were touched'
	affinity --quiet --json json weights.args report >messages 2>&1 &
	nodes_of_vector $! 1000 >seen
	wait $! || wrong "exit status $?: $(cat messages)"
	same 'nodes of the vector, from outside' 'N0=750 N2=250 ' "$(tail -n 1 seen)"
	same 'nodes of the vector, in the results' '"0": 750, "2": 250' "$(found_on_nodes)"
	title 'weighted:0=3,2=1: the same of whole huge pages'
	affinity --quiet --set pagesPerVector=thp --set tamPerVector=8MiB --set passes=1 --json json weights.args report >messages 2>&1 ||
		wrong "exit status $?: $(cat messages)"
	same 'nodes of the vector, in the results' '"0": 1536, "2": 512' "$(found_on_nodes)"
}

weights_of_all_nodes() {
	title 'weighted:1,2,3,4: weights of the nodes in ascending order'
	affinity --quiet --set nodePerVector=weighted:1,2,3,4 --set passes=1 --json json weights.args report >messages 2>&1 ||
		wrong "exit status $?: $(cat messages)"
	same 'nodes of the vector, in the results' '"0": 100, "1": 200, "2": 300, "3": 400' "$(found_on_nodes)"
}

found_on_nodes() { sed -n '/"pages_on_node"/,/}/p' json | grep -o '"[0-9]*": [0-9]*' | paste -s -d ' ' | sed 's/ "/, "/g'; }

# With node 3 full.
refused_by_full_node() {
	for mover in move_pages mbind copy; do
		title "migrate, mover $mover: a full node refuses pages, and the run says so and goes on"
		affinity --quiet --set mover=$mover --set targetPerVector=3 --set tamPerVector=24000KiB --json json move.args report \
			>messages 2>&1 || wrong "exit status $?: $(cat messages)"
		[ "$(figure pages_refused)" -gt 0 ] || wrong 'no page refused'
		same 'pages that are accounted for' 6000 $(($(figure pages_moved) + $(figure pages_refused) + $(figure pages_there)))
		grep -q 'pages_refused is ' report || wrong 'the report does not say so'
	done
}

topology_agrees
plan_agrees
page_migration mbind
page_migration move_pages
migration_policy
migration_locks
moves_to_target
programs_with_policies
pages_that_are_touched
dealt_by_weights
files_lie
weights_of_all_nodes
full_node
suites
other_suites
whole_suites
half_of_the_work
controls
policies
first_touch
page_sizes
cpuset
finish
