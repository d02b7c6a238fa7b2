#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The kernel that moves pages: what it refuses, what one node allows, and what it tells of nodes that a shim makes up:
# CPU n is on node n there.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

movers=(move_pages mbind migrate_pages copy)

base=(
	"opType: migrate"
	"nodePerThread: 0"
	"nodePerVector: 0"
	"targetPerVector: 1"
	"tamPerVector: 256KiB"
	"vectorPerThread: 0"
	"warmup: 1"
	"pagesPerVector: 4K"
	"numIter: 2"
)

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	[[ $BATS_TEST_DESCRIPTION == *@(refused|planned)* ]] || skip_obstacle
}

# A figure of all threads in the first operation.
figure() {
	jq -c "(.runs[0].operations[0].kernel_figures.$1.value | numbers + 0) // null" out.json # 64, not 64.0
}

# figures ASKED MOVED THERE REFUSED
figures() {
	same "$*" "$(for f in asked moved there refused; do figure "pages_$f"; done | paste -sd " ")"
}

@test "a vector without a target, two vectors, or no single node are refused" {
	machine "$TWO_NODES"
	given "targetPerVector: none"
	refused 2 "t.args:1: migrate: its vector has no target: targetPerVector, or there: yes"
	given "nodePerVector: 0 0" "tamPerVector: 4KiB*" "targetPerVector: 1*" "vectorPerThread: 0, 0" "pagesPerVector: 4K*"
	refused 2 "t.args:1: migrate: a thread moves one vector; this one has 2"
	given "nodePerVector: interleave" "there: yes"
	refused 2 "t.args:1: migrate: there: yes needs a vector on one node"
	given "nodePerVector: interleave" "mover: migrate_pages"
	refused 2 "t.args:1: migrate: mover = migrate_pages needs a vector on one node"
	given "opType: migrate_use" "targetPerVector: none"
	refused 2 "t.args:1: migrate_use: its vector has no target: targetPerVector, or mover: none"
	given "opType: migrate_use" "use: chase" "tamPerVector: 64B"
	refused 2 "t.args:1: migrate_use: chains = 1 cannot be met: the vector has 1 place, and a chain needs two; a larger tamPerVector, or a smaller stride"
	given "mover: migrate_pages" "batch: 4"
	refused 2 "t.args:1: migrate: mover = migrate_pages moves all in a call; leave out batch"
}

@test "pages of two sizes are not moved" {
	machine "$TWO_NODES"
	given "pagesPerVector: thp+base"
	refused 2 "t.args:3: migrate: vector 0 has pages of two sizes, and only pages of one size are moved" \
		"  hint: pagesPerVector: base or thp"
}

@test "a time, a writer beside it and turns with another operation are refused" {
	machine "$TWO_NODES"
	given "mode: time:10ms"
	refused 2 "t.args:1: migrate cannot be used with mode: time:10ms: a sample uses up what it finds in its vectors" \
		"  hint: use mode: work; passes sets the rounds of a sample"
	given "opType: migrate+write" "nodePerThread: 0*2" "vectorPerThread: 0 1"
	refused 2 "t.args:6: migrate: thread 0 moves pages of vector 0, and thread 1 stores to it with write" \
		"  hint: other threads of its vectors may read them, or run migrate with the same parameters"
	given "opType: migrate read" "interleave: yes"
	refused 2 "t.args:1: interleave: read would find pages of vector 0 where migrate moved them" \
		"  hint: use interleave: no, or give each operation a run of its own: sweep: op = ..."
	given "opType: migrate+load" "nodePerThread: 0*2" "vectorPerThread: 0 1"
	planned "vector 0: node 0, 262144 char, 256 KiB, pages 4K, init node, target node 1"
}

@test "a thread with another vector is refused beside migrate_pages, which moves the whole process" {
	machine "$TWO_NODES"
	two=("opType: migrate+load" "nodePerThread: 0*2" "nodePerVector: 0 1" "tamPerVector: 4KiB*" "targetPerVector: 1 none"
		"vectorPerThread: 0, 1" "pagesPerVector: 4K*")
	given "${two[@]}" "mover: migrate_pages"
	refused 2 "t.args:6: migrate: thread 0 moves all pages of the process, and with them vector 1 of thread 1" \
		"  hint: other threads may use its vectors, or none; affinity --help migrate has parameters with which only its own move"
	given "${two[@]}" "mover: mbind"
	planned
	given "${two[@]}" "mover: migrate_pages" "there: yes"
	planned
	given "opType: migrate+idle" "nodePerThread: 0*2" "mover: migrate_pages"
	planned
}

