#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# --predict: latency under load, from profiles of a made-up machine whose law is known (profile_parts.jq).

bats_require_minimum_version 1.5.0
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/made_up.bash
source "$BATS_TEST_DIRNAME/../made_up.bash"

setup() {
	made_up_setup
	export HWLOC_SYNTHETIC="numa:2 l3:1 core:4 pu:1"
	caches="caches=32K 256K 8M/4"
	facts='{"topology": "2 nodes, 0 packages, 8 cores, 8 CPUs", "caches": "L1 32 KiB x 8, L2 256 KiB x 8, L3 8 MiB x 2"}'
	measured "$root/args/profile/01_latency.args"
	measured "$root/args/profile/19_traffic.args"
}

# loaded OTHERS GAP NODE: t.args, a chase beside so many threads with such a pause, all memory on NODE.
loaded() {
	printf '%s\n' "kernels: chase+traffic*" "nodePerThread: 0*$(($1 + 1))" "nodePerVector: $3*" "vectorPerThread: own" \
		"sizePerVector: 64MiB*" "loads: 10000" "pages: local" "gap: $2" "mode: time:50ms" >t.args
}

# law OTHERS GAP NODE: the latency, and what a line costs, by the law.
law() {
	jq -r --argjson node "$3" --argjson others "$1" --argjson gap "$2" '
		(.runs[$node].operations[0].threads[0].figures.cost_s * 1e9) as $idle
		| (5 + [1.5, 5.5][$node] + $gap / 2) as $each
		| reduce range(60) as $i ([0, 1000]; ((.[0] + .[1]) / 2) as $b
			| if $others * 64 / ($each + 0.1 * $idle * ($b / 20 | . * .)) > $b then [$b, .[1]] else [.[0], $b] end)
		| "\($idle * (1 + (.[0] / 20 | . * .))) \($each + 0.1 * $idle * (.[0] / 20 | . * .))"' profile/01_latency.json
}

# close VALUE EXPECTED: to 3 %, what a curve between its points may be off.
close() {
	echo "$1, expected $2"
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0.97 * b && a < 1.03 * b) }'
}

# costs what the law says: OTHERS GAP NODE
costs() {
	local latency line
	loaded "$@"
	predict --json out.json t.args out.txt
	same 0 "$status"
	read -r latency line < <(law "$@")
	close "$(jq '.runs[0].operations[0].threads[0].predicted_s.value * 1e9' out.json)" "$latency"
	close "$(jq '.runs[0].operations[0].threads[1].predicted_s.value * 1e9' out.json)" "$line"
}

@test "a latency under load is on the profile's curve, with as many threads as it has and with fewer" {
	loaded 2 20 0
	refuses "the profile has no run of a thread that measures latency beside others, in mode: time: args/profile/20_loaded.args"
	measured "$root/args/profile/20_loaded.args"
	costs 3 20 0
	jq -e '.learned == 60 and (.runs[0].operations[0] | .assumed == false and (.threads[0].predicted_s | .low < .value and .value < .high))' \
		out.json
	grep -q '^  chase on char, pages system beside traffic that stores to 0 of its lines, distance 10, waits of a line = 0.1 ' \
		out.txt
	costs 2 20 0
	costs 1 0 0
	costs 2 0 1
	costs 3 1280 1
	[[ $stderr != *assumed* ]]
}

@test "a load that the curve does not have is refused" {
	measured "$root/args/profile/20_loaded.args"
	loaded 3 10 0
	refuses "the profile has no traffic with gap: 10 (not 0): args/profile with --set gap=10"
	loaded 3 20 0
	echo 'writes: 0.25' >>t.args
	refuses "the profile has no traffic with writes: 0.25 (not 0): args/profile with --set writes=0.25"
	loaded 3 20 0
	sed -i 's/^nodePerVector.*/nodePerVector: 0 1*/' t.args
	refuses "a latency under load is known where all threads are on one node and all vectors on one: args/profile/20_loaded.args"
	loaded 3 20 0
	sed -i 's/^kernels.*/kernels: chase+traffic+load*/' t.args
	measured "$root/args/profile/02_bandwidth.args"
	echo 'typePerVector: char char double*' >>t.args
	refuses "a latency under load is known of a load that does one thing: args/profile/20_loaded.args"
	# the largest load of a profile with pauses only
	sed 's/^sweep: *gap = .*/sweep: gap = 80 160 320 1280/' "$root/args/profile/20_loaded.args" >20_loaded.args
	measured 20_loaded.args
	loaded 3 0 0
	predict t.args
	same 1 "$status"
	[[ $stderr == *"its threads ask for more than the largest load of the profile, "*" GB/s, of chase on char, pages system beside traffic"* ]]
}

@test "no load is learned without the latency that there is without it" {
	measured "$root/args/profile/20_loaded.args"
	rm profile/01_latency.json
	loaded 3 20 0
	refuses "the profile lacks the latency without load: args/profile/01_latency.args with --set of what this file has"
}
