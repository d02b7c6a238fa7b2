#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What holds the data of each figure: the same words in all outputs.

bats_require_minimum_version 1.5.0 # run --separate-stderr
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

TWO="numa:2(memory=64GB) l3:1(size=16777216) core:4 l2:1(size=1048576) l1:1(size=32768) pu:2"

setup() {
	driver_setup
	machine "$TWO"
}

# held WORDS LINE...: those of the threads of the only operation of a file, divided by |.
held() {
	printf '%s\n' "${@:2}" >t.args
	try "$AFFINITY" --quiet --plan --json plan.json t.args
	[ "$status" -eq 0 ]
	same "$(jq -r '.plans[0].runs[0].operations[0].threads | map(.held_by // "nothing") | join("|")' plan.json)" "$1"
}

# one WORDS SIZE [LINE]...: of a thread with a vector of its own.
one() {
	held "$1" "opType: read" "nodePerThread: 0" "nodePerVector: 0" "vectorPerThread: 0" "tamPerVector: $2" "${@:3}"
}

# several WORDS THREADS SIZE [LINE]...: of threads of node 0 with a vector each.
several() {
	held "$1" "opType: read" "nodePerThread: 0*$2" "nodePerVector: 0*$2" "vectorPerThread: own" "tamPerVector: $3*" "${@:4}"
}

@test "the first level that holds all lines holds the data of a thread" {
	one L1 32KiB
	one "L2 of 1 MiB" 33KiB
	one "L2 of 1 MiB" 1MiB
	one "L3, 0.25 of its share" 4MiB
	one "L3, 1 of its share" 16MiB
	one "L3 and memory, 2 of its share" 32MiB
	one memory 4xcaches
}

@test "threads under one cache fill it together" {
	several "L3, 0.5 of its share|L3, 0.5 of its share" 2 4MiB
	several "L3 and memory, 2 of its share|L3 and memory, 2 of its share|L3 and memory, 2 of its share|L3 and memory, 2 of its share" \
		4 8MiB
	# both hardware threads of a core share its L1
	held "L1|L1" "opType: read" "corePerThread: 0 0" "nodePerVector: 0*2" "vectorPerThread: own" "tamPerVector: 16KiB*"
	held "L2 of 1 MiB|L2 of 1 MiB" "opType: read" "corePerThread: 0 0" "nodePerVector: 0*2" "vectorPerThread: own" \
		"tamPerVector: 20KiB*"
}

@test "a vector of several threads is in each of their caches, unless they store to it" {
	held "L3, 0.25 of its share|L3, 0.25 of its share" "opType: read" "nodePerThread: 0 1" "nodePerVector: 0" \
		"vectorPerThread: all" "tamPerVector: 4MiB"
	held "other cores' caches|other cores' caches" "opType: write" "nodePerThread: 0 1" "nodePerVector: 0" \
		"vectorPerThread: all" "tamPerVector: 4MiB"
	held "L3, 0.25 of its share|L3, 0.25 of its share" "opType: write" "nodePerThread: 0 0" "nodePerVector: 0" \
		"vectorPerThread: all" "tamPerVector: 4MiB"
	held "other cores' caches|other cores' caches" "opType: pingpong" "nodePerThread: 0 1" "nodePerVector: 0" \
		"vectorPerThread: all" "tamPerVector: 4KiB"
}

@test "stores past the caches are in memory, and lines in a state where it says" {
	held memory "opType: store_nt" "nodePerThread: 0" "nodePerVector: 0" "vectorPerThread: 0" "tamPerVector: 16KiB"
	held "memory|nothing" "opType: load+null" "nodePerThread: 0 1" "nodePerVector: 0" "vectorPerThread: 0" \
		"tamPerVector: 16KiB" "statePerVector: I" "ownerPerVector: thread:1"
	held "other cores' caches|nothing" "opType: load+null" "nodePerThread: 0 1" "nodePerVector: 0" "vectorPerThread: 0" \
		"tamPerVector: 16KiB" "statePerVector: M" "ownerPerVector: thread:1"
	held "L1|nothing" "opType: load+null" "nodePerThread: 0 1" "nodePerVector: 0" "vectorPerThread: 0" \
		"tamPerVector: 16KiB" "statePerVector: M" "ownerPerVector: thread:0"
}

@test "a part of a vector is what holds it: a fraction, and a hot part" {
	one L1 64KiB "fraction: 0.5"
	one "hot part L3, 0.08 of its share" 128MiB "hot: 1%"
	one "hot part L1" 1MiB "hot: 1%"
}

@test "what does not access vectors, or moves them, has no such words" {
	held nothing "opType: fp_add" "nodePerThread: 0"
}

