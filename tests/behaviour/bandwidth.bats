#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck disable=SC2016 # for the driver, sed and gnuplot to expand
# Bandwidth, latency and access patterns as a user meets them.

bats_require_minimum_version 1.5.0 # run !
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
}

# one [KEY: VALUE]...: t.args for one thread and one small vector of any machine.
one() {
	given "nodePerThread: first" "nodePerVector: first" "tamPerVector: 64KiB" "vectorPerThread: 0" "numIter: 2" "$@"
}

measured() {
	try "$AFFINITY" --quiet --json out.json --csv out.csv t.args out.txt
	[ "$status" -eq 0 ]
}

# warned TEXT: t.args can be planned, and there is a warning with TEXT.
warned() {
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	[[ $stderr == *"$1"* ]]
}

need_jq() {
	command -v jq >/dev/null || skip "jq is not installed (make setup installs it)"
}

@test "every kernel of bandwidth, latency and patterns measures" {
	skip_obstacle
	one "opType: load store store_nt copy copy_nt scale add triad update sum chase traffic gups hotcold"
	measured
	one "opType: gather scatter hashjoin gups_tiers chase_tiers" "nodePerVector: first*2" "tamPerVector: 64KiB*" "vectorPerThread: 0, 0"
	measured
}

@test "gemv measures weights of each type, and tells their bytes" {
	skip_obstacle
	need_jq
	local type
	for type in f32:4 bf16:2 int8:1 q4:0.5625; do
		given "nodePerThread: first*2" "nodePerVector: first" "tamPerVector: 1MiB" "vectorPerThread: all" "numIter: 2" \
			"opType: gemv" "weights: ${type%:*}" "batch: 5"
		measured
		grep -q "^ - gemv: thread 0.*: isa " out.txt
		# 1 MiB in rows of 4096 weights, half of them for each thread
		jq -e --argjson bytes "${type#*:}" '[.runs[0].operations[0].threads[].figures.units] | add ==
			4096 * (1048576 / (4096 * $bytes) | floor)' out.json
		jq -e --argjson bytes "${type#*:}" '.runs[0].operations[0].threads[0].figures |
			.bytes_per_s * .ns_per_unit * 1e-9 / $bytes | . > 0.999 and . < 1.001' out.json
	done
}

@test "moe measures the weights of the experts that are chosen, and refuses choices that cannot be" {
	skip_obstacle
	need_jq
	given "nodePerThread: first*2" "nodePerVector: first" "tamPerVector: 1MiB" "vectorPerThread: all" "numIter: 2" "opType: moe" \
		"experts: 16" "top: 3" "columns: 1024" "hot: 4" "hot_share: 60%" "passes: 1"
	measured
	# 32 rows of 2 KiB are an expert, and 6 tokens choose 18
	jq -e '[.runs[0].operations[0].threads[].figures.units] | add == 18 * 32 * 1024' out.json
	jq -e '.runs[0].operations[0].threads[0] | .loop == "as claimed" and (.chose | startswith("isa "))' out.json
	given "nodePerThread: first*2" "nodePerVector: slices" "tamPerVector: 1MiB" "vectorPerThread: all" "opType: moe" "hot: 4"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 2 ]
	[[ $stderr == *"hot = 4 experts get hot_share = 0 of the choices; give both, or neither"* ]]
}

@test "kvread reads the sequences of each thread, and refuses those that a cache cannot hold" {
	skip_obstacle
	need_jq
	given "nodePerThread: first*2" "nodePerVector: first" "tamPerVector: 1MiB" "vectorPerThread: all" "numIter: 2" "opType: kvread" \
		"columns: 1024" "context: 40" "spread: 0" "sequences: 2" "passes: 1"
	measured
	# two threads, two sequences each, a key and a value of 40 tokens
	jq -e '[.runs[0].operations[0].threads[].figures.units] | add == 2 * 2 * 2 * 40 * 1024' out.json
	jq -e '.runs[0].operations[0].threads[0] | .loop == "as claimed" and (.chose | startswith("isa "))' out.json
	given "nodePerThread: first*2" "nodePerVector: slices" "tamPerVector: 1MiB" "vectorPerThread: all" "opType: kvread" \
		"columns: 1024" "context: 65" "spread: 0" "sequences: 2"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 2 ]
	[[ $stderr == *"its 2 sequences have 10 blocks, and the thread 8 of a vector; a larger tamPerVector, or fewer sequences"* ]]
}

