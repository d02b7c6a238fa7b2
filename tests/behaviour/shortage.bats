#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# There is not enough: memory on a node or for a container, huge pages, memory for the driver itself, threads. No
# crash, no OOM killer, no half a result; a message that says what to do.
# long: each program runs again for each request for memory that is refused, minutes of CPU time

bats_require_minimum_version 1.5.0 # run --separate-stderr
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

setup() { small_run; }

# container LIMIT [USED]: this process is in a control group of that many MiB.
container() {
	says /proc/self/cgroup $'0::/system/job\n'
	says /proc/self/mountinfo $'30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n'
	says /sys/fs/cgroup/system/job/memory.max $'max\n'
	says /sys/fs/cgroup/system/memory.max "$(($1 << 20))"$'\n'
	says /sys/fs/cgroup/system/memory.current "$((${2:-0} << 20))"$'\n'
}

# Memory on nodes and in containers

@test "a bound node with too little left is found before its memory is touched" {
	two_nodes 4000 200
	given "tamPerVector: 1MiB 256MiB"
	under files,nodes "$AFFINITY" "${outputs[@]}"
	failed_with 3 "t.args:4: vector 1 takes 256 MiB, node 1 can give 1" " just now" \
		"hint: make it smaller, free memory on the node, or use nodePerVector: interleave"
}

@test "copies of which one finds too little memory say what needs less" {
	two_nodes 4000 200
	given "nodePerVector: replicate" "vectorPerThread: all" "tamPerVector: 256MiB"
	under files,nodes "$AFFINITY" "${outputs[@]}"
	failed_with 3 "t.args:4: vector 1 takes 256 MiB, node 1 can give 1" " just now" \
		"hint: make it smaller, such as fewer layers of a model, free memory on the node, or have one vector instead of copies"
}

@test "a sweep of which no run could be placed tells why, also with --quiet" {
	two_nodes 4000 200
	# shellcheck disable=SC2016 # of the sweep
	given 'sweep: s = 255MiB 256MiB' 'tamPerVector: 1MiB $s'
	under files,nodes "$AFFINITY" --quiet "${outputs[@]}"
	failed_with 3 "no run of the sweep could be placed" \
		"hint: the first of them: t.args:4: vector 1 takes 255 MiB, node 1 can give 1"
}

@test "a run whose background finds too little memory gives its vectors back at once" {
	two_nodes 4000 200
	given "sweep: s = 256MiB 257MiB 1MiB" "opType: idle_sleep" "nodePerThread: first" "nodePerVector: first" \
		"vectorPerThread: 0" "tamPerVector: 1MiB" "backing: memfd" "numIter: 1" "warmup: 0" \
		"background: 1 on node(1) by node(1) size=\$s"
	local pid all most=0
	LD_PRELOAD=$shims/files.so:$shims/nodes.so "$AFFINITY" --quiet --set "sleep=300ms*" t.args out.txt &
	pid=$!
	while kill -0 $pid 2>/dev/null; do
		all=$(grep -c memfd:affinity "/proc/$pid/maps" 2>/dev/null) || true
		((most >= ${all:-0})) || most=$all
		sleep 0.02
	done
	wait $pid
	grep -q '^not measured: t.args:.*: vector 0 takes 257 MiB, node 1 can give' out.txt
	same 1 "$most"
}

@test "a bound node is not used up to the last page" {
	local available
	two_nodes 4000 200
	given
	under files,nodes "$AFFINITY" --topology
	available=$(sed -n 's/^node 1: .*, \([0-9.]*\) \(.iB\) available.*/\1\2/p' <<<"$output")
	under files,nodes "$AFFINITY" --set "tamPerVector=1MiB $available" "${outputs[@]}"
	failed_with 3 "memory ran out while vector 1, asked for node 1, was touched" "hint: make the vectors smaller"
}

@test "memory that may come from any node is held against the whole machine" {
	two_nodes 300 300
	given "opType: null"
	for where in interleave:0,1 local preferred:1; do
		under files,nodes "$AFFINITY" --set "nodePerVector=0 $where" --set "tamPerVector=1MiB 400MiB" t.args out.txt
		[ "$status" -eq 0 ]
		rm out.txt
		under files,nodes "$AFFINITY" --set "nodePerVector=0 $where" --set "tamPerVector=1MiB 1GiB" "${outputs[@]}"
		failed_with 3 "vector 1 takes 1 GiB, this machine can give 600 MiB just now"
	done
}

