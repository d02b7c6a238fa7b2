#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Sizes of caches: who says them, which of unlike ones count, and what a machine without any does.

bats_require_minimum_version 1.5.0 # run !
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

UNLIKE=$BATS_TEST_DIRNAME/../topologies/unlike-l2.xml
# This machine, by a description without caches.
BARE="numa:1(memory=1GB) core:1 pu:1"

setup() {
	driver_setup
}

# on CORES SIZE: the bytes of a vector of that size that threads on these cores use.
on() {
	printf '%s\n' "opType: read" "corePerThread: $1" "nodePerVector: first" "tamPerVector: $2" "vectorPerThread: all" >t.args
	"$AFFINITY" --plan t.args | sed -n 's/^vector 0: node 0, \([0-9]*\) char.*/\1/p'
}

# bare COMMAND...: on this machine, as if the kernel showed no caches.
bare() {
	try env HWLOC_SYNTHETIC="$BARE" HWLOC_THISSYSTEM=1 "$@"
}

# blind COMMAND...: as if the processor said nothing either.
blind() {
	bare env HWLOC_COMPONENTS=-x86 "$@"
}

@test "a multiple of a cache is that of the thread's own core" {
	machine "$UNLIKE"
	[ "$(on 0 0.5xL2)" -eq $((640 << 10)) ]
	[ "$(on 2 0.5xL2)" -eq $((1 << 20)) ]
	[ "$(on 0 1xL1)" -eq $((48 << 10)) ]
	[ "$(on 9 1xL1)" -eq $((32 << 10)) ]
	[ "$(on 0 4xcaches)" -eq $((4 * (48 + 1280 + 12288) << 10)) ]
	[ "$(on 2 4xcaches)" -eq $((4 * (32 + 2048 + 12288) << 10)) ]
	[ "$(on 0 4xL2/core)" -eq $((4 * 1280 << 10)) ]
	[ "$(on 2 4xL2/core)" -eq $((4 * 512 << 10)) ]
}

@test "of threads on unlike cores the largest cache counts, and so for threads that may run anywhere" {
	machine "$UNLIKE"
	[ "$(on '0 2' 0.5xL2)" -eq $((1 << 20)) ]
	[ "$(on '0 2' 1xL1)" -eq $((48 << 10)) ]
	[ "$(on '0 2' 4xcaches)" -eq $((4 * (32 + 2048 + 12288) << 10)) ]
	printf '%s\n' "opType: read" "threads: 1" "mapping: os" "nodePerVector: first" "tamPerVector: 0.5xL2" "vectorPerThread: 0" >t.args
	planned "vector 0: node 0, 1048576 char, 1 MiB, pages system, init node"
	# the quick core, alone above its 1.25 MiB, has more than a quarter of the 2 MiB of a cluster
	sed -i 's/0.5xL2/4xL2\/core/' t.args
	planned "vector 0: node 0, 5242880 char, 5 MiB, pages system, init node"
}

@test "each vector is sized by its own threads" {
	machine "$UNLIKE"
	printf '%s\n' "opType: read" "corePerThread: 2 0" "nodePerVector: first*" "tamPerVector: 1xL2*" "vectorPerThread: own" >t.args
	planned "vector 0: node 0, 2097152 char, 2 MiB, pages system, init node" \
		"vector 1: node 0, 1310720 char, 1.25 MiB, pages system, init node"
}

@test "a level that the thread's core lacks is refused, although other cores have it" {
	sed 's/cache_size="2097152"/cache_size="0"/' "$UNLIKE" >m.xml
	machine m.xml
	[ "$(on 0 0.5xL2)" -eq $((640 << 10)) ]
	on 2 0.5xL2 || true
	refused 3 "t.args:4: tamPerVector: '0.5xL2', but no thread of the vector has an L2 cache" \
		"  hint: give the size in bytes, such as 200MiB, or the caches: caches: 32K 1M 32M"
}

@test "where the kernel shows no caches the processor is asked" {
	[ "$(uname -m)" = x86_64 ] || skip "only x86 has an instruction that says"
	local shown
	shown=$("$AFFINITY" --topology | sed -n 's/^\(L[123] cache: [^,]*\),.*/\1/p')
	[ -n "$shown" ] || skip "this machine shows no caches"
	bare "$AFFINITY" --topology
	same "$shown" "$(sed -n 's/^\(L[123] cache: [^,]*\),.*/\1/p' <<<"$output")"
	[[ $output == *$'\nsizes of caches: from the processor (cpuid)\n'* ]]
	blind "$AFFINITY" --topology
	[[ $output == *$'\ncaches: the machine shows none; the key caches gives their sizes\n'* ]]
}

