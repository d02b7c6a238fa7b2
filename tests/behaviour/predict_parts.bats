#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# --predict: caches, interleaved vectors, shared cores and shared lines, from profiles of a made-up machine whose law is
# known (profile_parts.jq).

# shellcheck disable=SC2016,SC2030,SC2031 # variables of sweeps; each test is a process
bats_require_minimum_version 1.5.0
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/made_up.bash
source "$BATS_TEST_DIRNAME/../made_up.bash"

setup() {
	made_up_setup
}

# ns THREAD LINE...: what an access costs in t.args by out.json.
ns() {
	jq ".runs[0].operations[0].threads[$1].predicted_s.value * 1e9" out.json
}

# file LINE...: t.args
file() { printf '%s\n' "typePerVector: double*" "stride: 192B" "mode: time:50ms" "$@" >t.args; }

@test "sizes between those of the profile cost what its caches make of them" {
	measured "$root/args/profile/07_sizes.args"
	measured "$root/args/profile/25_beyond_caches.args"
	one() { file "kernels: read" "nodePerThread: 0" "vectorPerThread: 0" "nodePerVector: $1" "sizePerVector: $2"; }
	one 0 24KiB
	predict --json out.json t.args out.txt
	same 0 "$status"
	near "$(ns 0)" 1
	grep -q 'read on double, pages system, distance 10, ns a unit that misses 8192 KiB = ' out.txt
	one 0 4MiB
	predict --json out.json t.args out.txt
	near "$(ns 0)" 5
	sed -i 's/^stride: .*/stride: 24/' t.args # as many bytes of doubles
	predict --json out.json t.args out.txt
	same 0 "$status"
	near "$(ns 0)" 5
	one 1 12MiB # half way to memory
	predict --json out.json t.args out.txt
	near "$(ns 0)" 37.06
	one 0 16MiB # h = exp(-2 (1 - h)) = 0.203
	predict --json out.json t.args out.txt
	near "$(ns 0)" 16.95
	jq -e '.runs[0].operations[0].threads[0].predicted_s | .low < .value and .value < .high' out.json
	one 0 4KiB
	refuses "caches hold a good part of vector 0; of the profile, it has vectors of 16 .. 3.392e+04 KiB for a thread alone, not as these of 4 KiB"
	one 0 64KiB
	sed -i 's/^stride: .*/stride: 64B/' t.args
	refuses "the profile has no read with stride: 64B (not 192B): args/profile/03_alone.args with --set kernels=read --set stride=64B"
	echo 'leaveHuge: 0.5xvectors' >>t.args
	refuses "leaveHuge breaks the memory of nodes, of which the model has nothing"
	sed -i 's/^stride: .*/order: random/; $d' t.args
	refuses "the profile has no read with order: random (not forward): args/profile/03_alone.args with --set kernels=read --set order=random"
}

@test "a kernel without a stride is measured beside one that takes the stride of the file" {
	measured "$root/args/profile/03_alone.args"
	file "kernels: read gups" "nodePerThread: 0" "vectorPerThread: 0" "nodePerVector: 0" "sizePerVector: 8xLLC"
	sed -i 's/double\*/double/' t.args
	predict --json out.json t.args out.txt
	same "the profile has no gups: args/profile/03_alone.args with --set 'kernels=read gups'" \
		"$(jq -r '[.. | .refused? // empty] | last' out.json)"
	"$AFFINITY" --quiet --plan --set "$caches" --set 'kernels=read gups' "$root/args/profile/03_alone.args" >/dev/null
}