@test "a container's memory limit is found before memory is touched" {
	container 64
	for where in first local preferred:first interleave:first; do
		under files "$AFFINITY" --set "nodePerVector=$where" --set tamPerVector=64MiB "${outputs[@]}"
		failed_with 3 "vector 0 takes 64 MiB, the control group of this process can give 63.5 MiB just now" \
			"hint: make it smaller, or raise the memory limit (docker run --memory, sbatch --mem, systemd's MemoryMax)"
	done
	under files "$AFFINITY" --set tamPerVector=48MiB --set opType=null t.args out.txt
	[ "$status" -eq 0 ]
	container 64 32
	rm out.txt
	under files "$AFFINITY" --set tamPerVector=48MiB "${outputs[@]}"
	failed_with 3 "vector 0 takes 48 MiB, the control group of this process can give 31.5 MiB just now"
}

@test "a CPU quota is named by --check, with its remedy" {
	container 4096
	says /sys/fs/cgroup/system/job/cpu.max $'max 100000\n'
	under files "$AFFINITY" --check
	[[ $output != *"CPU quota"* ]]
	says /sys/fs/cgroup/system/cpu.max $'150000 100000\n'
	under files "$AFFINITY" --check
	[ "$status" -eq 0 ]
	grep -qx 'cpu_quota: 1.5 CPUs' <<<"$output"
	grep -A 1 'warning: a CPU quota limits this process' <<<"$output" | grep -q '^  hint: '
}

# Pages

@test "a kernel without a pool of that page size is told" {
	says /sys/kernel/mm/hugepages/hugepages-2048kB ''
	under files "$AFFINITY" --set pagesPerVector=2M "${outputs[@]}"
	failed_with 3 "vector 0: this kernel has no pool of 2 MiB pages" "hint: ls /sys/kernel/mm/hugepages shows the sizes it has"
}

# pool FREE: with the shim `files`, every node has so many free pages of 2 MiB.
pool() {
	local dir=/sys/devices/system/node n
	says /sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages "$1"$'\n'
	for n in 0 1; do
		says $dir/node$n/hugepages/hugepages-2048kB/free_hugepages "$1"$'\n'
		says $dir/node$n/hugepages/hugepages-2048kB/nr_hugepages $'20\n'
	done
}

# plans KEY=VALUE...: under --plan with pages of 2 MiB, on two nodes.
plans() {
	local set settings=()
	for set; do
		settings+=(--set "$set")
	done
	under files,nodes "$AFFINITY" --plan --set pagesPerVector=2M* "${settings[@]}" t.args
}

@test "a plan asks the pools as a run does: empty, too small, and what its own vectors take" {
	[ -d /sys/kernel/mm/hugepages/hugepages-2048kB ] || skip "this kernel has no pool of 2 MiB pages"
	two_nodes 4096 4096
	pool 0
	plans
	[ "$status" -eq 3 ]
	[[ $stderr == *"vector 0: 1 free page of 2 MiB is needed in the pool of node 0, 0 are there"* ]]
	[[ $stderr == *"hint: echo 21 | sudo tee /sys/devices/system/node/node0/hugepages/hugepages-2048kB/nr_hugepages"* ]]
	pool 4
	plans tamPerVector=8MiB
	[ "$status" -eq 0 ]
	plans tamPerVector=9MiB
	[ "$status" -eq 3 ]
	[[ $stderr == *"vector 0: 5 free pages of 2 MiB are needed in the pool of node 0, 4 are there"* ]]
	# earlier vectors take pages away, on their own node
	plans "nodePerVector=0 1 0" "vectorPerThread=0, 0, 0" "tamPerVector=6MiB 8MiB 2MiB"
	[ "$status" -eq 0 ]
	plans "nodePerVector=0 1 0" "vectorPerThread=0, 0, 0" "tamPerVector=6MiB 8MiB 4MiB"
	[ "$status" -eq 3 ]
	[ "$(grep -c 'free pages of 2 MiB' <<<"$stderr")" -eq 1 ]
	[[ $stderr == *"vector 2: 2 free pages of 2 MiB are needed in the pool of node 0, 1 is there"* ]]
	# interleaved, from both; preferred, from that node first; local, from any
	plans "nodePerVector=interleave:0,1 0" "vectorPerThread=0, 0" "tamPerVector=8MiB 4MiB"
	[ "$status" -eq 0 ]
	plans "nodePerVector=interleave:0,1 0" "vectorPerThread=0, 0" "tamPerVector=8MiB 6MiB"
	[[ $stderr == *"vector 1: 3 free pages of 2 MiB are needed in the pool of node 0, 2 are there"* ]]
	plans "nodePerVector=preferred:1 0 1" "vectorPerThread=0, 0, 0" "tamPerVector=10MiB 6MiB 2MiB"
	[ "$(grep 'free page' <<<"$stderr")" = "--set: vector 2: 1 free page of 2 MiB is needed in the pool of node 1, 0 are there" ]
	plans "nodePerVector=local" "vectorPerThread=0" "tamPerVector=18MiB"
	[[ $stderr == *"vector 0: 5 free pages of 2 MiB are needed in the pool of node 0, 4 are there"* ]]
}

