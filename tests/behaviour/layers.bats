#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# layers: what a token needs is done in parts, after each of which the threads meet; who waited for whom, and tokens a
# second.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

base=(
	"kernels: gemv"
	"weights: int8"
	"columns: 128"
	"layers: 8"
	"nodePerThread: first*2"
	"nodePerVector: first"
	"vectorPerThread: all"
	"sizePerVector: 64KiB"
	"passes: 3"
	"samples: 2"
)

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
}

# figures PROGRAM: of jq, with a sample of each thread as $thread and all samples as input.
figures() {
	jq -c "[.runs[0].operations[0].threads[].samples[] | select(.warmup | not)] | $1" o.json
}

measured() {
	given "$@"
	try "$AFFINITY" --quiet --json o.json t.args o.txt
	[ "$status" -eq 0 ]
}

# no MESSAGE [LINE]...: t.args is refused so, before anything is touched.
no() {
	machine "node:2 core:2 pu:1"
	given "${@:2}"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 2 ]
	[[ $stderr == *"$1"* ]]
}

@test "each kernel with layers tells waiting and meeting, on one node, in slices and in copies" {
	skip_obstacle
	local kernel where
	for kernel in gemv moe kvread; do
		for where in first slices replicate; do
			measured "kernels: $kernel" "nodePerVector: $where" \
				"$([[ $kernel == kvread ]] && printf 'context: 8\nblock: 4' || echo '# no context')"
			same true "$(figures 'length == 4 and all(.kernel_figures | .waiting >= 0 and .meeting > 0 and .waiting + .meeting <= 100.001)')"
		done
	done
}

@test "without layers nobody waits, and tokens a second are those of the sample's time" {
	skip_obstacle
	measured "layers: 0" "batch: 4"
	same true "$(figures 'all(.kernel_figures | .waiting == null and .meeting == null)')"
	# three passes of four tokens
	same true "$(figures 'all(.kernel_figures.tokens_per_s * (.busy_s - .lost_s) - 12 | fabs < 1e-3)')"
	measured
	same true "$(figures 'all(.kernel_figures.tokens_per_s * (.busy_s - .lost_s) - 3 | fabs < 1e-3)')"
	measured "kernels: moe" "experts: 8" "top: 2" # four tokens a pass
	same true "$(figures 'all(.kernel_figures.tokens_per_s * (.busy_s - .lost_s) - 12 | fabs < 1e-3)')"
	grep -q 'tokens_per_s (token/s)' o.txt
}

@test "with a time, tokens a second are those of the calls that ended in it" {
	skip_obstacle
	local base=("${base[@]/passes: 3/mode: time:5ms}")
	# each thread has half of 512 rows
	measured "layers: 0" "batch: 64"
	same true "$(figures 'all((.kernel_figures.tokens_per_s * (.busy_s - .lost_s)) / (.units / (256 * 128) * 64) - 1 | fabs < 1e-6)')"
}

@test "who comes late is waited for" {
	skip_obstacle
	measured "sleep: 200ms 0" "passes: 1"
	same true "$(jq '[.runs[0].operations[0].threads[] | [.samples[].kernel_figures.waiting] | max] | .[1] > .[0]' o.json)"
}

@test "threads that do not meet are refused" {
	no "layers all threads of its first vector meet, but thread 0 has that for itself" "nodePerVector: first*2" \
		"sizePerVector: 64KiB*" "vectorPerThread: own"
	no "solo: yes runs each thread alone, but threads of 'gemv' wait" "solo: yes"
	no "gemv cannot be used with mode: time:10ms: its threads wait for each other" "mode: time:10ms" "passes: "
	no "threads 0 and 1 of vector 0 have different parameters" "layers: 8 4"
	no "threads 0 and 1 of vector 0 have different parameters" "layers: 8 4" "nodePerVector: slices"
	no "has 256 rows for thread 0, fewer than layers = 257" "layers: 257"
	no "wait = sleep is not for by = pthread, whose threads sleep by themselves" "by: pthread" "wait: sleep"
	# else threads 2 and 3 would wait for ever
	no "threads 0 and 2 share vector 1, but meet by their first ones, 0 and 1, and 3 more of this kind
  hint: vectorPerThread: threads that share a vector need the same first one" "nodePerThread: 0*2 1*2" "nodePerVector: first*2" \
		"sizePerVector: 64KiB*" "vectorPerThread: 0 1, all"
	# without layers all of this is allowed
	given "layers: 0" "solo: yes" "nodePerVector: first*2" "sizePerVector: 64KiB*" "vectorPerThread: own"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	given "layers: 8" "nodePerThread: 0*2 1*2" "nodePerVector: first*2" "sizePerVector: 64KiB*" "vectorPerThread: 0 1, 2 3"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
}