@test "transparent huge pages of unusual sizes are refused" {
	machine "$TWO_NODES"
	given "pagesPerVector: thp:64K"
	refused 2 "t.args:1: migrate: nothing shows whether transparent huge pages of 64K stay whole when they move; pagesPerVector: 4K, thp, or pages of a pool"
	given "opType: strsearch" "pagesPerVector: thp:64K" "targetPerVector: none" "policy: spm"
	refused 2 "t.args:1: strsearch: nothing shows whether transparent huge pages of 64K stay whole when they move; pagesPerVector: 4K, thp, or pages of a pool"
	given "opType: strsearch" "pagesPerVector: thp:64K" "targetPerVector: none"
	planned
}

@test "one node has calls for pages that are there, copies, and moves to itself" {
	need_move_pages
	local mover
	for mover in "${movers[@]}"; do
		given "nodePerThread: first" "nodePerVector: first" "targetPerVector: none" "there: yes" "mover: $mover"
		measured
		figures 64 0 64 0
		given "nodePerThread: first" "nodePerVector: first" "targetPerVector: first" "mover: $mover"
		measured
		figures 64 0 64 0
	done
	given "nodePerThread: first" "nodePerVector: first" "targetPerVector: far(first)"
	[ -d /sys/devices/system/node/node1 ] || {
		try "$AFFINITY" --quiet t.args -
		[ "$status" -eq 3 ]
		[[ $stderr == *"needs a second node"* ]]
	}
}

@test "batch is how many pages a call moves" {
	need_move_pages
	given "nodePerThread: first" "nodePerVector: first" "targetPerVector: none" "there: yes" "batch: 10"
	measured
	[ "$(figure move_calls)" = 7 ]
	given "nodePerThread: first" "nodePerVector: first" "targetPerVector: none" "there: yes"
	measured
	[ "$(figure move_calls)" = 1 ]
}

@test "every output has the figures, and tables show them" {
	need_move_pages
	given "nodePerThread: first" "nodePerVector: first" "targetPerVector: none" "there: yes" "sweep: b = 1 64" "batch: \$b" \
		"table: move_calls rows=b"
	measured
	same $'move_calls (call), migrate\nb all threads\n1 64 +-0\n64 1 +-0' "$(grep -A 3 '^move_calls (call)' out.txt | tr -s ' ' | sed 's/^ //')"
	same "64 0 64 0 0 0 64" "$(awk -F, '{ gsub(/"[^"]*"/, "") } NR == 1 { n = NF - 1 } NR == 2 { print $(n-6), $(n-5), $(n-4), $(n-3), $(n-2), $(n-1), $n }' out.csv)"
	holds '[.runs[0].operations[0].threads[0].samples[].kernel_figures.move_calls] == [64, 64, 64]'
	grep -q '^   pages_asked (page) .* 64$' out.txt
	try "$AFFINITY" --help migrate
	[[ $output == *$'Its own figures of each sample:\n\n  pages_asked '* ]]
	try "$AFFINITY" --set "table=nothing rows=b" --plan t.args
	[ "$status" -eq 2 ]
	[[ $stderr == *"or a kernel's own figure (affinity --help KERNEL)" ]]
}

@test "the cost of so many uses with a move is compared with that without one, for each kernel that uses" {
	need_move_pages
	shims_setup
	given "opType: migrate_use" "sweep: uses = 1 4" "uses: \$uses" "mover: \$mover" "use: \$use" "baseline: mover=none" \
		"table: cost rows=uses cols=mover"
	printf '%s\n' "sweep: use = lines read write read_write load chase gups" "sweep: mover = none move_pages" \
		"table: crossing along=uses rows=use cols=mover" >>t.args
	on_two_nodes --
	[ "$status" -eq 0 ]
	holds '[.runs[] | .operations[0].kernel_figures.pages_moved.value] == [range(14) | (0, 64)]'
	holds '[.runs[] | [.. | .units? | numbers] | unique | .[]] == [range(14) | 1] + [range(14) | 4]'
	holds '.tables | map(.quantity) == [range(7) | "cost"] + ["crossing"]'
}