@test "gemv refuses what has no whole rows, and another content in its place" {
	planned() {
		one "$@"
		try "$AFFINITY" --plan t.args
		[ "$status" -ne 0 ]
	}
	planned "opType: gemv" "columns: 65536"
	[[ $stderr == *"a vector has 0 rows of 131072 bytes for 1 thread; a larger tamPerVector, or fewer columns"* ]]
	planned "opType: gemv" "columns: 100"
	[[ $stderr == *"columns takes 128 .. 65536"* ]]
	planned "opType: gemv" "columns: 200"
	[[ $stderr == *"columns = 200 is no multiple of 128"* ]]
	planned "opType: gemv" "batch: 0"
	[[ $stderr == *"batch takes 1 .. 64"* ]]
	planned "opType: load gemv" "interleave: yes"
	[[ $stderr == *"would find its vector 0 changed by gemv"* ]]
}

@test "what auto chose stands in all three reports, and nothing where nothing was to be chosen" {
	skip_obstacle
	need_jq
	one "opType: copy chase"
	measured
	local chose
	chose=$(jq -r '.runs[0].operations[0].threads[0].chose' out.json)
	[[ $chose == "isa "*" unroll "* ]]
	grep -qF " - copy: thread 0: $chose" out.txt
	grep -qE ",$chose,(firm|fair|weak)," out.csv
	[ "$(jq -r '.runs[0].operations[1].threads[0].chose' out.json)" = "" ]
	one "opType: copy" "isa: scalar" "unroll: 2"
	measured
	run ! grep -q "Chosen" out.txt
	[ "$(jq -r '.runs[0].operations[0].threads[0].chose' out.json)" = "" ]
}

@test "bytes count loads and stores, write-allocate only what is stored, and nothing is said of it in caches" {
	skip_obstacle
	need_jq
	one "opType: triad copy_nt" "isa: scalar" "unroll: 1" "tamPerVector: 48KiB" "passes: 1"
	measured
	# one vector in three parts of 16 KiB; in two of 24 KiB
	bytes_of() { awk -F, "NR == 1 { for (i = 1; i <= NF; i++) at[\$i] = i } $1 { print \$at[\"bytes\"], \$at[\"fill_bytes\"] }" out.csv; }
	[ "$(bytes_of 'NR == 2')" = "49152 " ]
	[ "$(bytes_of END)" = "49152 0" ]
	[ "$(jq '.runs[0].operations[0].threads[0].figures.traffic_bytes_per_s' out.json)" = null ]
	[ "$(jq '.runs[0].operations[1].threads[0].figures | .traffic_bytes_per_s == .bytes_per_s' out.json)" = true ]
	run ! grep -q "write-allocate" out.txt
}

@test "of a vector twice as large as the caches the traffic is told, a half more for copy" {
	skip_obstacle
	need_jq
	one "opType: copy" "tamPerVector: 2xcaches" "table: traffic rows=kernel"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ] || skip "no caches are shown, or there is no memory of twice their size"
	measured
	[ "$(jq '.runs[0].operations[0].threads[0].figures | .traffic_bytes_per_s / .bytes_per_s * 2 | round' out.json)" -eq 3 ]
	grep -q " GB/s, .* with write-allocate" out.txt
	grep -q "^traffic" out.txt
}

