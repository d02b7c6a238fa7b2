#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The programs of the works on page migration, in the driver: threads that share a pool or a vector.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

base=(
	"opType: product"
	"nodePerThread: first*2"
	"nodePerVector: first*3"
	"tamPerVector: 6000*"
	"typePerVector: double*"
	"vectorPerThread: all, all, all"
	"matrix: 20"
	"numIter: 2"
)

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	[[ $BATS_TEST_DESCRIPTION == *"refused"* ]] || skip_obstacle
}

# on VECTORS TYPE: given, with so many vectors of the type for both threads.
on() { # VECTORS TYPE LINE...
	local use
	use=$(printf 'all, %.0s' $(seq "$1"))
	given "nodePerVector: first*$1" "typePerVector: $2*" "vectorPerThread: ${use%, }" "${@:3}"
	[[ ${*:3} == *matrix:* ]] || sed -i '/^matrix:/d' t.args
}

@test "every program runs with two threads, and its result is right" {
	on 3 double "opType: product matrix_add lu" "matrix: 20"
	measured
	on 2 double "opType: cholesky" "matrix: 20"
	measured
	on 1 char "opType: strsearch" "queries: 3"
	measured
	on 1 int "opType: bucketsort"
	measured
	on 1 double "opType: knn"
	measured
	on 3 double "opType: fig3" "side: 18" "overlap: 3"
	measured
}

@test "threads take all sets of matrices of the pool together, each once in a round" {
	given "passes: 3"
	measured
	# 15 matrices fit into 6000 elements
	holds '[run.operations[0].threads | map(.samples) | transpose[] | map(.units) | add] | length == 3 and all(. == 3 * 15 * 8000)'
	given "passes: 3" "sets: 7"
	measured
	holds '[run.operations[0].threads | map(.samples) | transpose[] | map(.units) | add] | length == 3 and all(. == 3 * 7 * 8000)'
}

@test "threads with other vectors have a pool of their own" {
	given "nodePerThread: first*4" "oversubscribe: yes" "nodePerVector: first*6" \
		"vectorPerThread: 0 1, 0 1, 0 1, 2 3, 2 3, 2 3"
	measured
	holds '[run.operations[0].threads | (.[0:2], .[2:4]) | map(.samples) | transpose[] | map(.units) | add] |
		length == 6 and all(. == 15 * 8000)'
}

@test "threads of a policy that share one vector and not all are refused" {
	need_move_pages
	find_obstacle
	skip_obstacle
	on 2 char "opType: strsearch" "policy: spm" "size_test: no" "vectorPerThread: 0 1, 1"
	try "$AFFINITY" t.args out.txt
	[ "$status" -eq 1 ]
	[[ $stderr == *"threads that share one of its vectors must share all of them"* ]]
}

@test "a program that shares a vector with another kernel, or runs alone for solo, is refused" {
	on 1 char "opType: strsearch+read" "vectorPerThread: 0 1"
	planned
	on 1 double "opType: knn+read" "vectorPerThread: 0 1"
	refused 2 "t.args:1: knn+read: thread 0 runs 'knn' on vector 0, which thread 1 uses with 'read'" \
		"  hint: threads of 'knn' wait for each other: all that share a vector must run it, for as many rounds"
	on 1 double "opType: knn" "solo: yes"
	refused 2 "t.args:1: knn: solo: yes runs each thread alone, but threads of 'knn' wait for each other" \
		"  hint: leave solo out, or measure knn in a file of its own"
}

@test "threads of a text with different parameters are refused, whatever the policy" {
	on 1 char "opType: strsearch" "queries: 3 4"
	refused 2 "t.args:6: strsearch: threads 0 and 1 of vector 0 have different parameters" \
		"  hint: give each of them a vector of its own, or the same parameters"
	on 1 char "opType: strsearch+write"
	refused 2 "t.args:6: strsearch: thread 0 uses vector 0, and thread 1 stores to it with write" \
		"  hint: other threads of its vectors may read them, or run strsearch with the same parameters"
}

# as_published FILE [WORD...]: the plan of what the file's comment says was published, on eight nodes of 64 GB.
as_published() {
	local -a published
	mapfile -t published < <(sed -n '/^# As published/,/^#$/{s/^# \(As published[^:]*: \)\?//p}' "$root/args/migration/$1.args" | xargs -n 1)
	[ "${#published[@]}" -ge 4 ]
	HWLOC_SYNTHETIC="pack:4 numa:2(memory=64GB) l3:1(size=6291456) l2:4(size=2097152) l1d:2(size=16384) pu:1" \
		try "$AFFINITY" --plan "${published[@]}" "${@:2}" "$root/args/migration/$1.args"
}