@test "another thread that stores to the vector of uses is refused" {
	machine "$TWO_NODES"
	given "opType: migrate_use+write" "nodePerThread: 0 1" "vectorPerThread: 0 1"
	refused 2 "t.args:6: migrate_use: thread 0 needs vector 0 for itself, but thread 1 uses it too" \
		"  hint: give each of these threads a vector of its own" \
		"t.args:6: migrate_use: thread 0 moves pages of vector 0, and thread 1 stores to it with write" \
		"  hint: other threads of its vectors may read them, or run migrate_use with the same parameters"
}

@test "a move with uses has no break-even of its own" {
	machine "$TWO_NODES"
	given "opType: migrate_use" "sweep: uses = 1 4" "uses: \$uses" "baseline: uses=1" "table: break_even rows=uses"
	refused 2 "t.args:13: table: break_even needs the kernel migrate, whose cost is the move's" \
		"  hint: opType: migrate load; targetPerVector: the baseline's node"
}

@test "more passes than one are refused where they move" {
	need_move_pages
	given "nodePerThread: first" "nodePerVector: first" "targetPerVector: first" "passes: 3"
	try "$AFFINITY" --quiet t.args out.txt
	[ "$status" -eq 1 ]
	[[ $stderr == *"affinity: thread 0, migrate: passes = 3: only the first moves pages; larger vectors take longer, and there: yes may have passes"* ]]
	[ ! -e out.txt ]
	given "nodePerThread: first" "nodePerVector: first" "targetPerVector: none" "there: yes" "passes: 3"
	measured
	figures 192 0 192 0
}

@test "pages move to the target in each sample, and are home again at the end" {
	need_move_pages
	shims_setup
	local mover
	for mover in move_pages mbind migrate_pages; do
		given "mover: $mover"
		on_two_nodes --
		[ "$status" -eq 0 ]
		figures 64 64 0 0
		holds '[.runs[0].operations[0].threads[0].samples[].kernel_figures.pages_moved] == [64, 64, 64]'
		holds '.runs[0].vectors[0] | .found.pages_moved_during_run == 0 and .target_node == 1'
		! grep -q "migrated pages while it was measured" out.txt
	done
}

@test "text, JSON and page have the nodes of the pages as placed and after the last sample" {
	need_move_pages
	shims_setup
	given "nodePerThread: 0 1" "opType: migrate+load" "nodePerVector: 0 1" "targetPerVector: 1 none" "tamPerVector: 256KiB*" \
		"vectorPerThread: 0, 1" "pagesPerVector: 4K*"
	on_two_nodes NODES_ROOM=10 --
	[ "$status" -eq 0 ]
	holds '.runs[0].operations[0].pages_by_node == [
		{vector: 0, before: {"0": 64}, after: {"0": 54, "1": 10}, absent_before: 0, absent_after: 0},
		{vector: 1, before: {"1": 64}, after: {"1": 64}, absent_before: 0, absent_after: 0}]'
	same $' - migrate+load node 0 node 1\n vector 0, before 64 0\n vector 0, after 54 10\n vector 1, before 0 64\n vector 1, after 0 64' \
		"$(grep -A 5 '^+ Pages on nodes, as placed and after the last sample$' out.txt | tail -n +2 | tr -s ' ')"
	mkdir page
	cp out.json page/m.json
	"${AFFINITY%/*}/affinity-report" page
	grep -A 2 '<table class=places>' page/report.html >places.html
	same $'<title>node 0: 64</title>\n<title>node 0: 54, node 1: 10</title>\n<title>node 1: 64</title>\n<title>node 1: 64</title>' \
		"$(grep -o '<title>[^<]*</title>' places.html)"
	same $'migrate+load, vector 0\nmigrate+load, vector 1' "$(grep -o '<th scope=row>[^<]*' places.html | sed 's/.*>//')"
}

@test "operations whose kernels move no pages say nothing of the nodes of pages" {
	given "opType: load" "nodePerThread: first" "nodePerVector: first" "targetPerVector: none"
	measured
	holds '.runs[0].operations[0] | has("pages_by_node") | not'
	[ "$(grep -c '^+ Pages on nodes' out.txt)" -eq 0 ]
}