# in_group VERSION: this process is in a group of a hierarchy with the controller hugetlb; $group is its folder.
in_group() {
	group=/sys/fs/cgroup/job
	if [ "$1" -eq 2 ]; then
		says /proc/self/cgroup $'0::/job\n'
		says /proc/self/mountinfo $'30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n'
	else
		says /proc/self/cgroup $'5:hugetlb:/job\n'
		says /proc/self/mountinfo $'30 24 0:26 / /sys/fs/cgroup rw - cgroup cgroup rw,hugetlb\n'
	fi
}

@test "a control group's limit of huge pages is found before a page is touched, which would kill the process" {
	local version file used
	two_nodes 4096 4096
	pool 64
	while read -r version file used; do
		rm -rf "$FILES/sys/fs/cgroup"
		in_group "$version"
		says "$group/hugetlb.2MB.$file" $'16777216\n'
		says "$group/hugetlb.2MB.$used" $'2097152\n'
		plans "nodePerVector=0 1" "vectorPerThread=0, 0" "tamPerVector=8MiB 6MiB"
		[ "$status" -eq 0 ]
		# earlier vectors count, wherever they are
		plans "nodePerVector=0 1" "vectorPerThread=0, 0" "tamPerVector=8MiB 8MiB"
		failed_with 3 "vector 1: 4 pages of 2 MiB are needed, the control group of this process can give 3" \
			"hint: make it smaller, or raise $group/hugetlb.2MB.$file (limits of Kubernetes: hugepages-2Mi, hugepages-1Gi)"
		plans "pagesPerVector=4K" "tamPerVector=64MiB"
		[ "$status" -eq 0 ]
	done <<-'END'
		2 max current
		2 rsvd.max rsvd.current
		1 limit_in_bytes usage_in_bytes
		1 rsvd.limit_in_bytes rsvd.usage_in_bytes
	END
}

@test "a limit of huge pages that others use up after the plan ends a run before a page is touched" {
	two_nodes 4096 4096
	pool 64
	in_group 2
	says "$group/hugetlb.2MB.max" $'16777216\n'
	says "$group/hugetlb.2MB.current" $'0\n'
	says "$group/hugetlb.2MB.current.later" $'16777216\n'
	under files,nodes FILES_LATER="$group/hugetlb.2MB.current" "$AFFINITY" --set pagesPerVector=2M "${outputs[@]}"
	failed_with 3 "vector 0: 1 page of 2 MiB is needed, the control group of this process can give 0"
}

@test "a page that moves counts once for the limit of a control group" {
	need_move_pages
	two_nodes 4096 4096
	pool 64
	in_group 2
	says "$group/hugetlb.2MB.max" $'8388608\n'
	plans opType=migrate nodePerVector=0 targetPerVector=1 tamPerVector=8MiB
	[ "$status" -eq 0 ]
}

