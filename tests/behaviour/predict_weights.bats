#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# --predict and --advise: where the weights of a model go, from a profile of a made-up machine (profile_parts.jq).

# shellcheck disable=SC2016 # variables of sweeps
bats_require_minimum_version 1.5.0
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/made_up.bash
source "$BATS_TEST_DIRNAME/../made_up.bash"

setup() {
	made_up_setup
}

# weights: a profile of them; in it all but their type is as in decode().
weights() {
	printf '%s\n' 'sweep: v = nodes interleave' "sweep: size = 64MiB 96MiB" 'kernels: gemv' 'nodePerThread: 0' \
		'nodePerVector: $v' 'vectorPerThread: 0' 'sizePerVector: $size' 'typePerVector: double' 'passes: 1' >weights.args
	measured weights.args
	rows near "0 1" "0 1"
	rows far "0 1" "1 0"
	rows spread "0 1" "interleave*2"
	measured "$root/args/profile/01_latency.args"
	measured "$root/args/profile/02_bandwidth.args"
}

# rows NAME NODES-OF-THREADS NODES-OF-VECTORS: into the profile what such threads cost, which by its law wait for nobody.
rows() {
	printf '%s\n' 'kernels: gemv' "nodePerThread: $2" "nodePerVector: $3" 'vectorPerThread: own' 'sizePerVector: 64MiB*' \
		'typePerVector: double*' 'passes: 1' >"$1.args"
	measured "$1.args"
}

# decode NODES-OF-THREADS PLACE [LINE...]: t.args
decode() {
	printf '%s\n' 'kernels: gemv' "nodePerThread: $1" "nodePerVector: $2" 'vectorPerThread: all' 'sizePerVector: 512MiB' \
		'typePerVector: double' 'passes: 1' "${@:3}" >t.args
}

# seconds: of the slowest thread, by out.json.
seconds() {
	predict --json out.json t.args out.txt >&2
	jq '[.runs[0].operations[0].threads[].predicted_s.value] | max' out.json
}

@test "each thread multiplies its own rows, wherever these lie" {
	weights
	decode 0 0
	near "$(seconds)" 0.040265 # 2^28 weights of 0.15 ns
	decode "0 1" slices
	near "$(seconds)" 0.020133
	decode "0 1" replicate
	near "$(seconds)" 0.020133
	decode 0 interleave
	near "$(seconds)" 0.093952 # the mean of 0.15 and 0.55
	decode 1 0
	near "$(seconds)" 0.147640
}

@test "copies and rows beat an interleave, and that one node, where threads are on both; one thread has its node" {
	weights
	rows crowd "0*2 1*2" "0*4"
	decode "0*2 1*2" "?"
	try "$AFFINITY" --advise profile --set "$caches" --json out.json t.args out.txt
	same 0 "$status"
	same "5 of 5 placements are predicted; the cost of a sample, max of the threads:" "$(sed -n 2p out.txt)"
	jq -e '[.placements[].set[0] | ltrimstr("nodePerVector=")] as $order
		| ($order[:2] | sort) == ["replicate", "slices"] and $order[2] == "interleave" and ($order[3:] | sort) == ["0", "1"]' out.json
	jq -e '.placements | (.[1].predicted_s.value / .[0].predicted_s.value < 1.001)
		and .[2].predicted_s.value > 1.3 * .[0].predicted_s.value and .[3].predicted_s.value > 1.2 * .[2].predicted_s.value' out.json
	jq -e '[.placements[] | select(.baseline) | .set[0]] == ["nodePerVector=0"]' out.json
	decode 0 "?"
	try "$AFFINITY" --advise profile --set "$caches" --json out.json t.args out.txt
	jq -e '.placements[0].set == ["nodePerVector=0"]' out.json
}

@test "how many threads is open where their kernels divide the work" {
	weights
	rows crowd "0*2 1*2" "0*4"
	decode 0 slices
	sed -i 's/^nodePerThread.*/threads: ?\nmapping: roundrobin/' t.args
	try "$AFFINITY" --advise profile --set "$caches" --json out.json t.args out.txt
	same 0 "$status"
	# cores that are shared were not measured
	same "3 of 4 placements are predicted; the cost of a sample, max of the threads:" "$(sed -n 2p out.txt)"
	jq -e '.placements[0].set == ["threads=4"] and .placements[2].set == ["threads=1"]' out.json
	grep -qx '1 not predicted, --set threads=8:' out.txt
	grep -qx '     the profile has no run of threads that share a core: args/profile/09_siblings.args' out.txt
	jq -e '.not_predicted == [{why: "the profile has no run of threads that share a core: args/profile/09_siblings.args",
		placements: 1, first: ["threads=8"]}]' out.json
	sed -i 's/gemv/read/' t.args
	try "$AFFINITY" --advise profile --set "$caches" t.args
	same 2 "$status"
	same "t.args:2: 'threads: ?' cannot be searched" "${stderr_lines[0]}"
	[[ ${stderr_lines[1]} == *"where their kernels divide the work"* ]]
}