@test "a plan measures no caches, and says how to" {
	given "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" "tamPerVector: 1xL1"
	blind "$AFFINITY" --plan t.args
	[ "$status" -eq 3 ]
	same "t.args:4: tamPerVector: '1xL1', but the machine shows no L1 cache
  hint: affinity --measure-caches caches.json measures them, for caches: measured:caches.json; or give them: caches: 32K 1M 32M" "$stderr"
}

@test "the key caches gives sizes, and how many cores share one" {
	machine "numa:1(memory=8GB) core:8 pu:2"
	caches() { # SIZE LINE
		printf '%s\n' "opType: read" "corePerThread: 7" "nodePerVector: 0" "tamPerVector: $1" "vectorPerThread: 0" "caches: 64K 1M 32M/4" >t.args
		try "$AFFINITY" --plan t.args
		[ "$status" -eq 0 ]
		[ -z "$stderr" ]
		[[ $output == *"vector 0: node 0, $2 char, "* ]]
	}
	caches 1xL1 65536
	caches 0.5xL2 524288
	caches 1xL3 33554432
	caches 1xL3/core 8388608
	caches 1xcaches 34668544
	caches 1xLLC/core 8388608
	sed -i '/^caches/d' t.args
	refused 3 "t.args:4: tamPerVector: '1xLLC/core', but the machine shows no caches" \
		"  hint: give the size in bytes, such as 200MiB, or the caches: caches: 32K 1M 32M"
}

@test "sizes that contradict the machine's count, with a warning; equal ones have none" {
	machine "numa:1(memory=8GB) l2:2(size=1MiB) l1:1(size=32KiB) core:1 pu:1"
	local of="as the description of the machine has it"
	while IFS='|' read -r sizes warning; do
		given "nodePerThread: 0" "nodePerVector: 0" "vectorPerThread: 0" "tamPerVector: 1xL1" "caches: $sizes"
		try "$AFFINITY" --plan t.args
		[ "$status" -eq 0 ]
		same "$warning" "$(head -n 1 <<<"$stderr")"
	done <<-END
		32K 1M|
		64K 1M|t.args:6: warning: caches: L1 is 64 KiB here, 32 KiB $of
		32K 2M|t.args:6: warning: caches: L2 is 2 MiB here, 1 MiB $of
		32K|t.args:6: warning: caches: L2 is none here, 1 MiB $of
		32K 1M 8M|t.args:6: warning: caches: L3 is 8 MiB here, none $of
	END
	[[ $output == *"vector 0: node 0, 32768 char"* ]]
	try "$AFFINITY" --plan --set "caches=16K 1M" t.args
	[[ $output == *"vector 0: node 0, 16384 char"* ]]
}

@test "what is no size of a cache is refused" {
	machine "$TWO_NODES"
	local hint="  hint: from L1 on, each with a unit, and after / how many cores share one: caches: 64K 1M 32M/8"
	for size in 64 0K K -1K 64K/0 64K/x 64K/ /4 64X; do
		given "caches: $size 1M"
		refused 2 "t.args:6: caches: '$size' is not the size of a cache" "$hint"
	done
	given "caches: 64K 32K"
	refused 2 "t.args:6: caches: '32K' of level 2 is smaller than the level before" "  hint: from L1 on: caches: 64K 1M 32M/8"
	given "caches: 1K 2K 3K 4K 5K"
	refused 2 "t.args:6: caches has 5 values, levels are 1 to 4" "  hint: one for each level, from L1 on: caches: 64K 1M 32M/8"
	given "caches: measured:none.json"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 2 ]
	[[ $stderr == "none.json: cannot be read: No such file or directory"* ]]
}