@test "pages of a pool move into the pool of their target, and a plan asks that one, too" {
	need_move_pages
	[ -d /sys/kernel/mm/hugepages/hugepages-2048kB ] || skip "this kernel has no pool of 2 MiB pages"
	two_nodes 4096 4096
	pool 4
	says /sys/devices/system/node/node1/hugepages/hugepages-2048kB/free_hugepages $'3\n'
	plans opType=migrate nodePerVector=0 targetPerVector=1 tamPerVector=6MiB
	[ "$status" -eq 0 ]
	plans opType=migrate nodePerVector=0 targetPerVector=1 tamPerVector=8MiB
	failed_with 3 "vector 0, which is to move to node 1: 4 free pages of 2 MiB are needed in the pool of node 1, 3 are there" \
		"hint: echo 21 | sudo tee /sys/devices/system/node/node1/hugepages/hugepages-2048kB/nr_hugepages"
	# those that are there, and those that nobody moves
	plans opType=migrate nodePerVector=0 targetPerVector=0 tamPerVector=8MiB
	[ "$status" -eq 0 ]
	plans opType=migrate nodePerVector=0 targetPerVector=1 tamPerVector=8MiB there=yes
	[ "$status" -eq 0 ]
	plans opType=load nodePerVector=0 targetPerVector=1 tamPerVector=8MiB
	[ "$status" -eq 0 ]
	# a vector of that node takes its pages first, whatever the order
	plans "opType=migrate+idle" "nodePerThread=0 1" "nodePerVector=0 1" "targetPerVector=1 none" "vectorPerThread=0, 1" "tamPerVector=4MiB 4MiB"
	failed_with 3 "vector 0, which is to move to node 1: 2 free pages of 2 MiB are needed in the pool of node 1, 1 is there"
}

@test "a policy that may move pages into a pool with too few is warned of" {
	need_move_pages
	[ -d /sys/kernel/mm/hugepages/hugepages-2048kB ] || skip "this kernel has no pool of 2 MiB pages"
	two_nodes 4096 4096
	pool 8
	says /sys/devices/system/node/node1/hugepages/hugepages-2048kB/free_hugepages $'3\n'
	local moving=(opType=strsearch "nodePerThread=0 1" nodePerVector=0 tamPerVector=16MiB "vectorPerThread=0 1" policy=spm)
	plans "${moving[@]}"
	[ "$status" -eq 0 ]
	same "affinity: warning: vector 0: strsearch may move its pages of 2 MiB to node 1, whose pool has fewer free than the 4 \
of an even share: the kernel then makes them of free memory, which costs more
  hint: fill the pools of all nodes that have threads, or take pagesPerVector: thp" "$stderr"
	# where it has enough, and where nothing moves
	plans "${moving[@]}" tamPerVector=12MiB
	same '' "$stderr"
	plans "${moving[@]}" policy=baseline
	same '' "$stderr"
}

@test "pools of every size that kernels have are asked, each for its own pages" {
	[ "$(getconf PAGESIZE)" -eq 4096 ] || skip "64 KiB are a base page of other kernels"
	two_nodes 4096 4096
	local value kib text n dir
	while IFS='|' read -r value kib text; do
		[ ! -d "/sys/kernel/mm/hugepages/hugepages-${kib}kB" ] || continue
		plans "pagesPerVector=$value*" "tamPerVector=4KiB*"
		failed_with 3 "vector 0: this kernel has no pool of $text pages"
		says "/sys/kernel/mm/hugepages/hugepages-${kib}kB/free_hugepages" $'1\n'
		for n in 0 1; do
			dir=/sys/devices/system/node/node$n/hugepages/hugepages-${kib}kB
			says "$dir/free_hugepages" $'1\n'
			says "$dir/nr_hugepages" $'1\n'
		done
		plans "pagesPerVector=$value*" "tamPerVector=4KiB*"
		[ "$status" -eq 0 ]
		[[ $output == *", pages $value, "* ]]
		plans "pagesPerVector=$value*" "tamPerVector=$((kib + 1))KiB*"
		failed_with 3 "vector 0: 2 free pages of $text are needed in the pool of node 0, 1 is there" \
			"hint: echo 2 | sudo tee /sys/devices/system/node/node0/hugepages/hugepages-${kib}kB/nr_hugepages"
	done <<-'END'
		64K|64|64 KiB
		32M|32768|32 MiB
		512M|524288|512 MiB
	END
	# a page of one size is no page of another
	plans "nodePerVector=0 0 0" "vectorPerThread=0, 0, 0" "pagesPerVector=64K 32M 512M" "tamPerVector=4KiB*"
	[ "$status" -eq 0 ]
	plans "nodePerVector=0 0 0" "vectorPerThread=0, 0, 0" "pagesPerVector=64K 32M 64K" "tamPerVector=4KiB*"
	failed_with 3 "vector 2: 1 free page of 64 KiB is needed in the pool of node 0, 0 are there"
	under files,nodes "$AFFINITY" --topology
	[[ $output == *", 64 KiB pool 1 of 1 free,"*" 32 MiB pool 1 of 1 free, 512 MiB pool 1 of 1 free"* ]]
	plans "pagesPerVector=16K*"
	failed_with 3 "vector 0: this kernel's smallest page is 4 KiB, not 16K" "hint: pagesPerVector: base takes what the kernel has"
}