@test "where one node has all memory how it is divided is no choice, and two CPUs meet as they were measured to" {
	export HWLOC_SYNTHETIC="numa:1 l3:1 core:2 pu:1"
	facts='{"topology": {"nodes": 1, "packages": 0, "cores": 2, "cpus": 2}, "caches": [{"level": 1, "bytes": 32768, "count": 2}, {"level": 2, "bytes": 262144, "count": 2}, {"level": 3, "bytes": 8388608, "count": 1}]}'
	printf '%s\n' 'sweep: size = 64MiB 96MiB' 'kernels: gemv' 'nodePerThread: 0' 'nodePerVector: 0' \
		'vectorPerThread: 0' 'sizePerVector: $size' 'typePerVector: double' 'passes: 1' >weights.args
	measured weights.args
	rows near "0*2" "0*2"
	measured "$root/args/profile/01_latency.args"
	measured "$root/args/profile/02_bandwidth.args"
	decode "0*2" "?" "layers: 100"
	printf '%s\n' 'kernels: barrier' 'cpuPerThread: 1 0' 'nodePerVector: 0' 'vectorPerThread: all' \
		'sizePerVector: 1MiB' 'passes: 1' >meetings.args
	measured meetings.args
	measured "$root/args/matrix/core_to_core.args"
	try "$AFFINITY" --advise profile --verify 0 --set "$caches" --json out.json t.args out.txt
	same 0 "$status"
	same "1 of 1 placements are predicted; the cost of a sample, max of the threads:" "$(sed -n 2p out.txt)"
	jq -e '.not_predicted == []' out.json
	with=$(jq '.placements[0].predicted_s.value' out.json)
	decode "0*2" 0
	echo "$with $(seconds)"
	near "$(awk -v with="$with" -v without="$(seconds)" 'BEGIN { print with - without }')" 5.3e-6 # 100 times 5 + 1.2 * 40 ns
}

@test "layers cost their meetings, as the profile has them" {
	weights
	decode "0 1" slices "layers: 100"
	refuses "the profile has no meetings of 2 threads as near by: central, wait: spin (args/profile/11_meetings.args with --set by=central --set wait=spin)"
	printf '%s\n' 'sweep: b = 2 4 6' 'kernels: barrier' 'cpuPerThread: 0 $b' 'nodePerVector: 0' 'vectorPerThread: all' \
		'sizePerVector: 1MiB' 'passes: 1' >meetings.args
	measured meetings.args
	measured "$root/args/matrix/core_to_core.args"
	near "$(seconds)" 0.020147 # 100 times 5 + 1.2 * 110 ns
	sed -i 's/100$/4096/' t.args
	near "$(seconds)" 0.020694
	sed -i 's/^layers.*/&\nby: tree/' t.args
	refuses "the profile has no meetings of 2 threads as near by: tree, wait: spin"
	decode 0 0 "layers: 100"
	near "$(seconds)" 0.040265
	rows crowd "0*2 1*2" "0*4"
	decode "0 1 0" slices "layers: 100"
	refuses "the profile has no meetings of 3 threads as near by: central, wait: spin"
}

@test "weights of another type, of a size that they need not all have, or beside a reader are refused" {
	weights
	decode 0 0 "weights: q4"
	refuses "the profile has no gemv with weights: q4 (not bf16): args/profile/03_alone.args with --set 'kernels=read gemv' --set weights=q4"
	decode "0 1" 0
	sed -i 's/gemv/gemv+read/' t.args
	refuses "vector 0 is divided by some threads only"
	printf '%s\n' 'sweep: v = nodes interleave' 'kernels: gemv' 'nodePerThread: 0' 'nodePerVector: $v' 'vectorPerThread: 0' \
		'sizePerVector: 64MiB' 'typePerVector: double' 'passes: 1' >weights.args
	measured weights.args
	decode 0 0
	refuses "gemv was measured with vectors of 8388608 elements only, and a round of it need not visit all of them"
}