@test "an interaction that is assumed is told" {
	local file
	for file in 01_latency 02_bandwidth 03_alone; do measured "$root/args/profile/$file.args"; done
	both() {
		printf '%s\n' "kernels: read" "nodePerThread: 0 1" "nodePerVector: 0" "vectorPerThread: 0 1" \
			"sizePerVector: 128MiB" "typePerVector: double" "stride: 192B" "passes: 1" "$@"
	}
	both >shared.args # in step: what they gain of each other apart is not shown
	measured shared.args
	both "fraction: 1 0.5" >t.args
	predict --csv out.csv --json out.json t.args out.txt
	same 0 "$status"
	[[ $stderr == *"warning: how threads slow each other down is assumed: too few runs of the profile show it"* ]]
	grep -qx '  read: how its threads slow each other down is assumed' out.txt
	grep -qx '  follow = 1, assumed' out.txt
	same "interaction assumed interaction assumed" "$(sed 1d out.csv | cut -d, -f12 | paste -sd' ')"
	same '[true,["queue","follow","lead"]]' \
		"$(jq -c '[.runs[0].operations[0].assumed, [.parameters[] | select(.assumed) | .parameter]]' out.json)"
	# nothing is assumed of threads in step
	both >t.args
	predict t.args out.txt
	same 0 "$status"
	[[ $stderr != *"assumed"* ]]
}

@test "threads that were not measured together are refused" {
	local file
	for file in 01_latency 02_bandwidth 03_alone; do measured "$root/args/profile/$file.args"; done
	own() {
		printf '%s\n' "vectorPerThread: own" "sizePerVector: 64MiB*" "typePerVector: double*" "stride: 192B" "passes: 1" "$@"
	}
	own "kernels: read" "nodePerThread: 0 0" "nodePerVector: 0 0" >pair.args
	measured pair.args
	own "kernels: read" "nodePerThread: 0 0" "nodePerVector: 0 0" >t.args
	predict t.args out.txt
	same 0 "$status"
	sed -i 's/^kernels.*/kernels: write/' t.args
	refuses "the profile has write on double, pages system only alone, not among several threads with a vector each: args/profile/04_private.args with --set kernels=write"
	own "kernels: read" "nodePerThread: 0 0" "nodePerVector: 1 1" >t.args
	refuses "the profile has read on double, pages system beside others at distances 10 .. 10, not 20: args/profile/04_private.args, its sweeps with --set over such nodes"
	own "kernels: read" "nodePerThread: 0*2 1*2" "nodePerVector: 0*2 1*2" >t.args
	predict t.args out.txt
	same 0 "$status"
	own "kernels: read" "nodePerThread: 0 1" "nodePerVector: 1 0" >far.args
	measured far.args
	own "kernels: read" "nodePerThread: 0*2 1*2" "nodePerVector: 0*4" >t.args
	refuses "4 threads use the memory of a node; the profile has 2 at most: args/profile/05_threads.args, or args/scaling/3_controller.args for those of several nodes"
	printf '%s\n' "nodePerThread: 0 1" "nodePerVector: 0" "vectorPerThread: 0 1" "sizePerVector: 128MiB" \
		"typePerVector: double" "stride: 192B" "passes: 1" "kernels: read write" >shared.args
	measured shared.args
	sed 's/^kernels.*/kernels: read+write/' shared.args >t.args
	refuses "the profile has no read and write on one vector: args/scaling/6_shared.args, or args/profile/06_shared.args with --set kernels=read+write"
}

@test "threads share a cache in proportion, and wait for memory" {
	measured "$root/args/profile/07_sizes.args"
	measured "$root/args/profile/25_beyond_caches.args"
	measured "$root/args/profile/01_latency.args"
	measured "$root/args/profile/02_bandwidth.args"
	file "kernels: read" "cpuPerThread: 0 2" "nodePerVector: 0*2" "vectorPerThread: own" "sizePerVector: 100KiB*2"
	predict --json out.json t.args out.txt
	same 0 "$status"
	near "$(ns 0)" 1.96 # each in caches of its own core
	# what is left of a cache for each is a rule until it is measured
	[[ $stderr == *"warning: how threads slow each other down is assumed"* ]]
	same '[null,true]' "$(jq -c '.runs[0].operations[0] | [.threads[0].predicted_s.low, .assumed]' out.json)"
	sed -i 's/100KiB/6MiB/' t.args
	predict --json out.json t.args out.txt
	same 0 "$status"
	# a half of L3, 1.5 times as much: 5 + 15 * 0.583, and the two wait a little for each other
	awk -v ns="$(ns 0)" 'BEGIN { exit !(ns > 13.74 && ns < 15) }'
	same "$(ns 0)" "$(ns 1)"
	file 'sweep: size = 64KiB..1024KiB:48KiB' "kernels: read" "cpuPerThread: 0 2" "nodePerVector: 0*2" "vectorPerThread: own" \
		'sizePerVector: $size*'
	mv t.args together.args
	measured together.args
	file "kernels: read" "cpuPerThread: 0 2" "nodePerVector: 0*2" "vectorPerThread: own" "sizePerVector: 6MiB*2"
	predict --json out.json t.args out.txt
	same 0 "$status"
	jq -e '.runs[0].operations[0] | .threads[0].predicted_s as $p | $p.low < $p.value and $p.value < $p.high and .assumed == false' \
		out.json
}