@test "an instruction set that the CPU lacks is refused with those that it has, and skipped in a sweep" {
	local missing=sve
	[ "$(uname -m)" = x86_64 ] || missing=avx2
	one "opType: load" "isa: $missing"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 3 ]
	[[ $stderr == "t.args:"*": load: isa = $missing is not available here: this CPU has scalar, "* ]]
	one "opType: load" 'isa: $isa' "sweep: isa = scalar $missing"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	[[ $stderr == *"this CPU has scalar, "* ]]
}

@test "a sweep over the instruction sets of all architectures runs on each" {
	one "opType: load" 'isa: $isa' "sweep: isa = scalar sse2 avx avx2 avx512 neon sve"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	if [ "$(uname -m)" = x86_64 ]; then
		[[ $stderr == *"isa = neon is not available here"*"isa = sve is not available here"* ]]
		[[ $stderr != *"isa = sse2 is not available here"* ]]
	else
		[[ $stderr == *"isa = sse2 is not available here"*"isa = avx is not available here"* ]]
		[[ $stderr != *"isa = neon is not available here"* ]]
	fi
}

@test "what another machine's CPU has is not asked of this one" {
	machine "$TWO_NODES"
	given "opType: load" "tamPerVector: 1MiB*" "isa: avx512"
	planned
	given "opType: load" "tamPerVector: 1MiB*" "isa: sve"
	planned
}

@test "a vector smaller than a turn of the loop is refused, and an unknown instruction set" {
	machine "$TWO_NODES"
	given "opType: load" "tamPerVector: 32B*" "isa: scalar" "unroll: 8"
	refused 2 "t.args:1: load: 0 bytes to go through are less than the 64 of one turn of the loop (unroll x vector); a larger tamPerVector, or a smaller unroll"
	given "opType: load" "isa: mmx"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 2 ]
	[[ $stderr == "t.args:6: unknown isa 'mmx'"* ]]
}

@test "chains that cannot be met are refused" {
	machine "$TWO_NODES"
	given "opType: chase" "tamPerVector: 1KiB*" "chains: 9"
	refused 2 "t.args:1: chase: chains = 9 cannot be met: the vector has 16 places, and a chain needs two; a larger tamPerVector, a smaller stride, or fewer chains"
	given "opType: chase" "chains: 17"
	refused 2 "t.args:6: chains = 17 is out of range" "  hint: chains takes 1 .. 16"
}

@test "a vector in which a kernel builds something is its own" {
	machine "$TWO_NODES"
	given "opType: chase" "nodePerVector: 0" "tamPerVector: 4KiB" "vectorPerThread: 0 1"
	refused 2 "t.args:5: chase: thread 0 needs vector 0 for itself, but thread 1 uses it too" \
		"  hint: give each of these threads a vector of its own"
	given "opType: chase+write" "nodePerVector: 0" "tamPerVector: 4KiB" "vectorPerThread: 0 1"
	refused 2 "t.args:5: chase: thread 0 needs vector 0 for itself, but thread 1 uses it too" \
		"  hint: give each of these threads a vector of its own"
	given "opType: chase+load" "nodePerVector: 0" "tamPerVector: 4KiB" "vectorPerThread: 0 1"
	refused 2 "t.args:5: chase: thread 0 needs vector 0 for itself, but thread 1 uses it too" \
		"  hint: give each of these threads a vector of its own"
	given "opType: chase+read" "nodePerVector: 0" "tamPerVector: 4KiB" "vectorPerThread: 0 1"
	planned
}

turns_hint="  hint: use interleave: no, or give each operation a file (or a sweep: op = ...) with vectors of its own"

@test "nobody may come in between with interleave" {
	machine "$TWO_NODES"
	local kernel
	for kernel in store load; do # load only reads, but its setup() writes
		given "opType: chase $kernel" "interleave: yes"
		refused 2 "t.args:1: interleave: chase would find its vector 0 changed by $kernel" \
			"$turns_hint"
	done
	given "opType: chase read" "interleave: yes"
	planned
	given "opType: chase load"
	planned
}

