#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The kernel refuses to place threads and pages, or does not do what it says, or somebody moves them afterwards:
# found before a figure is printed, by the driver itself.

bats_require_minimum_version 1.5.0 # run --separate-stderr
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

setup() { small_run; }

# sandbox CALL=ERROR... -- [OPTION]...: measures where system calls fail so.
sandbox() {
	local rules=()
	while [[ $1 != -- ]]; do
		rules+=("$1")
		shift
	done
	try "$tools/refuse" "${rules[@]}" "$@"
	[ "$status" -ne 77 ] || skip "no seccomp filters here: $stderr"
}

# two_vectors: one on each of the two nodes, both touched from the first, and a thread on each.
two_vectors() {
	two_nodes 4000 4000
	given "initPerVector: thread:0*" "tamPerVector: 64KiB*" "numIter: 2"
}

@test "threads that may not be bound are told, with what forbids it" {
	not_with_libomp
	[ "$(usable_cpus | wc -l)" -gt 1 ] || skip "there is one CPU only, and every thread is on it"
	for error in "EPERM Operation not permitted" "EINVAL Invalid argument" "ENOSYS Function not implemented"; do
		sandbox "sched_setaffinity=${error%% *}" -- "$AFFINITY" --set nodePerThread=first*2 --set oversubscribe=yes \
			--set "vectorPerThread=0 1" "${outputs[@]}"
		failed_with 3 "affinity: thread " " cannot be bound to CPU " ": ${error#* }" "hint: the CPU may have gone offline"
	done
}

@test "a kernel that does not say which CPUs may be used is told" {
	sandbox sched_getaffinity=EPERM -- "$AFFINITY" "${outputs[@]}"
	failed_with 1 "the kernel does not say which CPUs may be used (sched_getaffinity: Operation not permitted)" \
		"hint: a sandbox forbids it"
}

@test "where there is one CPU only, threads need not be bound" {
	for error in EPERM ENOSYS; do
		try taskset -c "$(usable_cpus | head -n 1)" "$tools/refuse" "sched_setaffinity=$error" -- "$AFFINITY" \
			--set nodePerThread=first*2 --set oversubscribe=yes --set "vectorPerThread=0 1" --json out.json t.args out.txt
		[ "$status" -ne 77 ] || skip "no seccomp filters here: $stderr"
		[ "$status" -eq 0 ]
		jq -e --argjson cpu "$(usable_cpus | head -n 1)" '[.runs[0].threads[].cpu] == [$cpu, $cpu]' out.json >/dev/null
	done
}

@test "a sandbox that agrees to bind threads and does not is found out" {
	[ "$(usable_cpus | wc -l)" -gt 1 ] || skip "there is one CPU only, and every thread is on it"
	sandbox sched_setaffinity=OK -- "$AFFINITY" "${outputs[@]}"
	failed_with 3 "threads that touch vectors do not stay on their CPUs" "a sandbox ignores sched_setaffinity"
	sandbox sched_setaffinity=OK -- "$AFFINITY" --set opType=null "${outputs[@]}"
	[ "$status" -eq 3 ]
	printf '%s\n' "opType: null" "nodePerThread: first" >t.args
	sandbox sched_setaffinity=OK -- "$AFFINITY" "${outputs[@]}"
	failed_with 3 "null: threads were moved off their CPUs in 6 samples in a row"
}

@test "with verify: warn a sandbox that does not bind threads is warned of" {
	[ "$(usable_cpus | wc -l)" -gt 1 ] || skip "there is one CPU only, and every thread is on it"
	sandbox sched_setaffinity=OK -- "$AFFINITY" --set verify=warn --json out.json t.args out.txt
	warned "threads that touch vectors do not stay on their CPUs" "read: threads were moved off their CPUs in 6 samples in a row"
	jq -e '.runs[0].operations[0].samples.moved == 2 and .runs[0].threads[0].cpu_shown_by != "sched_getaffinity"' out.json >/dev/null
	grep -Eq '^ - CPU of thread 0: shown by (getcpu|nothing)$' out.txt
}

@test "on one node memory policies that are forbidden are warned of, once" {
	[ "$("$AFFINITY" --topology | grep -c '^node .*available')" -eq 1 ] || skip "there is more than one node with memory"
	sandbox mbind=EPERM -- "$AFFINITY" --set "nodePerVector=first*2" --set "tamPerVector=64KiB*" \
		--set "vectorPerThread=0, 0" --json out.json t.args out.txt
	warned "memory policies are forbidden here; left to the kernel's default"
	[ "$(grep -c 'memory policies' out.txt)" -eq 1 ]
	sandbox mbind=ENOSYS -- "$AFFINITY" --json out.json t.args out.txt
	warned "the kernel has no memory policies; left to the kernel's default"
}