@test "a vector on several nodes costs the mean of them" {
	measured "$root/args/profile/03_alone.args"
	file "kernels: read" "nodePerThread: 0" "vectorPerThread: 0" "nodePerVector: interleave" "sizePerVector: 64MiB"
	refuses "the profile has no run of threads with a vector on several nodes"
	measured "$root/args/profile/08_interleaved.args"
	predict --json out.json --csv out.csv t.args out.txt
	same 0 "$status"
	near "$(ns 0)" 40
	grep -q '^    thread 0, read: node 0, memory on several nodes: ' out.txt
	same null "$(jq .runs[0].operations[0].threads[0].memory_node out.json)"
	same "predicted,,read,0,read,0,,unit," "$(sed 1d out.csv | cut -c1-31)"
	! /usr/bin/python3 -c 'import jsonschema' 2>/dev/null ||
		/usr/bin/python3 -m jsonschema -i out.json "$root/results/schema-predict-1.json"
	sed -i 's/interleave/interleave:3*0,1*1/' t.args # weights
	predict --json out.json t.args out.txt
	[ "$status" -ne 0 ] || near "$(ns 0)" 30
}

@test "threads on one core cost what the profile shows of such pairs" {
	measured "$root/args/profile/03_alone.args"
	measured "$root/args/profile/07_sizes.args"
	file "kernels: read+write" "corePerThread: 1 1" "nodePerVector: 0*2" "vectorPerThread: own" "sizePerVector: 16KiB*2"
	refuses "the profile has no run of threads that share a core"
	measured "$root/args/profile/09_siblings.args"
	predict --json out.json t.args out.txt
	same 0 "$status"
	near "$(ns 0)" 1.3
	grep -q 'read on double, pages system beside write on double, pages system on a core, times = 1.3 ' out.txt
	sed -i 's/read+write/read+write_read/' t.args
	refuses "the profile does not have what thread 0 shares its core with"
}

@test "threads that share lines cost what the ways between their CPUs make of them" {
	measured "$root/args/profile/03_alone.args"
	measured "$root/args/matrix/core_to_core.args"
	printf '%s\n' 'sweep: a = 0 2' 'sweep: b = 4 6 1' 'kernels: atomic_add' 'cpuPerThread: $a $b' 'nodePerVector: 0' \
		'vectorPerThread: all' 'sizePerVector: 1MiB' 'rounds: 1000' 'mode: time:100ms' >atomics.args
	measured atomics.args
	printf '%s\n' 'kernels: atomic_add' 'cpuPerThread: 2 3' 'nodePerVector: 0' 'vectorPerThread: all' \
		'sizePerVector: 1MiB' 'rounds: 1000' 'mode: time:100ms' >t.args
	predict --json out.json t.args out.txt
	same 0 "$status"
	near "$(ns 0)" 53 # 5 + 1.2 * 40
	grep -q 'atomic_add on char, pages system, turns of a line a unit = 1.2 ' out.txt
	sed -i 's/^cpuPerThread.*/cpuPerThread: 0 2 4/' t.args
	refuses "the profile has this kernel with 2 threads at most"
	sed -i 's/^cpuPerThread.*/cpuPerThread: 2/' t.args
	refuses "the profile has this kernel with several threads only (args/profile/11_meetings.args with --set 'kernels=barrier atomic_add')"
	sed -i 's/^cpuPerThread.*/cpuPerThread: 2 3/; s/1MiB/2MiB/' t.args
	refuses "the profile does not have this kernel, on a vector of this size: args/profile/11_meetings.args with --set 'kernels=barrier atomic_add' --set sizePerVector=2097152B"
	rm profile/core_to_core.json
	sed -i 's/2MiB/1MiB/' t.args
	refuses "the profile lacks the time of a line between two of its CPUs"
}

