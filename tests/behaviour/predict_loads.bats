#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# --predict: latency under load, from profiles of a made-up machine whose law is known (profile_parts.jq).

bats_require_minimum_version 1.5.0
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/made_up.bash
source "$BATS_TEST_DIRNAME/../made_up.bash"

setup() {
	made_up_cores
	measured "$root/args/profile/01_latency.args"
	measured "$root/args/profile/19_traffic.args"
}

# loaded OTHERS GAP NODE [WRITES]: t.args, a chase beside so many threads with such a pause, all memory on NODE.
loaded() {
	printf '%s\n' "kernels: chase+traffic*" "nodePerThread: 0*$(($1 + 1))" "nodePerVector: $3*" "vectorPerThread: own" \
		"sizePerVector: 64MiB*" "loads: 10000" "pages: local" "gap: $2" "writes: ${4:-0}" "mode: time:50ms" >t.args
}

# law OTHERS GAP NODE [WRITES]: the latency, and what a line costs, by the law.
law() {
	jq -r --argjson node "$3" --argjson others "$1" --argjson gap "$2" --argjson w "${4:-0}" '
		(.runs[$node].operations[0].threads[0].figures.cost_s * 1e9) as $idle
		| (5 + [1.5, 5.5][$node] + $gap / 2 + 4 * $w) as $each
		| reduce range(60) as $i ([0, 1000]; ((.[0] + .[1]) / 2) as $b
			| if $others * 64 * (1 + $w) / ($each + (1 + $w) * 0.1 * $idle * (1 + $w) * ($b / 20 | . * .)) > $b
				then [$b, .[1]] else [.[0], $b] end)
		| ($idle * (1 + $w) * (.[0] / 20 | . * .)) as $grown
		| "\($idle + $grown) \($each + (1 + $w) * 0.1 * $grown)"' profile/01_latency.json
}

# close VALUE EXPECTED: to 3 %, what a curve between its points may be off.
close() {
	echo "$1, expected $2"
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0.97 * b && a < 1.03 * b) }'
}

# costs what the law says: OTHERS GAP NODE [WRITES]
costs() {
	local latency line
	loaded "$@"
	predict --json out.json t.args out.txt
	same 0 "$status"
	read -r latency line < <(law "$@")
	close "$(jq '.runs[0].operations[0].threads[0].predicted_s.value * 1e9' out.json)" "$latency"
	close "$(jq '.runs[0].operations[0].threads[1].predicted_s.value * 1e9' out.json)" "$line"
}

unlike="the profile has no run of the same threads (a thread that measures latency beside others, in mode: time): args/profile/20_loaded.args measures it, with --set where this file has something else"

@test "a latency under load is what the profile has of as many threads, and between two pauses or parts of stores what lies between" {
	loaded 3 20 0
	refuses "the profile has no run of a thread that measures latency beside others, in mode: time: args/profile/20_loaded.args"
	measured "$root/args/profile/20_loaded.args"
	costs 3 20 0
	jq -e '.learned == 60 and .runs[0].operations[0].assumed == false' out.json
	costs 3 1280 1
	costs 3 30 0
	jq -e '.runs[0].operations[0].threads[0].predicted_s | .low < .value and .value < .high' out.json
	costs 3 100 1
	costs 3 20 0 0.25
	[[ $stderr != *assumed* ]]
}

@test "a load that the profile does not have is refused" {
	measured "$root/args/profile/20_loaded.args"
	loaded 3 1281 0
	refuses "the profile has no traffic with gap: 1281 (not 0): args/profile/03_alone.args with --set 'kernels=read traffic' --set typePerVector=char --set gap=1281"
	loaded 3 20 0 0.75
	refuses "the profile has no traffic with writes: 0.75 (not 0): args/profile/03_alone.args with --set 'kernels=read traffic' --set typePerVector=char"
	loaded 3 30 0 0.75 # two numbers
	refuses "the profile has no traffic with gap: 30 (not "
	loaded 2 20 0
	refuses "$unlike"
	loaded 3 20 0
	sed -i 's/^nodePerVector.*/nodePerVector: 0 1*/' t.args
	refuses "$unlike"
	loaded 3 20 0
	sed -i 's/^kernels.*/kernels: chase+traffic+load*/' t.args
	measured "$root/args/profile/02_bandwidth.args"
	echo 'typePerVector: char char double*' >>t.args
	refuses "$unlike"
}

@test "a pause between two that were measured, and a part of stores, cost a thread alone what lies between" {
	local line
	for line in 'gap: 30' 'gap: 1000' 'writes: 0.25'; do
		printf '%s\n' 'kernels: traffic' 'nodePerThread: 0' 'nodePerVector: 1' 'vectorPerThread: 0' 'sizePerVector: 64MiB' \
			'mode: time:50ms' 'confidence: 80%' "$line" >t.args
		predict --json out.json t.args out.txt
		same 0 "$status"
		near "$(jq '.runs[0].operations[0].threads[0].predicted_s.value * 1e9' out.json)" \
			"$(awk -F': ' '{ n[$1] = $2 } END { print 10.5 + n["gap"] / 2 + 4 * n["writes"] }' t.args)"
	done
}

@test "the interval between two values is that of values that were left out" {
	printf '%s\n' 'kernels: traffic' 'nodePerThread: 0' 'nodePerVector: 0' 'vectorPerThread: 0' 'sizePerVector: 64MiB' \
		'mode: time:50ms' 'gap: 30' >t.args
	# 20 pauses lie between others: too few for 96 %
	predict --set confidence=95% --json out.json t.args out.txt
	jq -e '.runs[0].operations[0].threads[0].predicted_s | .low * 1e9 | . > 21.4 and . < 21.6' out.json
	predict --set confidence=96% --json out.json t.args out.txt
	jq -e '.runs[0].operations[0].threads[0].predicted_s.low == null' out.json
}