@test "what a machine does not show is unknown" {
	machine "numa:1(memory=64GB) core:2 pu:1"
	one "unknown: no caches shown" 16KiB
	machine "numa:1(memory=64GB) core:2 l1:1(size=32768) pu:1"
	one L1 16KiB
	one "unknown above L1" 1GiB
	xz -dc "$root/tests/captured/guest-half-l3.xml.xz" >m.xml || skip "there is no xz"
	machine "$PWD/m.xml"
	held "L3, 0.25 of its share" "opType: read" "nodePerThread: 0" "nodePerVector: 0" "vectorPerThread: 0" "tamPerVector: 4MiB"
	held "unknown above L2" "opType: read" "nodePerThread: 1" "nodePerVector: 1" "vectorPerThread: 0" "tamPerVector: 4MiB"
	machine "$TWO"
	# a thread that may run anywhere
	printf '%s\n' "kernels: read" "threads: 1" "mapping: os" "nodePerVector: 0" "vectorPerThread: 0" "sizePerVector: 16KiB" >t.args
	try "$AFFINITY" --quiet --plan --json plan.json t.args
	same "$(jq -r '.plans[0].runs[0].operations[0].threads[0].held_by' plan.json)" L1
	try "$AFFINITY" --quiet --plan --json plan.json --set sizePerVector=20MiB t.args
	same "$(jq -r '.plans[0].runs[0].operations[0].threads[0].held_by' plan.json)" "unknown: not bound"
}

@test "text, tables, the last line, CSV, summary, JSON and page have the same words" {
	find_obstacle
	skip_obstacle
	machine this
	"$AFFINITY" --topology | grep -q '^L1 cache: ' || skip "this machine shows no caches"
	given "opType: read load" "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" "tamPerVector: 4KiB" "numIter: 2" \
		"placements: 1" "table: rate rows=operation"
	try "$AFFINITY" --json out.json --csv out.csv --summary sum.csv t.args out.txt
	[ "$status" -eq 0 ]
	same "$(jq -r '[.runs[0].operations[].threads[].held_by, .tables[0].held_by] | unique | join("|")' out.json)" L1
	[ "$(grep -c '| Thread 0: .*/s (L1)' out.txt)" -eq 2 ]
	grep -qx '  data in: L1' out.txt
	tail -n 2 out.txt | grep -q '^ - .*; data in L1[.]$'
	[ "$(sed 1d out.csv | grep -vc ',L1$')" -eq 0 ]
	[ "$(sed 1d sum.csv | grep -vc ',L1$')" -eq 0 ]
	mkdir res
	cp out.json out.txt res
	"$root/scripts/report" res >/dev/null
	grep -q '<p class=note>Data in: L1</p>' res/report.html
}

@test "4xcaches/thread is what all threads of a run need for memory, and max takes the larger size" {
	given "opType: load" "measures: memory" "nodePerThread: 0 0" "nodePerVector: 0" "vectorPerThread: all" \
		"tamPerVector: 4xcaches/thread"
	try "$AFFINITY" --quiet --plan --json plan.json t.args
	[ "$status" -eq 0 ]
	jq -e --argjson share $((33 * 32768 + 8388608)) '.plans[0].runs[0] | .vectors[0].bytes as $bytes
		| $bytes >= 4 * 2 * $share and $bytes < 4 * 2 * $share + 1024' plan.json >/dev/null
	while read -r first second larger; do
		given "opType: load" "nodePerThread: 0" "nodePerVector: 0" "vectorPerThread: 0" "tamPerVector: max($first,$second)"
		try "$AFFINITY" --quiet --plan --json plan.json t.args
		[ "$status" -eq 0 ]
		same "$(jq '.plans[0].runs[0].vectors[0].bytes' plan.json)" "$larger"
	done <<-END
		1GiB 4xcaches/thread 1073741824
		4xcaches/thread 1GiB 1073741824
		4KiB 64KiB 65536
	END
	machine "numa:1(memory=64GB) core:2 pu:1"
	given "opType: load" "nodePerThread: 0" "nodePerVector: 0" "vectorPerThread: 0" "tamPerVector: max(1MiB,4xcaches)"
	try "$AFFINITY" --quiet --plan --json plan.json t.args
	[ "$status" -eq 0 ]
	same "$(jq '.plans[0].runs[0].vectors[0].bytes' plan.json)" 1048576
	given "opType: load" "nodePerThread: 0" "nodePerVector: 0" "vectorPerThread: 0" "tamPerVector: max(1MiB,x)"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 2 ]
	[[ $stderr == *"PerVector: 'x' is not a size"* ]]
}