@test "every result says who says the sizes, keeps a known line, and says that a line is assumed" {
	find_obstacle
	skip_obstacle
	given "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" "numIter: 1"
	try "$AFFINITY" --json shown.json t.args /dev/null
	given "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" "numIter: 1" "caches: 32K 4M"
	try "$AFFINITY" --json out.json t.args /dev/null
	[ "$status" -eq 0 ]
	# where the machine says its lines they are those, as without the key
	[ "$(jq .environment.caches shown.json)" = null ] ||
		same "$(jq .environment.cache_line shown.json)" "$(jq .environment.cache_line out.json)"
	blind "$AFFINITY" --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	jq -e '.environment | .caches_from == "the key caches" and .cache_line == {bytes: 64, assumed: true}
		and .caches == [{level: 1, bytes: 32768, count: .topology.cores}, {level: 2, bytes: 4194304, count: .topology.cores}]' out.json
	grep -qx ' - caches_from: the key caches' out.txt
	grep -qx ' - cache_line: 64 B, assumed: the machine gives none' out.txt
}

# A document of a staircase: the latency of each size is that of the jq expression.
staircase() { # EXPRESSION of bytes as $b
	cat >s.args <<-'END'
		sweep: size = 8KiB..64KiB*2
		opType: chase
		nodePerThread: first
		nodePerVector: first
		tamPerVector: $size
		vectorPerThread: 0
		numIter: 1
		warmup: 0
		placements: 1
		clockRate: no
	END
	[ -e s.json ] || "$AFFINITY" --quiet --json s.json s.args s.txt
	jq ".runs[] |= (.vectors[0].bytes as \$b | .operations[0].threads[0].samples[] |=
		(.busy_s = ($1) * 1e-9 * .units | .disturbed_flags = 0))" s.json >steps.json
}

@test "measured steps are caches, with their uncertainty" {
	find_obstacle
	skip_obstacle
	# shellcheck disable=SC2016 # a dollar sign of jq
	staircase 'if $b <= 16384 then 1 else 20 end'
	given "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" "tamPerVector: 1xL1" "numIter: 1" "caches: measured:steps.json"
	try "$AFFINITY" --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	jq -e '.environment.caches_from == "measured: L1 22.6 KiB (16 KiB to 32 KiB)"' out.json
	jq -e '.runs[0].vectors[0].bytes == 23232' out.json
	[[ $stderr == *"caches: the sizes in 'steps.json' are a factor of 2 apart, in which two caches can look like one"$'\n'* ]]
	[[ $stderr == *"  hint: affinity --measure-caches FILE takes steps of 1.41"* ]]
	# a disturbed sample is no evidence, and without others its size is unknown
	jq '.runs[] |= (if .vectors[0].bytes == 16384 then .operations[0].threads[0].samples[].disturbed_flags = 2 else . end)' \
		steps.json >disturbed.json
	try "$AFFINITY" --set caches=measured:disturbed.json --json out.json t.args out.txt
	jq -e '.environment.caches_from == "measured: L1 16 KiB (8 KiB to 32 KiB)"' out.json
	jq '.environment.cpu_model = "another"' steps.json >other.json
	try "$AFFINITY" --plan --set caches=measured:other.json t.args
	[ "$status" -eq 0 ]
	[[ $stderr == *"caches: 'other.json' is of another processor: another"$'\n'"  hint: affinity --measure-caches other.json measures this one"* ]]
}

@test "a file of measured caches that a result or a picture would replace is refused" {
	find_obstacle
	skip_obstacle
	# shellcheck disable=SC2016 # a dollar sign of jq
	staircase '($b <= 16384 | if . then 1 else 9 end)'
	cp steps.json before.json
	cp steps.json p.svg
	given "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" "tamPerVector: 1xL1" "numIter: 1" "caches: measured:steps.json" \
		"plot: cost x=thread"
	try "$AFFINITY" --json ./steps.json t.args out.txt
	[ "$status" -eq 2 ]
	same "affinity: './steps.json' and the caches 'steps.json' are the same file" "$(grep '^affinity: .*same file' <<<"$stderr")"
	try "$AFFINITY" --set caches=measured:p.svg t.args p.txt
	[ "$status" -eq 2 ]
	[[ $stderr == *"affinity: the caches and the picture 'p.svg' are the same file"* ]]
	cmp before.json steps.json
	cmp before.json p.svg
	[ ! -e out.txt ]
	# one that --set replaces is not read
	try "$AFFINITY" --set "caches=32K 1M" --json steps.json t.args out.txt
	[ "$status" -eq 0 ]
}