# spoilt KERNEL BY [KEY: VALUE]...: KERNEL would not find again in vector 0 what it needs there.
spoilt() {
	given "opType: $1 $2" "interleave: yes" "${@:3}"
	refused 2 "t.args:1: interleave: $1 would find its vector 0 changed by $2" "$turns_hint"
}

@test "kernels that would find another content with interleave are refused beforehand" {
	machine "$TWO_NODES"
	spoilt sum store
	spoilt load write
	spoilt load update
	spoilt update store
	spoilt copy triad
	spoilt copy read_write
	spoilt gups store
	spoilt gups load # load only reads, but its setup() writes
	spoilt sum traffic "writes: 0.5"
	# a of triad is what load reads
	spoilt load triad "nodePerThread: 0" "nodePerVector: 0*3" "vectorPerThread: 0, 0, 0"
	# on their own, but all threads together and each alone take turns
	given "opType: load+store" "nodePerVector: 0" "tamPerVector: 4KiB" "vectorPerThread: 0 1" "interleave: yes" \
		"solo: yes"
	refused 2 "t.args:1: interleave: load would find its vector 0 changed by store" "$turns_hint"
}

@test "kernels that find what they need all the same are interleaved, and their results are right" {
	skip_obstacle
	local ops
	for ops in "load sum read" "store store_nt write" "copy copy_nt scale read" "add triad" "load traffic" gups \
		"update read" "store_ind store write_read_write"; do
		# an even number of samples with the warm-up: gups alone leaves half a pair of rounds to gups
		one "opType: $ops" "interleave: yes" "solo: yes" "numIter: 3"
		measured
	done
	one "opType: sum+null null+store" "interleave: yes" "nodePerThread: first*2" "oversubscribe: yes" \
		"nodePerVector: first*2" "tamPerVector: 64KiB*" "vectorPerThread: 0, 1"
	measured
	one "opType: triad add" "interleave: yes" "nodePerVector: first*3" "tamPerVector: 64KiB*" "vectorPerThread: 0, 0, 0"
	measured
	# nobody looks at the content where several kernels share a vector, or several threads run gups
	one "opType: load+store sum+write gups" "interleave: yes" "nodePerThread: first*2" "oversubscribe: yes" \
		"vectorPerThread: 0 1"
	measured
}

@test "chases interleaved with themselves alone find their chains again" {
	skip_obstacle
	one "opType: chase read" "interleave: yes" "solo: yes"
	measured
}

@test "--help tells bytes and what depends on parameters" {
	try "$AFFINITY" --help triad
	[[ $output == *"One element: 2 loads, 1 store, 24 bytes and 8 of write-allocate. "* ]]
	try "$AFFINITY" --help traffic
	[[ $output == *", depending on its parameters. "* ]]
	[[ $output == *"part of the lines that is stored to, such as 0.25; a multiple of 1/16"* ]]
	# its vector and another kernel decide
	try "$AFFINITY" --help migrate_use
	[[ $output == *"One use: what a round of the kernel in \`use\` loads and stores; with lines a load of each line. "* ]]
}

@test "a+b* gives b to all threads that are left" {
	machine "$TWO_NODES"
	given "nodePerThread: 0 0 1 1" "nodePerVector: 0*4" "tamPerVector: 4KiB*" "vectorPerThread: own" \
		"opType: chase+traffic* chase+write+traffic*"
	planned "operation chase+traffic*: thread 0 chase passes calibrated, thread 1 traffic passes calibrated, thread 2 traffic passes calibrated, thread 3 traffic passes calibrated" \
		"operation chase+write+traffic*: thread 0 chase, thread 1 write, thread 2 traffic, thread 3 traffic"
	given "nodePerThread: 0" "nodePerVector: 0" "tamPerVector: 4KiB" "vectorPerThread: own" "opType: chase+traffic*"
	refused 3 "t.args:1: opType: 'chase+traffic*' names 2 kernels, but there is only 1 thread" \
		"  hint: nodePerThread: first*2, for example, gives as many threads"
}