@test "a plan for another machine says that its pools cannot be asked" {
	machine "$TWO_NODES"
	try "$AFFINITY" --plan --set nodePerThread=0 --set nodePerVector=0 --set pagesPerVector=2M t.args
	[ "$status" -eq 0 ]
	[[ $output == *"pools of huge pages: unknown, as this is another machine"* ]]
	try "$AFFINITY" --plan --set nodePerThread=0 --set nodePerVector=0 t.args
	[[ $output != *"pools of huge pages"* ]]
}

@test "a plan skips the run of a sweep whose pages cannot be had, and keeps the others" {
	[ -d /sys/kernel/mm/hugepages/hugepages-2048kB ] || skip "this kernel has no pool of 2 MiB pages"
	two_nodes 4096 4096
	pool 0
	# shellcheck disable=SC2016 # a dollar sign of the file
	plans "sweep=pages = 4K 2M" 'pagesPerVector=$pages'
	[ "$status" -eq 0 ]
	[[ $output == *"run 2 of 2: pages=2M: skipped: "*"vector 0: 1 free page of 2 MiB is needed"* ]]
}

@test "a pool whose free pages are promised to others is told, and kills nobody" {
	local sizes=/sys/kernel/mm/hugepages/hugepages-2048kB file free
	[ -d $sizes ] || skip "this kernel has no pool of 2 MiB pages"
	free=$(<$sizes/free_hugepages)
	for file in $sizes/free_hugepages /sys/devices/system/node/node{0..9}/hugepages/hugepages-2048kB/free_hugepages; do
		[ ! -e "$file" ] || says "$file" "$((free + 16))"$'\n'
	done
	under files "$AFFINITY" --set pagesPerVector=2M --set "tamPerVector=$(((free + 8) * 2))MiB" "${outputs[@]}"
	failed_with 3 "other processes have reserved the free pages of the pool" "hint: grep Huge /proc/meminfo shows them as HugePages_Rsvd"
}

@test "transparent huge pages that are switched off are told" {
	says /sys/kernel/mm/transparent_hugepage/hpage_pmd_size $'2097152\n'
	says /sys/kernel/mm/transparent_hugepage/hugepages-2048kB/enabled ''
	says /sys/kernel/mm/transparent_hugepage/enabled $'always madvise [never]\n'
	under files "$AFFINITY" --set pagesPerVector=thp --set tamPerVector=4MiB "${outputs[@]}"
	failed_with 3 "vector 0: transparent huge pages are switched off" \
		"hint: echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled"
	under files "$AFFINITY" --set pagesPerVector=thp+base --set tamPerVector=4MiB "${outputs[@]}"
	failed_with 3 "vector 0: transparent huge pages are switched off" \
		"hint: echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled"
	says /sys/kernel/mm/transparent_hugepage/enabled $'always [madvise] never\n'
	under files "$AFFINITY" --set pagesPerVector=thp+base --set tamPerVector=2MiB "${outputs[@]}"
	failed_with 3 "vector 0: a half of it in huge pages of 2 MiB and one in small pages, but it takes no more than one huge page" \
		"hint: a larger tamPerVector; or pages of one size: pagesPerVector: thp or base, nodePerVector: local_2m or local_4k"
	sed '/^pagesPerVector/d' t.args >half.args
	sed -i '/^tamPerVector/d' half.args
	printf '%s\n' 'tamPerVector: 2MiB' 'pagesPerVector: thp+base' >>half.args
	under files "$AFFINITY" half.args half.txt
	failed_with 3 "half.args:$(grep -n '^pagesPerVector' half.args | cut -d: -f1): vector 0: a half of it" "hint: a larger tamPerVector"
	says /sys/kernel/mm/transparent_hugepage/hpage_pmd_size $'33554432\n'
	under files "$AFFINITY" --set nodePerVector=local_2m_4k --set tamPerVector=40MiB "${outputs[@]}"
	failed_with 3 "vector 0: local_2m_4k, but this kernel's pages are of 32 MiB and 4 KiB" \
		"hint: pagesPerVector: thp+base takes what the kernel has, with nodePerVector: a node"
	under files "$AFFINITY" --set nodePerVector=local_2m --set initOrderPerVector=hot_first --set tamPerVector=40MiB "${outputs[@]}"
	failed_with 3 "vector 0: local_2m, but this kernel's pages are of 32 MiB and 4 KiB" \
		"hint: pagesPerVector: thp takes what the kernel has, with nodePerVector: a node"
	says /sys/kernel/mm/transparent_hugepage/hpage_pmd_size ''
	under files "$AFFINITY" --set pagesPerVector=thp --set tamPerVector=4MiB "${outputs[@]}"
	failed_with 3 "vector 0: this kernel has no transparent huge pages" "hint: pagesPerVector: 2M takes huge pages from a pool"
	under files "$AFFINITY" --set nodePerVector=local_2m --set initOrderPerVector=hot_first --set tamPerVector=4MiB "${outputs[@]}"
	failed_with 3 "vector 0: this kernel has no transparent huge pages" "hint: ls"
}