@test "of threads that move the same vector one tells what moved" {
	need_move_pages
	shims_setup
	given "nodePerThread: 0 1" "vectorPerThread: 0 1"
	on_two_nodes --
	[ "$status" -eq 0 ]
	figures 128 64 64 0
}

@test "a reader beside it is the experiment" {
	need_move_pages
	shims_setup
	given "opType: load+migrate" "nodePerThread: 0 1" "vectorPerThread: 0 1" "solo: yes"
	on_two_nodes --
	[ "$status" -eq 0 ]
	figures 64 64 0 0
	holds '.runs[0].solo.operations[0].slowdowns | length == 2'
	holds '.runs[0].operations[0].threads[0] | has("kernel_figures") | not'
}

@test "figures of a thread alone have the labels of those with the others, in text, JSON and page" {
	need_move_pages
	shims_setup
	given "opType: load+migrate" "nodePerThread: 0 1" "vectorPerThread: 0 1" "solo: yes"
	on_two_nodes --
	[ "$status" -eq 0 ]
	same $'+ Figures of the kernels, of a sample of each thread alone\n - load+migrate Thread 0 Thread 1\n pages_asked (page) - 64' \
		"$(grep -A 2 '^+ Figures of the kernels, of a sample of' out.txt | tr -s ' ')"
	same "$(grep '^   pages_' out.txt | head -n 4 | tr -s ' ' | cut -d ' ' -f 2-3)" "$(grep '^   pages_' out.txt | tail -n 4 | tr -s ' ' | cut -d ' ' -f 2-3)"
	holds '[.runs[0].solo.runs[].operations[0].threads[0].kernel_figures.pages_moved.value] == [null, 64]'
	holds '[.runs[0].solo.runs[1].operations[0] | .kernel_figures, .threads[0].kernel_figures | keys] | .[0] == .[1]'
	mkdir page
	cp out.json page/m.json
	"${AFFINITY%/*}/affinity-report" page
	sed -n '/<summary>Figures of the kernels, of a sample</,/<.details>/p' page/report.html >figures.html
	same "$(jq -r '.runs[0].operations[0].kernel_figures | keys_unsorted[]' out.json | sort)" \
		"$(grep -o '<th scope=col>[^<]*' figures.html | sed 's/.*>//' | sort)"
	same $'load+migrate, thread 1\nload+migrate, all threads\nload+migrate, thread 1 alone' \
		"$(grep -o '<th scope=row>[^<]*' figures.html | sed 's/.*>//')"
	[ "$(sed -n 's/.*thread 1 alone<.th><td[^>]*>\([0-9]*\)<.*/\1/p' figures.html)" = 64 ]
}

@test "a full target is told, the rate is that of the pages that moved, and nothing is lost" {
	need_move_pages
	shims_setup
	local mover
	for mover in move_pages mbind; do
		given "mover: $mover"
		on_two_nodes NODES_ROOM=10 --
		[ "$status" -eq 0 ]
		figures 64 10 0 54
		grep -A 1 -- "^ - migrate: pages_refused is 54 in a sample (1 operation above 0)$" out.txt |
			grep -q "^   hint: pages stayed: the target node is full"
		holds '[.runs[0].operations[0].threads[0].samples[].units] == [10, 10, 10]'
	done
}

@test "where the kernel does not tell the place of each page, moving is refused" {
	shims_setup
	[ -e /proc/self/numa_maps ] || skip "this kernel has no /proc/self/numa_maps"
	given
	on_two_nodes NODES_REFUSES=move_pages --
	[ "$status" -eq 3 ]
	[[ $stderr == *"migrate moves pages of vector 0, but the kernel does not tell where each page is: move_pages: Operation not permitted"* ]]
	# runs that move nothing are measured
	given "sweep: op = read migrate" "opType: \$op"
	on_two_nodes NODES_REFUSES=move_pages --
	[ "$status" -eq 0 ]
	holds '[.runs[] | [.operations[]?.operation], (.skipped // "" | test("does not tell where each page is: move_pages"))]
		== [["read"], false, [], true]'
}