@test "threads that meet in rounds, in a tree or not at all, and words some bytes apart, cost what their lines do" {
	local file
	export HWLOC_SYNTHETIC="numa:2 l3:1 core:8 pu:1"
	caches="caches=32K 256K 8M/8"
	facts='{"topology": {"nodes": 2, "packages": 0, "cores": 16, "cpus": 16}, "caches": [{"level": 1, "bytes": 32768, "count": 16}, {"level": 2, "bytes": 262144, "count": 16}, {"level": 3, "bytes": 8388608, "count": 2}]}'
	for file in 03_alone 10_lines 11_meetings 21_barriers 22_reductions 23_distances; do
		measured "$root/args/profile/$file.args"
	done
	for file in 4_atomics 5_barriers 6_reductions 3_false_sharing; do
		agrees "$root/args/coherence/$file.args"
		same "" "$(cat refused)"
	done
	# one on a node has the words of both its lines' ends at hand
	printf '%s\n' 'kernels: barrier' 'by: tree' 'cpuPerThread: 0 1 2 3 4 5' 'nodePerVector: 0' 'vectorPerThread: all' \
		'sizePerVector: 1MiB' 'rounds: 1000' 'passes: 1' 'confidence: 90%' >t.args
	predict --json out.json t.args out.txt
	jq -e '.runs[0].operations[0].threads[0].predicted_s | .low <= .value * 1.0001 and .high >= .value * 0.9999' out.json
	near "$(jq '.runs[0].operations[0].threads[0].predicted_s.value * 1e6' out.json)" \
		"$(awk 'BEGIN { print 5 + 1.2 * 5 * 40 }')"
}

@test "threads that meet beside threads that do nothing cost what they cost without these, and beside traffic nothing is known" {
	local file
	export HWLOC_SYNTHETIC="numa:2 l3:1 core:4 pu:1"
	caches="caches=32K 256K 8M/4"
	facts='{"topology": {"nodes": 2, "packages": 0, "cores": 8, "cpus": 8}, "caches": [{"level": 1, "bytes": 32768, "count": 8}, {"level": 2, "bytes": 262144, "count": 8}, {"level": 3, "bytes": 8388608, "count": 2}]}'
	for file in 11_meetings 21_barriers; do sed 's/1MiB/64KiB/' "$root/args/profile/$file.args" >$file.args; done
	for file in "$root"/args/profile/{02_bandwidth,03_alone,10_lines}.args 11_meetings.args 21_barriers.args; do
		measured "$file"
	done
	cp "$root/args/coherence/7_barrier_beside_traffic.args" t.args
	refuses "the profile has no thread that does nothing: args/profile/26_states.args"
	measured "$root/args/profile/26_states.args"
	predict --json out.json t.args out.txt
	same 0 "$status"
	# 5 + 1.2 * 40 for each step: one of a counter of two, of a tree and of the rounds of two
	jq -e '[.runs[].operations[0].threads | (.[0], .[2]).predicted_s.value * 1e6] | length == 6 and all(. > 52.9 and . < 53.1)' out.json
	same '[null,50]' "$(jq -c '.runs[0].operations[0].threads[1] | [.memory_node, (.predicted_s.value * 1e9 | round)]' out.json)"
	same '["no law says how much longer lines take that threads hand on beside other work: args/coherence/7_barrier_beside_traffic.args measures it"]' \
		"$(jq -c '[.runs[].operations[1].refused] | unique' out.json)"
}

