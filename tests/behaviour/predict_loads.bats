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
	loaded 3 1281 0
	refuses "the profile has no traffic with gap: 1281 (not 0): args/profile/03_alone.args with --set 'kernels=read traffic' --set typePerVector=char --set gap=1281"
	loaded 3 20 0 0.75
	refuses "the profile has no traffic with writes: 0.75 (not 0): args/profile/03_alone.args with --set 'kernels=read traffic' --set typePerVector=char"
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

@test "a pause between two that were measured, and a part of stores, cost what lies between" {
	local line
	measured "$root/args/profile/20_loaded.args"
	for line in 'gap: 30' 'gap: 1000' 'writes: 0.25' $'gap: 50\nwrites: 0.125'; do
		printf '%s\n' 'kernels: traffic' 'nodePerThread: 0' 'nodePerVector: 1' 'vectorPerThread: 0' 'sizePerVector: 64MiB' \
			'mode: time:50ms' 'confidence: 80%' "$line" >t.args
		predict --json out.json t.args out.txt
		same 0 "$status"
		near "$(jq '.runs[0].operations[0].threads[0].predicted_s.value * 1e9' out.json)" \
			"$(awk -F': ' '{ n[$1] = $2 } END { print 10.5 + n["gap"] / 2 + 4 * n["writes"] }' t.args)"
	done
	costs 3 30 0
	costs 2 100 1
	costs 3 40 0 0.25
	costs 2 30 0 0.375
	jq -e '.runs[0].operations[0].assumed == false' out.json
}

@test "the interval between two pauses is that of pauses left out, else that of its neighbours" {
	measured "$root/args/profile/03_alone.args" # shows how far any thread alone is off
	printf '%s\n' 'kernels: traffic' 'nodePerThread: 0' 'nodePerVector: 0' 'vectorPerThread: 0' 'sizePerVector: 64MiB' \
		'mode: time:50ms' 'gap: 30' >t.args
	# 10 pauses lie between others: enough for 90 %
	predict --set confidence=90% --json out.json t.args out.txt
	jq -e '.runs[0].operations[0].threads[0].predicted_s | .low * 1e9 | . > 21.4 and . < 21.6' out.json
	predict --set confidence=95% --json out.json t.args out.txt
	jq -e '.runs[0].operations[0].threads[0].predicted_s | (.low * 1e9 - 16.5 | fabs < 0.01) and (.high * 1e9 - 26.5 | fabs < 0.01)' \
		out.json
	# of parts of stores the profile has two
	sed -i 's/^gap.*/writes: 0.25/' t.args
	predict --set confidence=90% --json out.json t.args out.txt
	jq -e '.runs[0].operations[0].threads[0].predicted_s | (.low * 1e9 - 6.5 | fabs < 0.01) and (.high * 1e9 - 8.5 | fabs < 0.01)' \
		out.json
	# shorter pauses may be more load than was measured: nothing is known of that end
	sed 's/^sweep: *gap = .*/sweep: gap = 20 40 60 80/' "$root/args/profile/19_traffic.args" >19_traffic.args
	sed 's/^sweep: *gap = .*/sweep: gap = 40 60 80/' "$root/args/profile/20_loaded.args" >20_loaded.args
	measured 19_traffic.args
	measured 20_loaded.args
	loaded 2 50 0
	predict --set confidence=85% --json out.json t.args out.txt
	jq -e '.runs[0].operations[0].threads[0].predicted_s | .low < .value and .value < .high and .high / .low < 1.5' out.json
	loaded 2 30 0
	predict --set confidence=85% --json out.json t.args out.txt
	same '[true,null]' "$(jq -c '.runs[0].operations[0].threads[0].predicted_s | [.value > 0, .low]' out.json)"
}

@test "no load is learned without the latency that there is without it" {
	measured "$root/args/profile/20_loaded.args"
	rm profile/01_latency.json
	loaded 3 20 0
	refuses "the profile lacks the latency without load: args/profile/01_latency.args with --set of what this file has"
}