@test "transparent huge pages of a chosen size that are switched off, or that the kernel lacks, are told" {
	folder=/sys/kernel/mm/transparent_hugepage
	says $folder/enabled $'always [madvise] never\n'
	says $folder/hugepages-256kB/enabled $'always inherit madvise [never]\n'
	under files "$AFFINITY" --set pagesPerVector=thp:256K --set tamPerVector=4MiB "${outputs[@]}"
	failed_with 3 "vector 0: transparent huge pages of 256 KiB are switched off" \
		"hint: echo madvise | sudo tee $folder/hugepages-256kB/enabled"
	says $folder/enabled $'always madvise [never]\n'
	says $folder/hugepages-256kB/enabled $'always [inherit] madvise never\n'
	under files "$AFFINITY" --set pagesPerVector=thp:256K --set tamPerVector=4MiB "${outputs[@]}"
	failed_with 3 "vector 0: transparent huge pages of 256 KiB are switched off" \
		"hint: echo madvise | sudo tee $folder/hugepages-256kB/enabled"
	says $folder/hugepages-256kB/enabled ''
	under files "$AFFINITY" --set pagesPerVector=thp:256K --set tamPerVector=4MiB "${outputs[@]}"
	failed_with 3 "vector 0: this kernel has no transparent huge pages of 256 KiB" \
		"hint: ls $folder shows the sizes it has (from Linux 6.8 on); pagesPerVector: thp takes the usual one"
}

@test "transparent huge pages of a chosen size that do not come are no proof" {
	[ "$(getconf PAGESIZE)" -eq 4096 ] || skip "needs base pages of 4 KiB"
	[[ $(cat /sys/kernel/mm/transparent_hugepage/hugepages-256kB/enabled 2>/dev/null) != *"[madvise]"* ]] || skip "they come here"
	says /sys/kernel/mm/transparent_hugepage/hugepages-256kB/enabled $'always inherit [madvise] never\n'
	under files "$AFFINITY" --set pagesPerVector=thp:256K --set tamPerVector=1MiB "${outputs[@]}"
	failed_with 3 "vector 0, asked for node " ": only 0 B of it are shown to be in transparent huge pages of 256 KiB"
}

# Memory for the driver itself

# asks_for KIND... -- COMMAND...: `requests` is how often it asks for memory when nothing is refused.
asks_for() {
	kinds=
	while [[ $1 != -- ]]; do
		kinds+=$1,
		shift
	done
	env LD_PRELOAD="$shims/memory.so" MEMORY_OF="$kinds" MEMORY_COUNT=count "${@:2}" >plain 2>plain.errors
	requests=$(<count)
	echo "$requests requests of $kinds"
	[ "$requests" -gt 0 ]
	rm -f out.txt
	before
}

# of N: one of every so many requests that N of them are refused; a third of N in a check, all in make check-turns.
of() {
	local n=$1
	[[ -n ${AFFINITY_TURNS-} ]] || n=$(((n + 2) / 3))
	echo $(((requests + n - 1) / n))
}