# Piccoli's dissertation, 4.3: 64 threads; 256 sets of 600 to 2400 rows, 10 to 28 million values, a text of 4 GB.
@test "what the files call published is what was published: threads, sets, values, bytes" {
	local file size
	for file in product product_thp matrix_add lu cholesky; do
		as_published "${file#matrix_}"
		[ "$status" -eq 0 ]
		[[ $output == *"run 1 of 70: n=600 "* && $output == *" n=2400 "* && $output == *"thread 63: "* && $output != *"thread 64: "* ]]
		as_published "${file#matrix_}" --set sets=257 --set 'sweep=n = 2400'
		[ "$status" -eq 2 ]
		[[ $stderr == *"${file%_thp}: matrix = 2400, sets = 257: 1480320000 elements are needed, but a vector has 1474560000"* ]]
	done
	as_published bucketsort
	[ "$status" -eq 0 ]
	[[ $output == *"thread 63: "* && $output != *"thread 64: "* ]]
	# a fifth are values
	for size in 50000192 140000192; do
		[[ $output == *"size=$size "* && $((size / 5 / 1000000)) =~ ^(10|28)$ ]]
	done
	[[ $output == *"vector 0: node 0, 50000192 int, 191 MiB"* ]]
	as_published strsearch
	[ "$status" -eq 0 ]
	[[ $output == *"thread 63: "* && $output == *"vector 0: node 0, 4294967296 char, 4 GiB"* && $output == *" queries=4096 "* ]]
}

@test "a matrix that does not fit into a vector is refused" {
	given "matrix: 78"
	refused 2 "t.args:1: product: matrix = 78, sets = 1: 6084 elements are needed, but a vector has 6000"
}

@test "thresholds below zero, what is no number, and names that no setting has are refused" {
	need_move_pages
	given "policy: spm" "reuse_threshold: -1" "cache_factor: -0.2" "cache_bytes: -8"
	refused 2 "t.args:10: reuse_threshold = -1 is out of range" "  hint: reuse_threshold takes at least 0" \
		"t.args:11: cache_factor = -0.2 is out of range" "  hint: cache_factor takes at least 0" \
		"t.args:12: cache_bytes = '-8' is not a number of bytes such as 64KiB" "  hint: cache_bytes cannot be negative"
	given "policy: spm" "reuse_threshold: inf" "cache_factor: nan" "reuse_mode: page"
	refused 2 "t.args:10: reuse_threshold = 'inf' is not a number, such as 0.5" "t.args:11: cache_factor = 'nan' is not a number, such as 0.5" \
		"t.args:12: unknown reuse_mode 'page'" "  hint: reuse_mode is one of per_element, raw, per_page"
}

@test "a pool of matrices larger than its node is refused before it is touched" {
	machine "$TWO_NODES"
	given "nodePerThread: 0*2" "nodePerVector: 0*3" "tamPerVector: 3GiB*"
	refused 3 "t.args:4: tamPerVector: the vectors of node 0 take 9 GiB, the node has 7.45 GiB" \
		"  hint: make them smaller, or spread them: nodePerVector: interleave"
}

# told NAME: a kernel's figure of all threads, in the order of the runs.
told() {
	jq -c "[.runs[].operations[0].kernel_figures.$1.value | (numbers + 0) // null]" out.json # 64, not 64.0
}

@test "the policies ask for the pages that their rules accept, on one node too" {
	need_move_pages
	on 3 double "opType: product" "matrix: 40" "sweep: p = baseline spm eager" "policy: \$p" "size_test: no" \
		"reuse_threshold: 39" "statistic: min"
	measured
	# three sets of matrices: of each a and b, which are used 40 times; then all
	same "[0,6,9]" "$(told spm_accepted)"
	same "[0,9,9]" "$(told spm_calls)"
	holds '[.runs[].operations[0].kernel_figures | .spm_pages_asked.value == .spm_pages_moved.value +
		.spm_pages_there.value + .spm_pages_pinned.value + .spm_pages_refused.value] | all'
	grep -q '^ *spm_accepted (call) ' out.txt
	[[ $(head -n 1 out.csv) == *spm_accepted* ]]
}