@test "a memory policy that the kernel does not accept is told" {
	two_nodes 4000 4000
	given "tamPerVector: 64KiB*"
	LD_PRELOAD=$shims/files.so sandbox mbind=EINVAL -- "$AFFINITY" "${outputs[@]}"
	failed_with 3 "t.args:3: vector 0: the kernel refuses the memory policy: Invalid argument" \
		"hint: a node may have gone offline or out of this process's cpuset"
}

# without_policies COMMAND...: on two nodes, whose kernel accepts no policy.
without_policies() {
	two_vectors
	rm -f out.txt asked
	under files,nodes NODES_REFUSES="${refuses-mbind}" NODES_REFUSED=asked "$@"
}

@test "without policies a thread of each vector's node touches it first, whoever was to do it" {
	for where in "0 1" "preferred:0 preferred:1"; do
		without_policies "$AFFINITY" --set "nodePerVector=$where" --json out.json t.args out.txt
		warned "memory policies are forbidden here; a thread of each vector's node touches it first, whatever initPerVector says"
		[[ $stderr == *"hint: in a container: docker run or podman run --cap-add SYS_NICE"* ]]
		jq -e '[.runs[0].vectors[].found | .pages_on_node, .touched_by_cpu] == [{"0": 16}, 0, {"1": 16}, 1]' out.json >/dev/null
		[ "$(<asked)" = mbind ]
	done
}

@test "without policies and without answers the counts are the proof" {
	refuses="mbind move_pages" without_policies "$AFFINITY" --json out.json t.args out.txt
	warned "memory policies are forbidden here; a thread of each vector's node touches it first, whatever initPerVector says" \
		"the kernel does not say where each page is (move_pages: Operation not permitted): its counts of each vector in /proc/self/numa_maps are the proof"
	shown_by numa_maps
	jq -e '[.runs[0].vectors[].found.pages_on_node] == [{"0": 16}, {"1": 16}]' out.json >/dev/null
	[ "$(sort asked | tr '\n' ' ')" = "mbind move_pages " ]
	refuses="mbind move_pages" without_policies NODES_STRAY=1 "$AFFINITY" "${outputs[@]}"
	failed_with 3 "vector 0, asked for node 0: 1 of 16 pages is elsewhere (node 0: 15, node 1: 1)"
}

@test "without policies a node on which no thread may run is refused, and local vectors are not" {
	two_vectors
	for where in 1 preferred:1 interleave:0,1; do
		while IFS='|' read -r error text hint; do
			LD_PRELOAD=$shims/files.so sandbox "mbind=$error" -- taskset -c 0 "$AFFINITY" --set nodePerThread=0 \
				--set "vectorPerThread=0, 0" --set "nodePerVector=0 $where" "${outputs[@]}"
			failed_with 3 "vector 1, asked for node ${where/,/-}: the kernel refuses memory policies (mbind: $text), and no thread of this process may run on node 1 to touch it first" \
				"hint: $hint"
		done <<-'END'
			EPERM|Operation not permitted|give a container the right to them: docker run or podman run --cap-add SYS_NICE
			ENOSYS|Function not implemented|this kernel was built without NUMA: use nodePerVector: local
		END
	done
	LD_PRELOAD=$shims/files.so sandbox mbind=EPERM -- taskset -c 0 "$AFFINITY" --set nodePerThread=0 \
		--set "vectorPerThread=0, 0" --set "nodePerVector=0 local" --json out.json t.args out.txt
	warned "memory policies are forbidden here; left to the kernel's default"
}

@test "without policies pages are interleaved in no order, and an order is refused" {
	without_policies "$AFFINITY" --set nodePerVector=interleave* --set initOrderPerVector=hot_last* "${outputs[@]}"
	failed_with 3 "vector 0: without memory policies its pages are interleaved by threads that touch them in turn, not hot_last" \
		"hint: initOrderPerVector: any; or give a container the right to policies: docker run or podman run --cap-add SYS_NICE"
}

@test "page tables that the kernel does not put on a node are told" {
	sandbox set_mempolicy=EPERM -- "$AFFINITY" --set tablesPerVector=first --set pagesPerVector=base* "${outputs[@]}"
	failed_with 3 "vector 0: the kernel refuses the policy that puts its page tables on node " \
		"(set_mempolicy: Operation not permitted)" \
		"hint: in a container: docker run or podman run --cap-add SYS_NICE gives the right to it"
}