# survives STEP MORE COMMAND...: whichever request is refused (of every STEP-th one; MORE: + for all later ones too),
# it ends by itself, with a message, and leaves OUT whole or as it was.
survives() {
	local n code step=$1 more=$2 wrong=()
	shift 2
	# near the end files are written: there every request counts
	for ((n = 1; n <= requests; n += n < requests - 9 && step < requests - 9 - n ? step : 1)); do
		code=0
		MEMORY_OF=$kinds MEMORY_FAILS=$n$more LD_PRELOAD=$shims/memory.so "$@" >output 2>errors || code=$?
		((code == 0)) || { ((code == 1)) && [[ $(<errors) == *memory* ]]; } ||
			wrong+=("$n: exit $code: $(head -n 1 errors)")
		is_whole || wrong+=("$n: exit $code and half a result")
	done
	printf '%s\n' "${wrong[@]}"
	[ "${#wrong[@]}" -eq 0 ]
}

# is_whole: what there is of results is all of one, and no temporary file is left.
is_whole() {
	no_temporary_files || return 1
	[[ $(<earlier.json) == earlier ]] || { jq -e .elapsed_s earlier.json >/dev/null && before; } || return 1
	[[ ! -e out.txt ]] || { [[ $(<out.txt) == *$'\n - elapsed: '* ]] && rm out.txt; }
}

@test "whichever request for memory is refused, --plan ends with a message" {
	machine "numa:2(memory=8GB) core:1 pu:1"
	given
	asks_for malloc calloc realloc aligned -- "$AFFINITY" --plan t.args
	survives "$(of "$requests")" "" "$AFFINITY" --plan t.args
	survives "$(of $((requests / 7 + 1)))" + "$AFFINITY" --plan t.args
}

@test "whichever request for memory is refused, --topology of this machine ends with a message" {
	asks_for malloc calloc realloc aligned -- "$AFFINITY" --topology
	survives "$(of 60)" "" "$AFFINITY" --topology
}

@test "whichever request for memory is refused, a measurement ends with a message and without half a result" {
	asks_for malloc calloc realloc aligned -- "$AFFINITY" "${outputs[@]}"
	survives "$(of 70)" "" "$AFFINITY" "${outputs[@]}"
	survives "$(of 20)" + "$AFFINITY" "${outputs[@]}"
}

@test "whichever mapping is refused, a measurement ends with a message" {
	not_with_libomp
	asks_for mmap -- "$AFFINITY" "${outputs[@]}"
	survives 1 "" "$AFFINITY" "${outputs[@]}"
	MEMORY_OF=mmap MEMORY_FAILS=1+ under memory "$AFFINITY" "${outputs[@]}"
	failed_with 1 "t.args:3: vector 0: cannot reserve 64 KiB: Cannot allocate memory"
}

@test "a process that may have no more memory ends with a message" {
	local limit
	for limit in 20000 40000 50000 60000 70000 80000; do
		# shellcheck disable=SC2016 # expanded by the inner shell
		try bash -c 'ulimit -v "$1"; shift; "$@"' - "$limit" "$AFFINITY" --set nodePerThread=first*2 --set oversubscribe=yes \
			--set "vectorPerThread=0 1" t.args out.txt
		[ "$status" -le 1 ] || [[ $stderr == *"error while loading shared libraries"* ]]
		[ "$status" -eq 0 ] || [ -n "$stderr" ]
		rm -f out.txt
	done
}

# resident SAMPLES: sets `kib`, the most memory that a run of so many samples held until its document was made. The
# document goes into a pipe, which holds only a part of it, so the program is there when the first line is.
resident() {
	local line reader
	rm -f pipe
	mkfifo pipe
	"$AFFINITY" --quiet --set opType=null --set passes=1 --set warmup=0 --set numIter="$1" --json pipe t.args out.txt 3>&- &
	exec {reader}<pipe
	read -r line <&$reader
	kib=$(sed -n 's/^VmHWM:\s*\([0-9]*\) kB/\1/p' /proc/$!/status)
	{
		echo "$line"
		cat <&$reader
	} >out.json
	exec {reader}<&-
	wait $!
}

@test "a document is written from its samples, and never in memory as a whole tree of values" {
	resident 200
	local few=$kib few_kib=$(($(stat -c %s out.json) / 1024))
	resident 1700
	jq -e '[.runs[0].operations[0].threads[0].samples | length] == [1700]' out.json >/dev/null
	local grown=$((kib - few)) written=$(($(stat -c %s out.json) / 1024 - few_kib))
	echo "$grown KiB more for $written KiB more of text"
	# the text takes up to twice its size; a tree takes four times that size besides
	[ $grown -lt $((4 * written)) ]
}