@test "own gives every thread as many vectors, in their order" {
	machine "$TWO_NODES"
	given "nodePerVector: 0*4" "tamPerVector: 4KiB*" "vectorPerThread: own"
	planned "thread 0: CPU 0, core 0, node 0, vectors 0 1" "thread 1: CPU 4, core 2, node 1, vectors 2 3"
	given "nodePerVector: 0*3" "tamPerVector: 4KiB*" "vectorPerThread: own"
	refused 2 "t.args:5: vectorPerThread: own needs as many vectors for each thread; there are 3 vectors and 2 threads" \
		"  hint: nodePerVector: first* is a vector for every thread"
}

@test "measures: memory warns of vectors below four times the caches" {
	machine "numa:1(memory=8GB) l3:2(size=1000000) core:2 l1:1(size=64000) pu:1"
	given "nodePerThread: 0" "nodePerVector: 0" "tamPerVector: 4256000B" "vectorPerThread: 0" "measures: memory"
	planned
	given "nodePerThread: 0" "nodePerVector: 0" "tamPerVector: 4255000B" "vectorPerThread: 0" "measures: memory"
	warned "measures: memory, but what thread 0 accesses in read is 3.999 times its share of the caches above it, less than 4 times"
	given "nodePerThread: 0" "nodePerVector: 0" "tamPerVector: 1064000B" "vectorPerThread: 0" "measures: memory"
	warned "is 1 times its share of the caches above it, less than 4 times"
	given "nodePerThread: 0" "nodePerVector: 0" "tamPerVector: 1064000B" "vectorPerThread: 0"
	planned
	machine "numa:1(memory=8GB) core:2 pu:1"
	given "nodePerThread: 0" "nodePerVector: 0" "tamPerVector: 1GB" "vectorPerThread: 0" "measures: memory"
	warned "measures: memory, but the machine shows no caches"
}

# packed N LINE...: given, with N threads on the first cores of node 0, so under as few caches as can be.
packed() {
	given "${@:2}"
	sed -i "s/^nodePerThread:.*/placePerThread: packed(node(0))*$1/" t.args
}

@test "threads under one cache have a part of it each, and users of one vector a part of that" {
	machine "numa:1(memory=8GB) l3:2(size=1000000) core:2 l1:1(size=64000) pu:1"
	packed 3 "nodePerVector: 0*3" "tamPerVector: 2256000B 2256000B 4256000B" "vectorPerThread: own" "measures: memory"
	planned # the third has a cache for itself
	packed 2 "nodePerVector: 0 0" "tamPerVector: 9MB 564000B" "vectorPerThread: own" "measures: memory"
	warned "what thread 1 accesses in read is 1 times its share"
	packed 2 "nodePerVector: 0" "tamPerVector: 1128000B" "vectorPerThread: 0 1" "measures: memory"
	warned "what thread 0 accesses in read is 1 times its share"
	packed 2 "nodePerVector: 0*2" "tamPerVector: 4xcaches/core*" "vectorPerThread: own" "measures: memory"
	planned
	packed 2 "opType: read+null" "nodePerVector: 0*2" "tamPerVector: 4xcaches/core*" "vectorPerThread: own" \
		"measures: memory"
	warned "what thread 0 accesses in read+null is 2.12 times" # null leaves it the whole cache
	packed 2 "nodePerVector: 0*2" "tamPerVector: 4xcaches/core*" "vectorPerThread: own" "measures: memory" "solo: yes"
	warned "what thread 0 accesses in read alone (solo) is 2.12 times"
}