@test "page tables that the nodes' counts do not show end the run, and too few to be shown are warned of" {
	two_vectors
	given "nodePerThread: 0" "nodePerVector: 1" "vectorPerThread: 0" "tablesPerVector: 0" "tamPerVector: 160MiB" "pagesPerVector: 4K" \
		"opType: null" "numIter: 1"
	rm -f out.txt
	under files,nodes "$AFFINITY" "${outputs[@]}"
	failed_with 3 "t.args:6: vector 0: page tables on node 0 grew by 0 while it was touched, it has 8" \
		"; elsewhere by 0" "hint: other programs' page tables count as well: measure when they are quiet; a full node gives no tables"
	under files,nodes "$AFFINITY" --set verify=warn --json out.json t.args out.txt
	warned "vector 0: page tables on node 0 grew by 0 while it was touched, it has 8"
	under files,nodes "$AFFINITY" --set tamPerVector=32MiB --json out.json t.args out.txt
	warned "vector 0: page tables on node 0 grew by 0 while it was touched, it has "
	jq -e '.runs[0].vectors[0] | .tables_node == 0 and .found.page_tables.more_on_node == 0 and
		(.found.page_tables.only_node_with_memory | not)' out.json >/dev/null
	grep -q ' page tables on node 0: 0 more there than before, 0 more elsewhere (too few to be shown)' out.txt
}

# shown_by PROOF: every vector is whole on a node, before and after the samples, and this showed it.
shown_by() {
	jq -e --arg by "$1" '[.runs[].vectors[] | .found, .found_again[]] | length > 0 and
		all(.nodes_shown_by == $by and .pages_moved_during_run == 0 and .pages_absent == 0 and
			([.pages_on_node[]] | length == 1))' out.json >/dev/null
	grep -q "^ - Vector 0 .* found: node .* pages of .* (shown by $1" out.txt
}

@test "the results name what showed where pages are" {
	need_move_pages
	sandbox mbind=OK -- "$AFFINITY" --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	shown_by move_pages
}

@test "where the kernel may not be asked for each page its counts are the proof, and that is told once" {
	[ -e /proc/self/numa_maps ] || skip "this kernel has no /proc/self/numa_maps"
	for error in "EPERM Operation not permitted" "ENOSYS Function not implemented"; do
		rm -f out.txt
		sandbox "move_pages=${error%% *}" -- "$AFFINITY" --set "nodePerVector=first*3" --set "tamPerVector=64KiB 4MiB 8KiB" \
			--set "vectorPerThread=0, 0, 0" --json out.json t.args out.txt
		warned "the kernel does not say where each page is (move_pages: ${error#* }): its counts of each vector in /proc/self/numa_maps are the proof"
		[[ $stderr == *"hint: in a container: docker run or podman run --security-opt seccomp=unconfined"* ]]
		[ "$(grep -c move_pages: <<<"$stderr")" -eq 1 ]
		[ "$(grep -c move_pages: out.txt)" -eq 1 ]
		shown_by numa_maps
	done
}

@test "without counts either one node proves itself" {
	says /proc/self/numa_maps ''
	[ "$("$AFFINITY" --topology | grep -c '^node .*available')" -eq 1 ] || skip "there is more than one node with memory"
	LD_PRELOAD=$shims/files.so sandbox move_pages=EPERM -- "$AFFINITY" --json out.json t.args out.txt
	warned "the kernel does not say where each page is (move_pages: Operation not permitted): the proof is that only one node has memory"
	shown_by "one node"
}

@test "one node is no proof where /sys is hidden and the cpuset names more, or nothing says how many there are" {
	says /proc/self/numa_maps ''
	says /sys/devices/system/node/has_memory ''
	says /proc/self/status $'Mems_allowed_list:\t0-1\n'
	LD_PRELOAD=$shims/files.so sandbox move_pages=EPERM -- "$AFFINITY" "${outputs[@]}"
	failed_with 3 "the kernel does not say where pages are (move_pages: Operation not permitted)"
	says /proc/self/status ''
	LD_PRELOAD=$shims/files.so sandbox move_pages=EPERM -- "$AFFINITY" "${outputs[@]}"
	failed_with 3 "the kernel does not say where pages are (move_pages: Operation not permitted)"
	# a kernel without NUMA has no such call; a filter refuses those that there are
	LD_PRELOAD=$shims/files.so sandbox move_pages=ENOSYS -- "$AFFINITY" --json out.json t.args out.txt
	warned "the kernel does not say where each page is (move_pages: Function not implemented): the proof is that only one node has memory"
	shown_by "one node"
}

