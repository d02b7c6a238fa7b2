#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# --predict: strides and types of elements that were not measured, and threads that share a cache, from profiles of a
# made-up machine whose law is known (profile_parts.jq).

bats_require_minimum_version 1.5.0
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/made_up.bash
source "$BATS_TEST_DIRNAME/../made_up.bash"

setup() {
	made_up_setup
}

# costs EXPECTED NODE TYPE STRIDE: what an access of a reader on node 0 is predicted to cost, ns.
costs() {
	printf '%s\n' "kernels: read" "nodePerThread: 0" "vectorPerThread: 0" "nodePerVector: $2" "sizePerVector: 64MiB" \
		"typePerVector: $3" "stride: $4" "mode: time:50ms" "confidence: 90%" >t.args
	predict --json out.json t.args out.txt
	same 0 "$status"
	near "$(jq '.runs[0].operations[0].threads[0].predicted_s.value * 1e9' out.json)" "$1"
}

profile() {
	local file
	for file; do measured "$root/args/profile/$file.args"; done
}

@test "a stride between two that were measured costs what lies between" {
	profile 16_strides
	costs 8.75 0 double 16B # as measured
	costs 10.625 0 double 24B
	costs 18.125 0 double 7 # 5 + 15 * 56 / 64
	costs 25.625 1 double 24B
	costs 20 0 double 320B
	grep -q '^  read on double, pages system, stride 512B, distance 20, ns a unit = ' out.txt
	run ! grep -q 'stride 320B' out.txt # is no parameter
	sed -i 's/^stride: .*/stride: 1KiB/' t.args
	refuses "the profile has no read with stride: 1024B (not "
	printf '%s\n' "passes: 1" "stride: 24B" | cat - <(grep -v '^stride\|^mode' t.args) >pass.args
	predict --json out.json pass.args out.txt
	near "$(jq '.runs[0].operations[0].threads[0].predicted_s.value * 1e9' out.json)" 89128960 # 8388608 * 10.625
}

@test "elements of another size cost what was measured of them, and strides between what lies between" {
	profile 16_strides
	alone() { printf '%s\n' "kernels: read" "nodePerThread: 0" "vectorPerThread: 0" "nodePerVector: 0" "sizePerVector: 64MiB" "$@"; }
	alone "typePerVector: char" "stride: 128B" "passes: 1" >t.args
	refuses "the profile has no read with typePerVector: char (not double)"
	profile 17_elements
	costs 6.0156 0 char 2 # as measured: 1.1 * (5 + 15 * 2 / 64)
	costs 20 0 long 192B # of args/quickstart
	sed -i 's/^typePerVector: .*/typePerVector: int/; s/^stride: .*/stride: 300B/' t.args
	refuses "the profile has no read with stride: 300B (not "
	sed -i 's/^typePerVector: .*/typePerVector: short/' t.args
	refuses "the profile has no read with typePerVector: short"
}

# slower FILE RUN FACTOR: a run of profile/FILE.json takes so much longer.
slower() {
	jq --argjson run "$2" --argjson by "$3" '.runs[$run].operations[].threads[].figures.cost_s *= $by' \
		"profile/$1.json" >changed.json
	mv changed.json "profile/$1.json"
}

# ratio: of the ends of the interval of out.json.
ratio() { jq '.runs[0].operations[0].threads[0].predicted_s | .high / .low' out.json; }

@test "the interval of a stride that was not measured is that of strides left out" {
	local measured between
	profile 01_latency 02_bandwidth 03_alone 04_private 16_strides 17_elements
	slower 03_alone 0 1.02 # one of two local nodes
	costs 8.75 0 double 16B # as measured
	measured=$(ratio)
	costs 10.625 0 double 24B
	between=$(ratio)
	awk -v m="$measured" -v b="$between" 'BEGIN { exit !(m >= 1 && m < 1.2 && b > 1.2) }'
}

@test "a profile of threads alone has intervals of threads alone" {
	profile 03_alone
	slower 03_alone 0 1.02
	printf '%s\n' "kernels: read" "nodePerThread: 0" "vectorPerThread: 0" "nodePerVector: 0" "sizePerVector: 128MiB" \
		"typePerVector: double" "stride: 192B" "mode: time:50ms" "confidence: 90%" >t.args
	predict --json out.json t.args out.txt
	same 0 "$status"
	jq -e '.fitted == false and (.runs[0].operations[0].threads[0].predicted_s | .high / .low | . > 1.02 and . < 1.1)' out.json
}

@test "two threads with a stride that was measured alone only wait for each other as others do" {
	profile 01_latency 02_bandwidth 03_alone 04_private 16_strides
	printf '%s\n' "kernels: read" "nodePerThread: 0*2" "nodePerVector: 0*2" "vectorPerThread: own" "sizePerVector: 64MiB*2" \
		"typePerVector: double*2" "stride: 80B" "mode: time:50ms" >t.args
	predict --json out.json t.args out.txt
	same 0 "$status"
	jq -e '[.runs[0].operations[0].threads[].predicted_s.value * 1e9] | .[0] == .[1] and .[0] > 19.9 and .[0] < 25' out.json
}

@test "threads that share a cache have an interval where the profile shows how they do" {
	profile 07_sizes 25_beyond_caches 01_latency 02_bandwidth
	printf '%s\n' "kernels: read" "cpuPerThread: 0 2" "nodePerVector: 0*2" "vectorPerThread: own" "sizePerVector: 5MiB*2" \
		"typePerVector: double*2" "stride: 192B" "mode: time:50ms" "confidence: 80%" >t.args
	refuses "the profile has no run of the same threads (several threads whose vectors caches hold): "
	profile 18_caches
	predict --json out.json t.args out.txt
	same 0 "$status"
	same '[false,true]' "$(jq -c '.runs[0].operations[0] | [.assumed, (.threads[0].predicted_s | .low < .value and .value < .high)]' out.json)"
}
