#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# --predict: lines in given states, from profiles of a made-up machine whose law is known (profile_parts.jq).

# shellcheck disable=SC2016,SC2030,SC2031 # variables of sweeps; each test is a process
bats_require_minimum_version 1.5.0
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/made_up.bash
source "$BATS_TEST_DIRNAME/../made_up.bash"

setup() {
	made_up_cores # of two hardware threads, the second reader of a line may be the other one
	measured "$root/args/profile/26_states.args"
	measured "$root/args/profile/03_alone.args"
}

# visit LINE...: t.args, a chase over lines of node 0 that CPU 2 has changed.
visit() {
	printf '%s\n' "kernels: chase" "cpuPerThread: 0" "nodePerVector: 0" "vectorPerThread: 0" "sizePerVector: 128KiB" \
		"statePerVector: M" "ownerPerVector: cpu:2" "stride: 256B" "confidence: 90%" >t.args
	local line
	for line; do sed -i "s|^${line%%:*}:.*|$line|" t.args; done
}

# costs NS: a load of t.args.
costs() {
	predict --json out.json t.args out.txt
	same 0 "$status"
	near "$(jq '.runs[0].operations[0].threads[0].predicted_s.value * 1e9 / 512' out.json)" "$1"
}

@test "the states and homes of args/coherence cost what the profile has of CPUs and homes as near" {
	# a ring, where a home as far from here may be near to the other CPU or far from it
	unset HWLOC_SYNTHETIC
	export HWLOC_XMLFILE=$root/tests/topologies/ring4.xml
	caches="caches=32K 256K 25M/2"
	facts='{"topology": {"nodes": 4, "packages": 0, "cores": 8, "cpus": 8}, "caches": [{"level": 1, "bytes": 32768, "count": 8}, {"level": 2, "bytes": 262144, "count": 8}, {"level": 3, "bytes": 26214400, "count": 4}]}'
	for file in 03_alone 26_states 27_own_states; do measured "$root/args/profile/$file.args"; done
	agrees "$root/args/coherence/2_homes.args"
	same "" "$(cat refused)"
	jq -e '[.runs[].operations[].threads[0].predicted_s | .low <= .value and .value <= .high] | length == 64 and all' out.json
	agrees "$root/args/coherence/1_states.args"
	same "" "$(cat refused)"
	# a thread that does nothing costs what it did, and has no memory
	same '["null",null,50,null]' \
		"$(jq -c '.runs[0].operations[0].threads[1] | [.kernel, .memory_node, (.predicted_s.value * 1e9 | round), .predicted_s.low]' out.json)"
	grep -q '^    thread 1, null: node 0, no memory: 5e-08 s, no interval$' out.txt
}

@test "a CPU that was not measured is as one as near" {
	visit
	costs 390 # 10 * 3 * (5 + 8)
	visit "cpuPerThread: 3" "ownerPerVector: cpu:1"
	costs 390
	visit "cpuPerThread: 5" "ownerPerVector: cpu:2" "nodePerVector: 1"
	costs 1890 # 10 * 3 * (5 + 8 + 30 + 20)
	same false "$(jq .runs[0].operations[0].assumed out.json)"
	visit "cpuPerThread: 6" "ownerPerVector: cpu:5" "nodePerVector: 0" "statePerVector: E"
	costs 800 # 10 * 2 * (5 + 8 + 20 + 7)
	# a clock may not see what does nothing
	jq '.runs[].operations[].threads[1].figures.cost_s = 0' profile/26_states.json >0.json
	mv 0.json profile/26_states.json
	costs 800
	# whoever had a line that nobody has
	visit "cpuPerThread: 6" "ownerPerVector: cpu:6" "nodePerVector: 0" "statePerVector: I"
	costs 1000
}

@test "lines in states that the profile does not have are refused, each with what measures it" {
	visit "ownerPerVector: cpu:0"
	refuses "the profile has no run of the same threads (lines in a given state): args/profile/26_states.args measures it, with --set where this file has something else"
	measured "$root/args/profile/27_own_states.args"
	predict t.args out.txt
	same 0 "$status"
	visit "sizePerVector: 16KiB"
	refuses "the profile has no chase with 16384 bytes on lines in a state: args/profile/26_states.args and 27_own_states.args"
	sed 's/128KiB/16KiB/; s/^sweep: *s = .*/sweep: s = M/' "$root/args/profile/26_states.args" >small.args
	measured small.args
	predict t.args out.txt
	same 0 "$status"
	visit "sizePerVector: 16KiB" "statePerVector: E"
	refuses "the profile has no run of the same threads (lines in a given state): "
	visit "stride: 128B"
	refuses "the profile has no chase with these parameters on lines in a state: args/profile/26_states.args and 27_own_states.args measure it, with --set where this file has something else"
	visit "nodePerVector: interleave"
	refuses "the model covers lines in a coherence state on a single node only"
	visit
	echo 'passes: 2' >>t.args
	refuses "only the first pass of chase meets the state of its lines, and the model is of that: leave passes out"
	visit
	echo 'loads: 5000' >>t.args
	refuses "chase visits lines again, when they have lost their state: "
	visit "cpuPerThread: 0 1" "vectorPerThread: own" "nodePerVector: 0*2" "sizePerVector: 128KiB*2" "statePerVector: M*2" \
		"ownerPerVector: cpu:2*2"
	refuses "the model covers one thread that reads lines in a state; the others must run null"
	rm profile/26_states.json profile/27_own_states.json profile/small.json
	visit
	refuses "the profile has no chase with these parameters on lines in a state"
}

@test "placements of a thread beside lines in a state can be advised" {
	printf '%s\n' "kernels: chase+null" "nodePerThread: ? 0" "nodePerVector: ?" "vectorPerThread: 0" "sizePerVector: 128KiB" \
		"statePerVector: M" "ownerPerVector: thread:1" "stride: 256B" >t.args
	try "$AFFINITY" --advise profile --set "$caches" --verify 0 --json out.json t.args out.txt
	same 0 "$status"
	same '[4,"nodePerThread=0 0","nodePerVector=0"]' "$(jq -c '[.open_predicted, .placements[0].set[]]' out.json)"
}