# counted [KEY=VALUE]... COMMAND...: on two nodes, whose kernel counts pages and does not tell of each.
counted() {
	[ -e /proc/self/numa_maps ] || skip "this kernel has no /proc/self/numa_maps"
	two_vectors
	rm -f out.txt asked
	under files,nodes NODES_REFUSES="${refuses-move_pages}" NODES_REFUSED=asked "$@"
}

@test "the counts show on which of two nodes each vector is, and the refused call is made once" {
	counted "$AFFINITY" --set placements=3 --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	shown_by numa_maps
	jq -e '[.runs[0].vectors[] | [.found, .found_again[] | .pages_on_node]] == [[{"0": 16}, {"0": 16}, {"0": 16}],
		[{"1": 16}, {"1": 16}, {"1": 16}]]' out.json >/dev/null
	[ "$(<asked)" = move_pages ]
	# shellcheck disable=SC2016 # a variable of the sweep
	counted "$AFFINITY" --set "sweep=w = 0 1" --set 'nodePerVector=$w 1' --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	[ "$(<asked)" = move_pages ]
}

@test "by the counts one page elsewhere is found, before and after the samples" {
	counted NODES_STRAY=1 "$AFFINITY" "${outputs[@]}"
	failed_with 3 "t.args:3: vector 0, asked for node 0: 1 of 16 pages is elsewhere (node 0: 15, node 1: 1)"
	counted NODES_STRAY_LATE=1 "$AFFINITY" "${outputs[@]}"
	failed_with 3 "t.args:3: vector 0, asked for node 0: 1 of 16 pages moved during the run"
}

@test "on two nodes a kernel that does not tell where pages are proves nothing" {
	two_vectors
	says /proc/self/numa_maps ''
	under files,nodes NODES_REFUSES=move_pages "$AFFINITY" "${outputs[@]}"
	failed_with 3 "the kernel does not say where pages are (move_pages: Operation not permitted)" \
		"hint: there is no /proc/self/numa_maps either" "docker run or podman run --security-opt seccomp=unconfined"
	under files,nodes NODES_REFUSES=move_pages "$AFFINITY" --set verify=warn --json out.json t.args out.txt
	warned "the kernel does not say where pages are (move_pages: Operation not permitted)"
	grep -q '^ - Vector 0 .* found: on unknown nodes, pages of 4 KiB' out.txt
	jq -e '.runs[0].vectors[0].found | .pages_on_node == {} and .nodes_shown_by == null' out.json >/dev/null
}

@test "a page size that is refused is told" {
	for pages in 4K thp; do
		[[ $pages != thp ]] || has_thp || continue
		sandbox madvise=EPERM -- "$AFFINITY" --set "pagesPerVector=$pages" --set tamPerVector=4MiB "${outputs[@]}"
		failed_with 3 "vector 0: the kernel refuses the page size: Operation not permitted"
	done
}