# refused_all NAME COMMAND...: whichever request of these kinds is refused, it ends by itself, and says so unless it
# ends well.
refused_all() {
	local n code wrong=() step name=$1
	step=$(of 60)
	shift
	for ((n = 1; n <= requests; n += step)); do
		code=0
		MEMORY_OF=$kinds MEMORY_FAILS=$n LD_PRELOAD=$shims/memory.so "$@" >output 2>errors || code=$?
		((code == 0)) || { ((code == 1)) && [[ $(<errors) == *memory* ]]; } ||
			wrong+=("$name, $n: exit $code: $(head -n 1 errors)")
		no_temporary_files || wrong+=("$name, $n: a temporary file")
	done
	printf '%s\n' "${wrong[@]}"
	[ "${#wrong[@]}" -eq 0 ]
}

@test "whichever request for memory is refused, affinity-map and affinity-report end with a message" {
	local kind command
	mkdir results
	cp "$root/tests/golden/report/here/own/mine.json" results
	for kind in malloc calloc realloc; do
		# by counters where there are any: PAPI asks for memory, too
		command=("$AFFINITY-map" --mapping "instruction,os" --threads 1 --json map.json --out map.txt -- true)
		asks_for $kind -- "${command[@]}"
		refused_all "affinity-map, $kind" "${command[@]}"
		command=("$AFFINITY-report" results)
		asks_for $kind -- "${command[@]}"
		refused_all "affinity-report, $kind" "${command[@]}"
	done
}

# Threads

@test "threads that cannot be started are told" {
	given "nodePerThread: first*8" "nodePerVector: first" "tamPerVector: 64KiB" "vectorPerThread: $(seq -s ' ' 0 7)" "oversubscribe: yes"
	for started in 1 4 7; do
		under threads THREADS_FAIL=$started "$AFFINITY" "${outputs[@]}"
		failed_with 1 "affinity: 8 threads are needed and $started can be started: Resource temporarily unavailable" \
			"hint: ulimit -u, ulimit -v and the pids.max of the control group (systemd: TasksMax) limit them"
	done
}

@test "threads that the OpenMP runtime cannot start are told by it, and are exit 1" {
	not_with_libomp
	given "nodePerThread: first*8" "nodePerVector: first" "tamPerVector: 64KiB" "vectorPerThread: $(seq -s ' ' 0 7)" "oversubscribe: yes"
	under threads THREADS_FAIL=10 "$AFFINITY" "${outputs[@]}"
	failed_with 1 "Resource temporarily unavailable"
}

@test "a thread that cannot be started to set the flag is told" {
	# nothing is touched, so no other thread is started
	printf '%s\n' "opType: null" "nodePerThread: first" "mode: time:5ms" "stoppedBy: flag" "numIter: 2" >t.args
	under threads THREADS_FAIL=1 "$AFFINITY" "${outputs[@]}"
	failed_with 1 "affinity: stoppedBy: flag: no thread to set it: Resource temporarily unavailable" \
		"hint: stoppedBy: clock needs none; ulimit -u, ulimit -v and the pids.max of the control group limit threads"
	under threads THREADS_FAIL=1 "$AFFINITY" --quiet --set stoppedBy=clock t.args -
	[ "$status" -eq 0 ]
}

@test "a user who may have few threads is told" {
	need_nobody
	given "nodePerThread: first*300" "nodePerVector: first" "tamPerVector: 64KiB" "vectorPerThread: $(seq -s ' ' 0 299)" "oversubscribe: yes"
	# shellcheck disable=SC2016 # expanded by the inner shell
	try "${nobody[@]}" bash -c 'ulimit -u 100; exec "$@"' - "$AFFINITY" t.args out.txt
	failed_with 1 "affinity: 300 threads are needed and " " can be started: Resource temporarily unavailable"
}

@test "300 threads that oversubscribe a few CPUs are measured" {
	given "nodePerThread: first*300" "nodePerVector: first" "tamPerVector: 64KiB" "vectorPerThread: $(seq -s ' ' 0 299)" \
		"oversubscribe: yes" "numIter: 2"
	try "$AFFINITY" --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	jq -e '.runs[0].operations[0].threads | length == 300 and all(.samples | length >= 2)' out.json >/dev/null
	[ "$(grep -c ' Thread [0-9]*: ' out.txt)" -eq 300 ]
}
