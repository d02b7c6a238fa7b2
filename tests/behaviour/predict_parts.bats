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

# lies_between LOW HIGH: thread 0 of out.json, with an interval around it.
lies_between() {
	jq -e --argjson low "$1" --argjson high "$2" '.runs[0].operations[0].threads[0].predicted_s
		| (.value * 1e9 | . > $low and . < $high) and .low < .value and .value < .high' out.json
}

@test "sizes of the profile cost what they cost, and those between lie on a curve" {
	measured "$root/args/profile/07_sizes.args"
	measured "$root/args/profile/25_beyond_caches.args"
	one() { file "kernels: read" "nodePerThread: 0" "vectorPerThread: 0" "nodePerVector: $1" "sizePerVector: $2" "confidence: 80%"; }
	one 0 16KiB
	predict --json out.json t.args out.txt
	same 0 "$status"
	near "$(ns 0)" 1
	one 0 4MiB # a quarter and three quarters of L3 cost 5
	predict --json out.json t.args out.txt
	near "$(ns 0)" 5
	sed -i 's/^stride: .*/stride: 24/' t.args # as many bytes of doubles
	predict --json out.json t.args out.txt
	same 0 "$status"
	near "$(ns 0)" 5
	one 1 12MiB # half way to memory
	predict --json out.json t.args out.txt
	same 0 "$status"
	lies_between 5 60
	one 0 4KiB
	refuses "the profile has these threads with vectors of 16 .. 3.392e+04 KiB, and not near 4: args/profile/07_sizes.args measures it, with --set where this file has something else"
	one 0 64KiB
	sed -i 's/^stride: .*/stride: 64B/' t.args
	refuses "the profile has no read with stride: 64B (not 192B): args/profile/03_alone.args with --set kernels=read --set stride=64B"
	echo 'leaveHuge: 0.5xvectors' >>t.args
	refuses "leaveHuge fragments memory; the model does not cover that"
	sed -i '$s/.*/backing: memfd/' t.args
	refuses "vector 0 has pages of a memfd; the model is of anonymous memory: args/files measures files"
	sed -i '$s/.*/background: 1 on node(1) by node(1)/' t.args
	refuses "a background load; the model does not cover that: args/load measures it"
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

@test "where queues are no better than each thread alone, that is predicted, and said" {
	local file
	for file in 01_latency 02_bandwidth 03_alone 04_private; do measured "$root/args/profile/$file.args"; done
	# by the law nobody waits
	file "kernels: read" "nodePerThread: 0 0 1" "nodePerVector: 0 0 1" "vectorPerThread: own" "sizePerVector: 64MiB*3" "confidence: 80%"
	predict --json out.json t.args out.txt
	same 0 "$status"
	near "$(ns 0)" 20
	jq -e '.runs[0].operations[0] | .as_alone and (.assumed | not)' out.json
	jq -e '[.left_out[] | select(.of == "several threads with a vector each" and .runs >= 6 and .alone <= .queues and .alone < 0.01)] | length == 1' out.json
	grep -qx 'several threads with a vector each: [0-9]* runs left out, off by .* if each thread costs what it costs alone, which is predicted' out.txt
	grep -qx '  read: each thread as alone, the model of queues is no better here' out.txt
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

@test "threads under one cache cost what as many cost there, and those that caches of their own hold what each costs alone" {
	measured "$root/args/profile/07_sizes.args"
	measured "$root/args/profile/25_beyond_caches.args"
	both() { file "kernels: read" "cpuPerThread: 0 2" "nodePerVector: 0*2" "vectorPerThread: own" "sizePerVector: $1*2"; }
	both 128KiB
	predict --json out.json t.args out.txt
	same 0 "$status"
	near "$(ns 0)" 2
	same "$(ns 0)" "$(ns 1)"
	# that they do not disturb each other is a rule until it is measured
	[[ $stderr == *"warning: how threads slow each other down is assumed"* ]]
	same true "$(jq -c '.runs[0].operations[0].assumed' out.json)"
	both 6MiB
	refuses "the profile has no run of the same threads (several threads whose vectors caches hold): args/scaling/2_cache.args measures it, with --set where this file has something else"
	file 'sweep: size = 1MiB 4MiB 5MiB 7MiB' "kernels: read" "cpuPerThread: 0 2" "nodePerVector: 0*2" "vectorPerThread: own" \
		'sizePerVector: $size*'
	mv t.args together.args
	measured together.args
	jq '.runs[].operations[].threads[].figures.cost_s *= 2' profile/together.json >twice.json
	mv twice.json profile/together.json
	both 4MiB
	predict --json out.json t.args out.txt
	near "$(ns 0)" 10
	both 6MiB
	predict --json out.json t.args out.txt
	same 0 "$status"
	near "$(ns 0)" 10
	same false "$(jq -c '.runs[0].operations[0].assumed' out.json)"
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
	sed -i 's/interleave/weighted:0=3,1=1/' t.args # weights
	predict --json out.json t.args out.txt
	same 0 "$status"
	near "$(ns 0)" 30
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
	# what they cost from memory is another thing
	measured "$root/args/profile/24_siblings_memory.args"
	predict --json out.json t.args out.txt
	near "$(ns 0)" 1.3
	sed -i 's/read+write/read+write_read/' t.args
	refuses "the profile has no run of the same threads (threads that share a core): args/profile/09_siblings.args measures it, with --set where this file has something else"
}

# none_alike KIND: t.args is refused.
none_alike() {
	refuses "the profile has no run of the same threads ($1): args/profile/11_meetings.args measures it, with --set where this file has something else"
}

@test "threads that share lines cost what as many cost that are as near to each other" {
	local alike="threads that meet, or share lines that caches hold"
	measured "$root/args/profile/03_alone.args"
	printf '%s\n' 'sweep: a = 0 2' 'sweep: b = 4 6 1' 'kernels: atomic_add' 'cpuPerThread: $a $b' 'nodePerVector: 0' \
		'vectorPerThread: all' 'sizePerVector: 1MiB' 'rounds: 1000' 'mode: time:100ms' >atomics.args
	measured atomics.args
	atomics() {
		printf '%s\n' 'kernels: atomic_add' "cpuPerThread: $1" 'nodePerVector: 0' 'vectorPerThread: all' \
			'sizePerVector: 1MiB' 'rounds: 1000' 'mode: time:100ms' >t.args
	}
	atomics "2 3"
	predict --json out.json t.args out.txt
	same 0 "$status"
	near "$(ns 0)" 53 # 5 + 1.2 * 40
	atomics "3 7"
	predict --json out.json t.args out.txt
	near "$(ns 0)" 137 # 5 + 1.2 * 110
	atomics "0 2 4"
	none_alike "$alike"
	atomics 2
	none_alike "$alike"
	atomics "2 3"
	sed -i 's/1MiB/2MiB/' t.args
	refuses "the profile has no run of the same threads ($alike)"
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
		run ! grep -v '^the profile has no run of the same threads' refused # of other numbers of threads
	done
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
	same '["the model does not cover line transfers beside other work: args/coherence/7_barrier_beside_traffic.args measures it"]' \
		"$(jq -c '[.runs[].operations[1].refused] | unique' out.json)"
}