@test "the results name what showed the sizes of pages, and say once when nothing does" {
	try "$AFFINITY" --json out.json t.args out.txt
	by=$(jq -r '.runs[0].vectors[0].found.sizes_shown_by' out.json)
	[[ $by == pagemap || $by == smaps ]]
	grep -q "^ - Vector 0 .* (shown by .*, $by); touched" out.txt
	says /proc/self/pagemap ''
	under files "$AFFINITY" --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	jq -e '.runs[0].vectors[0].found | .sizes_shown_by == "smaps" and .kernel_page_bytes > 0' out.json >/dev/null
	says /proc/self/smaps ''
	under files "$AFFINITY" --set "nodePerVector=first*2" --set "vectorPerThread=0, 0" --set "tamPerVector=64KiB*" --json out.json t.args out.txt
	warned "the kernel does not show the sizes of the vectors' pages"
	[[ $stderr == *"hint: neither /proc/self/pagemap nor /proc/self/smaps"* ]]
	[ "$(grep -c "sizes of the vectors' pages" out.txt)" -eq 1 ]
	jq -e 'all(.runs[0].vectors[].found; .sizes_shown_by == null and .kernel_page_bytes == 0)' out.json >/dev/null
	rm out.txt
	if has_thp; then
		before
		under files "$AFFINITY" --set pagesPerVector=thp --set tamPerVector=4MiB "${outputs[@]}"
		failed_with 3 "vector 0, asked for node " ": the kernel does not show whether it is in transparent huge pages"
	fi
}

has_thp() {
	[[ $(cat /sys/kernel/mm/transparent_hugepage/enabled) != *"[never]"* ]] 2>/dev/null
}

@test "a machine of two nodes that follows its policies is measured" {
	two_vectors
	for where in "0 1" "1 0" "interleave:0,1 1" "preferred:1 local" "bind:0,1 preferred:0,1"; do
		under files,nodes "$AFFINITY" --set "nodePerVector=$where" --json out.json t.args out.txt
		[ "$status" -eq 0 ]
	done
}

@test "one page elsewhere is found, and nothing is measured" {
	two_vectors
	under files,nodes NODES_STRAY=1 "$AFFINITY" "${outputs[@]}"
	failed_with 3 "t.args:3: vector 0, asked for node 0: 1 of 16 pages is elsewhere (node 0: 15, node 1: 1)" \
		"hint: free memory on that node"
	under files,nodes NODES_STRAY=0 "$AFFINITY" --set "nodePerVector=interleave:0,1 1" "${outputs[@]}"
	failed_with 3 "vector 1, asked for node 1: 1 of 16 pages is elsewhere (node 0: 1, node 1: 15)"
	under files,nodes NODES_STRAY=1 "$AFFINITY" --set "nodePerVector=local 1" "${outputs[@]}"
	failed_with 3 "vector 0, asked for node local: its pages are not on the node of the thread that touched it"
}

@test "pages that are not in memory were never there, or are being moved just then, where the kernel moves pages" {
	local freeing="hint: free memory on that node (numactl -H, numastat)"
	two_vectors
	says /proc/sys/kernel/numa_balancing $'0\n'
	under files,nodes NODES_STRAY=-2 "$AFFINITY" "${outputs[@]}"
	failed_with 3 "t.args:3: vector 0, asked for node 0: 1 of 16 pages is not in memory" "$freeing or choose another"
	[[ $stderr != *balancing* ]]
	says /proc/sys/kernel/numa_balancing $'1\n'
	under files,nodes NODES_STRAY=-2 "$AFFINITY" "${outputs[@]}"
	failed_with 3 "t.args:3: vector 0, asked for node 0: 1 of 16 pages is not in memory" \
		"$freeing; or automatic NUMA balancing moves them just then (kernel.numa_balancing = 1): sudo sysctl kernel.numa_balancing=0"
	under files,nodes NODES_STRAY=1 "$AFFINITY" "${outputs[@]}"
	failed_with 3 "1 of 16 pages is elsewhere" "$freeing or choose another"
}

@test "with verify: warn one page elsewhere is warned of, and preferred nodes only promise to try" {
	two_vectors
	under files,nodes NODES_STRAY=1 "$AFFINITY" --set verify=warn --json out.json t.args out.txt
	warned "vector 0, asked for node 0: 1 of 16 pages is elsewhere (node 0: 15, node 1: 1)"
	jq -e '.runs[0].vectors[0].found.pages_on_node == {"0": 15, "1": 1}' out.json >/dev/null
	under files,nodes NODES_STRAY=1 "$AFFINITY" --set "nodePerVector=preferred:0 1" --json out.json t.args out.txt
	warned "vector 0, asked for node preferred:0: 1 of 16 pages is elsewhere"
}

@test "pages that move during the run are found at its end" {
	two_vectors
	under files,nodes NODES_STRAY_LATE=1 "$AFFINITY" "${outputs[@]}"
	failed_with 3 "t.args:3: vector 0, asked for node 0: 1 of 16 pages moved during the run" \
		"hint: automatic NUMA balancing, a changed cpuset or migratepages move pages"
	under files,nodes NODES_STRAY_LATE=1 "$AFFINITY" --set verify=warn --json out.json t.args out.txt
	warned "vector 0, asked for node 0: 1 of 16 pages moved during the run"
	jq -e '[.runs[0].vectors[].found.pages_moved_during_run] == [1, 0]' out.json >/dev/null
}

@test "every placement is proven, before and after its samples" {
	two_vectors
	# the vectors of the first placement are the first two mappings
	for late in "" _LATE; do
		under files,nodes NODES_STRAY$late=1 NODES_STRAY_AFTER=2 "$AFFINITY" --set placements=1 --json out.json t.args out.txt
		[ "$status" -eq 0 ]
		rm out.txt
		under files,nodes NODES_STRAY$late=1 NODES_STRAY_AFTER=2 "$AFFINITY" --set placements=2 "${outputs[@]}"
		failed_with 3 "t.args:3: vector 0, asked for node 0: 1 of 16 pages "
	done
	under files,nodes NODES_STRAY=1 NODES_STRAY_AFTER=4 "$AFFINITY" --set placements=3 --set verify=warn --json out.json t.args out.txt
	warned "vector 0, asked for node 0: 1 of 16 pages is elsewhere (node 0: 15, node 1: 1)"
	jq -e '.runs[0].vectors[0] | [.found.pages_on_node, .found_again[].pages_on_node] == [{"0": 16}, {"0": 16}, {"0": 15, "1": 1}]' \
		out.json >/dev/null
	grep -qF " the first time; placement 3 found: node 0: 15 pages, node 1: 1 page of 4 KiB" out.txt
	under files,nodes NODES_STRAY_LATE=1 NODES_STRAY_AFTER=2 "$AFFINITY" --set placements=2 --set verify=warn --json out.json t.args out.txt
	jq -e '.runs[0].vectors[0] | [.found, .found_again[] | .pages_moved_during_run] == [0, 1]' out.json >/dev/null
}

@test "pages that exchange their nodes during the run are found, though as many are on each" {
	need_move_pages
	two_vectors
	under files,nodes NODES_SWAP_LATE=yes "$AFFINITY" --set "nodePerVector=interleave:0,1 1" "${outputs[@]}"
	failed_with 3 "vector 0, asked for node interleave:0-1: 2 of 16 pages moved during the run"
}

@test "pages are proven at the end of each operation, also those that come back later" {
	need_move_pages
	two_vectors
	sed -i "s/^opType:.*/opType: read write null/" t.args
	under files,nodes NODES_STRAY_LATE=1 NODES_STRAY_QUERY=3 "$AFFINITY" "${outputs[@]}"
	failed_with 3 "t.args:3: vector 0, asked for node 0: 1 of 16 pages moved during the run, by the end of write"
	[[ $stderr != *"end of null"* ]]
	under files,nodes NODES_STRAY_LATE=1 NODES_STRAY_QUERY=3 "$AFFINITY" --set verify=warn --json out.json t.args out.txt
	warned "vector 0, asked for node 0: 1 of 16 pages moved during the run, by the end of write" \
		"vector 0, asked for node 0: 1 of 16 pages moved during the run, by the end of null"
	[[ $stderr != *"end of read"* ]]
	jq -e '[.runs[0].vectors[].found.pages_moved_during_run] == [2, 0]' out.json >/dev/null
}

@test "pages are proven at the end of each operation when samples are interleaved, and of each thread alone" {
	two_vectors
	under files,nodes NODES_STRAY_LATE=1 NODES_STRAY_QUERY=3 "$AFFINITY" --set interleave=yes --set "opType=read write null" "${outputs[@]}"
	failed_with 3 "vector 0, asked for node 0: 1 of 16 pages moved during the run, by the end of "
	under files,nodes NODES_STRAY_LATE=1 NODES_STRAY_QUERY=3 "$AFFINITY" --set solo=yes --set "opType=read" "${outputs[@]}"
	failed_with 3 "vector 0, asked for node 0: 1 of 16 pages moved during the run, by the end of read"
}

@test "a run of a sweep whose pages move is left out, and the others are kept, in order and interleaved" {
	two_vectors
	printf '%s\n' 'sweep: k = read write' >>t.args
	sed -i "s/^opType:.*/opType: \$k/" t.args
	for order in no yes; do
		# the vectors of the first run are the first two mappings
		under files,nodes NODES_STRAY_LATE=1 NODES_STRAY_AFTER=2 "$AFFINITY" --set interleave=$order --json out.json t.args out.txt
		[ "$status" -eq 0 ]
		[[ $stderr == *"warning: run k=write is skipped: t.args:3: vector 0, asked for node 0: 1 of 16 pages moved during the run, by the end of write"* ]]
		jq -e '(.runs[0].operations | length == 1) and (.runs[1].skipped | contains("pages moved"))' out.json >/dev/null
	done
}

@test "a run that is left out says why, not what it was warned of before" {
	two_vectors
	printf '%s\n' 'sweep: k = read write' 'sleep: 5' >>t.args
	sed -i "s/^opType:.*/opType: \$k/; s/^nodePerThread:.*/nodePerThread: 0/; s/^vectorPerThread:.*/vectorPerThread: 0, 0/" t.args
	under files,nodes NODES_STRAY=1 NODES_STRAY_AFTER=2 "$AFFINITY" --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	[[ $stderr == *"warning: sleep has one value"* ]]
	local why="t.args:3: vector 0, asked for node 0: 1 of 16 pages is elsewhere"
	[[ $stderr == *"warning: run k=write is skipped: $why"* ]]
	jq -e --arg why "$why" '.runs[1].skipped | startswith($why)' out.json >/dev/null
	grep -qF "not measured: $why" out.txt
	rm out.txt
	under files,nodes NODES_STRAY=1 "$AFFINITY" "${outputs[@]}"
	failed_with 3 "affinity: no run of the sweep could be placed
  hint: the first of them: t.args:3: vector 0, asked for node 0: 1 of 16 pages is elsewhere"
}

@test "what the kernel did to pages of the machine meanwhile is warned of, with the operation" {
	two_vectors
	says /proc/vmstat $'pgmigrate_success 100\nthp_split_page 7\nthp_split_pmd 1\n'
	says /proc/vmstat.later $'pgmigrate_success 133\nthp_split_page 9\nthp_split_pmd 2\n'
	under files,nodes FILES_LATER=/proc/vmstat "$AFFINITY" --set "opType=read write" --json out.json t.args out.txt
	warned "read: the kernel migrated pages while it was measured, 33 of this machine (1 operation)" \
		"read: the kernel split huge pages while it was measured, 3 of this machine (1 operation)"
	jq -e '[.runs[0].operations[].samples | .pages_migrated_on_machine, .huge_pages_split_on_machine] == [33, 3, 0, 0]' out.json >/dev/null
	under files,nodes "$AFFINITY" --set "opType=read write" --json out.json t.args out.txt
	[[ $stderr != *"the kernel migrated"* && $stderr != *"the kernel split"* ]]
}

# The counters are read before and after each operation.
@test "pages that went away and came back are of the operation meanwhile, or of none between two" {
	two_vectors
	says /proc/vmstat $'pgmigrate_success 100\n'
	says /proc/vmstat.later $'pgmigrate_success 132\n'
	local after migrated
	for after in 1=32,0 2=0,0 3=0,32; do
		migrated=${after#*=}
		under files,nodes FILES_LATER=/proc/vmstat FILES_AFTER="${after%=*}" "$AFFINITY" --set "opType=read write" --json out.json t.args out.txt
		[ "$status" -eq 0 ]
		same "[$migrated]" "$(jq -c '[.runs[0].operations[].samples.pages_migrated_on_machine]' out.json)"
		same '[0,0]' "$(jq -c '[.runs[0].vectors[].found.pages_moved_during_run]' out.json)"
		[[ $migrated == 0,0 || $stderr == *"the kernel migrated pages while it was measured, 32 of this machine (1 operation)"* ]]
		[[ $migrated != 0,0 || $stderr != *"the kernel migrated"* ]]
	done
}

@test "huge pages that are split during the run are found at its end" {
	has_thp || skip "no transparent huge pages here"
	printf '%s\n' 'opType: load' 'nodePerThread: first' 'nodePerVector: first' 'vectorPerThread: 0' 'tamPerVector: 8MiB' \
		'pagesPerVector: thp' 'numIter: 1000000' 'warmup: 0' >t.args
	"$AFFINITY" t.args out.txt 2>errors &
	driver=$!
	if ! "$tools/splitter" $driver $((8 << 20)); then
		kill $driver
		skip "this kernel does not split huge pages on demand"
	fi
	kill -TERM $driver
	code=0
	wait $driver || code=$?
	cat errors
	[ "$code" -eq 3 ]
	grep -q 'of it are in transparent huge pages at the end of load, 8 MiB were before' errors
	[ ! -e out.txt ]
}

@test "automatic NUMA balancing is warned of where there are nodes to move pages between" {
	two_vectors
	says /proc/sys/kernel/numa_balancing $'1\n'
	under files,nodes "$AFFINITY" --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	[[ $stderr == *"NUMA balancing is on: the kernel may move pages while they are measured"* ]]
	[[ $stderr == *"hint: sudo sysctl kernel.numa_balancing=0"* ]]
	says /proc/sys/kernel/numa_balancing $'0\n'
	under files,nodes "$AFFINITY" --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	[[ $stderr != *"balancing is on"* ]]
	unset HWLOC_SYNTHETIC HWLOC_THISSYSTEM
	rm -r files
	[ "$("$AFFINITY" --topology | grep -c ^node)" -gt 1 ] || {
		says /proc/sys/kernel/numa_balancing $'1\n'
		given "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0"
		under files "$AFFINITY" --set numIter=1 t.args out.txt
		[[ $stderr != *"balancing is on"* ]]
	}
}

@test "pages that NUMA balancing hides from move_pages are found in the kernel's counts" {
	two_vectors
	says /proc/sys/kernel/numa_balancing $'1\n'
	under files,hidden,nodes HIDDEN_EVERY=1 "$AFFINITY" --json out.json t.args out.txt
	warned "the kernel hides pages that automatic NUMA balancing watches: its counts of each vector in /proc/self/numa_maps are the proof"
	jq -e '[.runs[].vectors[].found | .pages_absent == 0 and .nodes_shown_by == "numa_maps"] | all' out.json
	# counts show what is on a wrong node, and what leaves
	rm out.*
	under files,hidden,nodes HIDDEN_EVERY=1 NODES_STRAY=1 "$AFFINITY" "${outputs[@]}"
	failed_with 3 "vector 0, asked for node 0: "
	under files,hidden,nodes HIDDEN_EVERY=1 NODES_STRAY_LATE=1 "$AFFINITY" "${outputs[@]}"
	failed_with 3 "moved during the run"
	# pages that nothing shows are absent
	says /proc/self/numa_maps ''
	under files,hidden,nodes HIDDEN_EVERY=1 "$AFFINITY" "${outputs[@]}"
	failed_with 3 "vector 0, asked for node 0: " "kernel.numa_balancing=0"
}

# moved MOVES SECONDS [OPTION]...: two threads that mostly sleep are measured, while another program binds both to the
# first one's CPU, so many times with a pause in between; without a number all along.
moved() {
	local moves=$1 pause=$2 driver cpus i
	shift 2
	mapfile -t cpus < <(usable_cpus)
	[ "${#cpus[@]}" -gt 1 ] || skip "there is one CPU only, and every thread is on it"
	printf '%s\n' "opType: null" "${places:-cpuPerThread: ${cpus[0]} ${cpus[1]}}" "sleep: 10ms" "warmup: 0" "placements: 1" >t.args
	"$AFFINITY" "$@" t.args out.txt 2>errors 3>&- &
	driver=$!
	for _ in {1..12000}; do
		[[ ! -d $(printf '%s\n' "/proc/$driver/task"/* | sed -n 2p) ]] || break
		sleep 0.01
	done
	sleep 0.05 # past the threads that were only started to see whether they can be
	for ((i = 0; i < moves; i++)); do
		"$tools/mover" "$driver" "${cpus[0]}" 1
		sleep "$pause"
	done
	[ "$moves" -gt 0 ] || "$tools/mover" "$driver" "${cpus[0]}"
	status=0
	wait "$driver" || status=$?
	stderr=$(<errors)
	printf 'exit %s, errors:\n%s\n' "$status" "$stderr"
}

@test "a sample in which another program moved a thread is taken again" {
	moved 5 0.05 --set numIter=100 --json out.json # 6 in a row would be all along
	[ "$status" -eq 0 ]
	jq -e '.runs[0].operations[0].samples | .repeated > 0 and .moved == 0' out.json >/dev/null
	grep -q '^ - null: 100 taken, .* taken again after a move' out.txt
}

@test "another program that moves threads all along is told" {
	moved 0 0 --set numIter=150 --json earlier.json
	failed_with 3 "null: threads were moved off their CPUs in 6 samples in a row" "hint: some other program binds threads"
}

@test "with verify: warn samples of moved threads are kept, marked and counted" {
	moved 0 0 --set verify=warn --set numIter=20 --json out.json --csv out.csv
	warned "null: threads were moved off their CPUs in 6 samples in a row; such samples are marked and counted"
	jq -e '.runs[0].operations[0].samples | .moved > 0 and .repeated >= 5 * .moved' out.json >/dev/null
	jq -e '.runs[0].operations[0].threads[0].samples | length == 20 and any(.disturbed_flags % 2 == 1)' out.json >/dev/null
}

@test "another program may move threads that are not bound, and where they ran is told" {
	places=$'threads: 2\nmapping: os' moved 0 0 --set numIter=20 --json out.json
	[ "$status" -eq 0 ]
	jq -e '.runs[0].operations[0].samples | .moved == 0 and .repeated == 0' out.json >/dev/null
	jq -e '[.runs[0].operations[0].threads[].samples[].cpu_after] | max < 8192 and min >= 0' out.json >/dev/null
	grep -qE '^ - null: thread 1 seen on CPU .* migrations?( |$)' out.txt
}