@test "where the kernel does not tell the place of each page, the baseline is measured, and other policies are not" {
	shims_setup
	[ -e /proc/self/numa_maps ] || skip "this kernel has no /proc/self/numa_maps"
	two_nodes 4000 4000
	on 3 double "nodePerThread: 0 1" "matrix: 20" "nodePerVector: 0*3"
	under files,nodes NODES_REFUSES=move_pages "$AFFINITY" --quiet t.args out.txt
	[ "$status" -eq 0 ]
	under files,nodes NODES_REFUSES=move_pages "$AFFINITY" --quiet --set policy=eager t.args out.txt
	[ "$status" -eq 3 ]
	[[ $stderr == *"product moves pages of vector 0, but the kernel does not tell where each page is"* ]]
}

@test "each thread's counts of the runtime are in text, CSV, JSON and page" {
	need_move_pages
	local name counts=(spm_calls spm_too_small spm_too_little_reuse spm_accepted spm_pages_asked spm_pages_moved spm_pages_there
		spm_pages_pinned spm_pages_refused spm_call_time)
	on 1 char "opType: strsearch" "tamPerVector: 256KiB" "policy: spm" "size_test: no" "queries: 20"
	measured
	for name in "${counts[@]}"; do
		echo "$name"
		grep -q "^   $name (" out.txt
		holds "[run.operations[0].threads[].samples[].kernel_figures.$name] | length > 2 and all(type == \"number\")"
	done
	holds '[run.operations[0].threads[].kernel_figures | [.spm_calls, .spm_accepted, .spm_pages_asked, .spm_pages_there][] .value] == [1, 1, 32, 32, 1, 1, 32, 32]'
	same "${counts[*]}" "$(head -n 1 out.csv | tr , '\n' | grep '^spm_' | paste -sd ' ')"
	same "1 0 0 1 32 0 32 0 0" "$(awk -F, '{ gsub(/"[^"]*"/, "") } NR == 1 { for (i = 1; i <= NF; i++) if ($i == "spm_calls") at = i }
		NR == 2 { for (i = at; i < at + 9; i++) printf "%s%d", (i == at ? "" : " "), $i }' out.csv)"
	mkdir page
	cp out.json page/m.json
	"${AFFINITY%/*}/affinity-report" page
	for name in "${counts[@]}"; do
		echo "$name"
		grep -q "<th scope=col>$name" page/report.html
	done
}

@test "huge pages that a policy splits are whole again in the next sample" {
	need_move_pages
	[ "$(</sys/kernel/mm/transparent_hugepage/enabled)" != "always madvise [never]" ] || skip "no transparent huge pages here"
	on 1 char "opType: strsearch" "policy: spm" "size_test: no" "queries: 20" "tamPerVector: 3MiB" "pagesPerVector: thp"
	measured
	holds 'run.vectors[0].found | .transparent_huge_bytes == 4194304 and .pages_moved_during_run == 0'
}

@test "samples of all policies can be taken in random order, and each finds its pages at home" {
	need_move_pages
	on 1 char "opType: strsearch" "queries: 20" "sweep: p = baseline spm eager" "policy: \$p" "size_test: no" \
		"interleave: yes" "tamPerVector: 64KiB"
	measured
	same "[0,2,2]" "$(told spm_accepted)"
}

@test "threads of spm+lock are bound while they run, by the runtime" {
	need_move_pages
	on 1 char "opType: strsearch" "policy: spm+lock" "size_test: no" "threads: 2" "mapping: os"
	sed -i '/^nodePerThread/d' t.args
	measured
	on 1 char "opType: strsearch" "policy: spm+lock"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 2 ]
	[[ $stderr == *"strsearch: lock: node_rr binds threads to nodes while they run; mapping: os leaves them free"* ]]
}

@test "the whole time is the cost with the touching and filling of the vectors, in text and JSON" {
	on 3 double "opType: product" "matrix: 20" "placements: 2" "table: whole_time rows=repeat" "sweep: repeat = 1"
	measured
	# shellcheck disable=SC2016 # the variables of jq
	holds '.runs[0] as $r | $r.operations[0] as $o | $o.fill_s > 0 and
		([$r.vectors[] | [.found.touch_ns] + [.found_again[].touch_ns] | add / length] | add / 1e9 + $o.fill_s + $o.total_s) as $whole |
		.tables[0].cells[0][0].value / $whole | . > 0.999999 and . < 1.000001'
	grep -q '^whole_time ([mu]*s), product$' out.txt
}

@test "bucketsort tells its parallel and its serial part" {
	on 1 int "opType: bucketsort" "numIter: 1" "placements: 1" "warmup: 0"
	measured
	holds '.runs[0].operations[0].threads | length == 2 and
		all(.[].kernel_figures; .serial_time.value > 0 and .parallel_time.value > 0)'
}
