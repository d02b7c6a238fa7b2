#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# oversubscribe: threads that take turns on a CPU have the time of the others in their costs.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

base=(
	"kernels: fp_add"
	"corePerThread: 0 0"
	"oversubscribe: yes"
	"warmup: 0"
	"samples: 3"
)

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	skip_obstacle
	[[ $(lscpu -p=core | grep -c '^0$') -eq 1 ]] || skip "core 0 has several hardware threads"
}

measured() {
	given "$@"
	try "$AFFINITY" --quiet --json o.json t.args o.txt
	[ "$status" -eq 0 ]
}

@test "two threads on one CPU take longer than each of them alone" {
	local i
	# a hypervisor can slow down what runs alone: once in five times is enough
	for i in 1 2 3 4 5; do
		measured "passes: 20000" "solo: yes" "statistic: median"
		! jq -e '[.runs[0].solo.operations[0].slowdowns[].value] | max > 1.5' o.json || return 0
	done
	false
}

@test "with a time, each of them has the time to the end of its last call" {
	measured "mode: time:20ms"
	# otherwise no call that counts ends later
	same true "$(jq '[.runs[0].operations[0].threads[].samples[] | .late_ns * 1e-9 + .busy_s >= 0.02] | any' o.json)"
	measured "mode: time:20ms" "corePerThread: 0"
	same false "$(jq '[.runs[0].operations[0].threads[].samples[] | .late_ns * 1e-9 + .busy_s > 0.02] | any' o.json)"
}