@test "a way of a line that was not measured is as long as those between CPUs as near" {
	measured "$root/args/profile/03_alone.args"
	printf '%s\n' 'sweep: b = 1 2 4' 'kernels: pingpong' 'cpuPerThread: 0 $b' 'nodePerVector: local' \
		'vectorPerThread: 0 1' 'sizePerVector: 4KiB' >ways.args
	measured ways.args
	printf '%s\n' 'sweep: b = 1 2 4' 'kernels: atomic_add' 'cpuPerThread: 0 $b' 'nodePerVector: 0' \
		'vectorPerThread: all' 'sizePerVector: 1MiB' 'rounds: 1000' 'mode: time:100ms' >atomics.args
	measured atomics.args
	printf '%s\n' 'kernels: atomic_add' 'cpuPerThread: 2 6' 'nodePerVector: 0' 'vectorPerThread: all' \
		'sizePerVector: 1MiB' 'rounds: 1000' 'mode: time:100ms' >t.args
	predict --json out.json t.args out.txt
	same 0 "$status"
	near "$(ns 0)" 137 # 5 + 1.2 * 110
	sed -i 's/^sweep.*/sweep: b = 1 2/' ways.args
	measured ways.args
	sed -i 's/^sweep.*/sweep: n = 2 3 4/; s/^cpuPerThread.*/nodePerThread: 0*$n/' atomics.args
	measured atomics.args
	refuses "the profile lacks the time of a line between two of its CPUs, or two as near (args/profile/10_lines.args)"
}

# reaches BASE THP: bytes that the second level of a TLB reaches, as tlb.args shows them: BASE pages, and THP as many.
reaches() {
	printf '%s\n' 'kernels: chase' 'nodePerThread: 0' 'nodePerVector: local' 'vectorPerThread: 0' \
		'sizePerVector: 64MiB' 'pagesPerVector: base' 'loads: 1000' >tlb.args
	measured tlb.args
	jq --argjson base "$1" --argjson thp "$2" '.tables = [{shown: "table", title: "t", quantity: "reach_2", kind: "quantity", along: "n", unit: "",
		operation: "chase", thread: null, values: {stride: "4160B"}, row_axis: "pages", rows_are: "variable", column_axis: "total", columns_are: "",
		rows: ["base", "thp"], columns: ["all threads"], ranges: true,
		cells: [[{value: $base, low: $base, high: $base}], [{value: $thp, low: $thp, high: $thp}]]}]' \
		profile/tlb.json >with.json
	mv with.json profile/tlb.json
}

@test "misses of a TLB are steps where the profile shows how far it reaches" {
	measured "$root/args/profile/12_pages.args"
	one() {
		printf '%s\n' "kernels: read" "order: random" "nodePerThread: 0" "vectorPerThread: 0" "nodePerVector: 0" \
			"typePerVector: double" "sizePerVector: $1" "pagesPerVector: $2" "mode: time:50ms" >t.args
	}
	one 3MiB base
	predict --json out.json t.args out.txt
	same 0 "$status"
	run ! grep -q "the TLB's reach" out.txt
	reaches 512 16384 # 2 MiB, 64 MiB
	predict --json out.json t.args out.txt
	same 0 "$status"
	# 1 + (1 - 1/96) + 3 (1 - 1/12) + 10 / 3
	near "$(ns 0)" 8.073
	grep -q "^  read on double, pages base, distance 10, ns a unit that misses the TLB's reach of 2048 KiB = 10 " out.txt
	one 3MiB thp
	predict --json out.json t.args out.txt
	near "$(ns 0)" 4.740
	# memory serves both, and the TLB reaches less of one
	one 1GiB thp
	refuses "a TLB reaches another part of vector 0, of 1024 MiB, than of those of the profile, of "
	one 1GiB base
	predict --json out.json t.args out.txt
	same 0 "$status"
}