@test "a staircase without steps, or none at all, asks for sizes" {
	find_obstacle
	skip_obstacle
	staircase '5'
	given "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" "caches: measured:steps.json"
	refused 3 "t.args:6: caches: the latencies of 'steps.json' have no step: the sizes of the caches stay unknown" \
		"  hint: caches: 32K 1M 32M gives the sizes, or give those of vectors in bytes, such as 200MiB"
	jq '.runs[1:][].operations[0].threads[0].samples[].disturbed_flags = 2' steps.json >disturbed.json
	sizes=$(jq '.runs | length' steps.json)
	options=(--set caches=measured:disturbed.json)
	refused 3 "--set: caches: in 'disturbed.json' all samples of $((sizes - 1)) of the $sizes sizes are disturbed; \
measure again when nothing else runs" \
		"  hint: caches: 32K 1M 32M gives the sizes, or give those of vectors in bytes, such as 200MiB"
	options=()
	sed -i 's/chase/read/' s.args
	rm -f steps.json
	"$AFFINITY" --quiet --json steps.json s.args s.txt
	refused 3 "t.args:6: caches: 'steps.json' has no run in which one thread chases through one vector" \
		"  hint: caches: 32K 1M 32M gives the sizes, or give those of vectors in bytes, such as 200MiB"
}

@test "where neither kernel nor processor says the sizes they are measured, or asked for" {
	find_obstacle
	skip_obstacle
	given "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" "tamPerVector: 1xL1" "numIter: 1"
	blind "$AFFINITY" --json out.json t.args out.txt
	if [ "$status" -eq 0 ]; then
		[[ $stderr == *"affinity: warning: the machine shows no sizes of caches; measured: L1 "*" ("*" to "*"); a cache of more than "*" MiB is not found"* ]]
		[[ $stderr == *"  hint: affinity --measure-caches caches.json keeps them, for caches: measured:caches.json; or give"* ]]
		jq -e '.environment.caches_from | startswith("measured: L1 ")' out.json
	else
		[ "$status" -eq 3 ] # a simulated machine has no caches, and no steps
		[[ $stderr == *"the latencies of 'the staircase just measured' have no step"* ]]
	fi
	# a file that needs no caches measures none
	blind "$AFFINITY" --set tamPerVector=4KiB --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	jq -e '.environment.caches_from == null' out.json
}

# begun [COMMAND]...: the seconds that are told before the first sample of a staircase that is not waited for.
begun() {
	rm -f told
	"$@" "$AFFINITY" --measure-caches c.json 2>told &
	local pid=$! tries=0
	until [ -s told ] || ! kill -0 "$pid" 2>/dev/null || ((tries++ > 600)); do sleep 0.1; done
	kill -KILL "$pid" 2>/dev/null || true
	wait "$pid" 2>/dev/null || true
	sed -n '1s/^affinity: measuring the sizes of the caches: about \([0-9]*\) s$/\1/p' told
}

@test "how long a staircase takes is told before, and a slow clock has fewer samples" {
	find_obstacle
	skip_obstacle
	shims_setup
	local usual slow
	usual=$(begun env)
	[ "$usual" -ge 1 ]
	# with the usual number of samples it would be 200 seconds
	slow=$(begun env LD_PRELOAD="$shims/clock.so" CLOCK_SLOW=1000000000)
	echo "usually $usual s, with a slow clock $slow s"
	[ "$slow" -gt "$usual" ]
	[ "$slow" -lt 100 ]
}

@test "the staircase is measured once and kept, and a batch uses it" {
	find_obstacle
	skip_obstacle
	mkdir -p args/suite
	given "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" "tamPerVector: 1xL1" "numIter: 1"
	mv t.args args/suite
	export AFFINITY
	blind env HWLOC_COMPONENTS=-x86 "$root/scripts/ejec.sh" -o results args/suite
	local kept
	kept=results/$(uname -n | cut -d. -f1)
	[ -s "$kept/caches.json" ]
	jq -e '[.runs[].operations[].operation] | unique == ["chase"]' "$kept/caches.json"
	if [ "$status" -eq 0 ] && [ -e "$kept/suite/t.json" ]; then
		jq -e '.environment.caches_from | startswith("measured: L1 ")' "$kept/suite/t.json"
		cp "$kept/caches.json" before.json
		blind "$root/scripts/ejec.sh" -o results args/suite
		[ "$status" -eq 0 ]
		cmp before.json "$kept/caches.json"
	fi
	try "$AFFINITY" --measure-caches caches.json t.args
	[ "$status" -eq 2 ]
	machine "$TWO_NODES"
	try "$AFFINITY" --measure-caches caches.json
	[ "$status" -eq 3 ]
	[ ! -e caches.json ]
}