@test "many small caches count as much as a large one" {
	# eight cores of 2 MB each below 1 MB for all
	machine "numa:1(memory=8GB) l3:1(size=1000000) core:8 l2:1(size=2000000) pu:1"
	given "nodePerThread: 0*8" "nodePerVector: 0*8" "tamPerVector: 4xL3/core*" "vectorPerThread: own" "measures: memory"
	warned "is 0.2353 times its share"
	given "nodePerThread: 0*8" "nodePerVector: 0*8" "tamPerVector: 4xcaches/core*" "vectorPerThread: own" "measures: memory"
	planned
}

@test "a thread that is not bound may have a whole cache" {
	machine "numa:1(memory=8GB) l3:8(size=1000000) core:8 pu:1"
	printf '%s\n' "opType: read" "mapping: os" "threads: 4" "nodePerVector: 0*4" "tamPerVector: 2MB*" "vectorPerThread: own" \
		"measures: memory" >t.args
	warned "is 2 times its share"
}

@test "places of a chase farther apart than lines leave lines out" {
	machine "numa:1(memory=8GB) l3:1(size=1000000) core:1 pu:1"
	given "opType: chase" "nodePerThread: 0" "nodePerVector: 0" "tamPerVector: 8MB" "vectorPerThread: 0" "stride: 256B" "measures: memory"
	warned "what thread 0 accesses in chase is 2 times its share"
}

# What gnuplot would be told: a stand-in writes it down.
with_gnuplot() {
	mkdir -p bin
	printf '#!/bin/sh\ncat >>%s/script\necho "<svg/>"\n' "$PWD" >bin/gnuplot
	chmod +x bin/gnuplot
	PATH=$PWD/bin:$PATH
}

@test "a picture over sizes of vectors marks where caches end, another does not" {
	skip_obstacle
	local bytes
	bytes=$("$AFFINITY" --topology | sed -n 's/^L1 cache: \([0-9]*\) KiB.*/\1/p')
	[ -n "$bytes" ] || skip "the size of the L1 cache is not known"
	with_gnuplot
	one "sweep: size = 4KiB..1MiB*4" 'tamPerVector: $size' "plot: ns_per_unit x=size"
	measured
	grep -qx "set arrow from first $((bytes * 1024)), graph 0 to first $((bytes * 1024)), graph 1 .*" script
	grep -qx "set label \"L1\" at first $((bytes * 1024)), graph 1 right .*" script
	rm script
	one "sweep: size = 64B..16KiB*4" 'stride: $size' "plot: ns_per_unit x=size"
	measured
	run ! grep -q "set arrow" script
}

@test "a curve is drawn against what was measured" {
	skip_obstacle
	[ "$(usable_cpus | wc -l)" -gt 1 ] || skip "one CPU only may be used"
	with_gnuplot
	given "sweep: gap = 0 100" "opType: chase+traffic*" "nodePerThread: first*2" "nodePerVector: first*2" \
		"vectorPerThread: own" "mode: time:20ms" "numIter: 2" 'gap: $gap' "loads: 100" \
		"plot: ns_per_unit x=gap thread=0 against=bandwidth"
	measured
	grep -qx 'set xlabel "bandwidth (GB/s)" noenhanced' script
	# two points, neither of them at its gap
	[ "$(sed -n '/^\$curve0/,/^END/p' script | grep -c '^[0-9.]* [0-9.]* ')" -eq 2 ]
	run ! grep -qE '^(0|100) ' script
}

@test "what a curve is drawn against must be known, and is for curves" {
	machine "$TWO_NODES"
	given "sweep: d = 0 1" 'sleep: $d' "plot: cost x=d against=speed"
	refused 2 "t.args:8: plot: unknown quantity 'speed'"
	given "sweep: d = 0 1" 'sleep: $d' "table: cost rows=d against=rate"
	refused 2 "t.args:8: table: 'against=rate' is for plots" \
		"  hint: leave it out, or write plot: in place of table:"
	given "sweep: d = 0 1" 'sleep: $d' "plot: cost rows=d cols=thread against=rate"
	refused 2 "t.args:8: plot: against= goes with x=, not with rows= or mean="
}
