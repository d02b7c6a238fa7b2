#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The clock rates of cores in the results.

# shellcheck disable=SC2016 # jq has variables of its own

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	skip_obstacle
	given "opType: load write" "nodePerThread: first*2" "nodePerVector: first*2" "tamPerVector: 16KiB*" "numIter: 3"
}

@test "each thread has the rate of its core, and its unit in cycles, in all reports" {
	measured
	jq -e '.runs[0].operations[0].threads[0].clock' out.json >/dev/null || skip "no chain for this architecture"
	holds '[threads | .clock as $c | ([.samples[1:][] | .clock_before_hz, .clock_after_hz]) as $r
		| $c.min_hz == ($r | min) and $c.max_hz == ($r | max) and $c.cycles_per_unit > 0] | length == 4 and all'
	[ "$(grep -cE '^ - (load|write): thread [01]: [0-9.]+ GHz, [0-9.]+ to [0-9.]+; [0-9.]+ cycles/unit$' out.txt)" -eq 4 ]
	same "$(jq -r '.runs[0].operations[] | .threads as $t | range(4) as $i | $t[].samples[$i].clock_before_hz | floor' out.json)" \
		"$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { hz = $at["clock_before_hz"]; sub(/[.].*/, "", hz); print hz }' out.csv)"
}

@test "clockRate: no leaves the rates out" {
	measured --set clockRate=no
	holds '[threads | .clock, .samples[].clock_before_hz, .samples[].clock_after_hz] | all(. == null)'
	[ "$(grep -c 'cycles/unit' out.txt)" -eq 0 ]
	holds '[.runs[].operations[].samples.taken_away] | all(. == 0)'
}

@test "the rates that the machine may have and the distances of its nodes are in every result" {
	shims_setup
	says /sys/devices/system/cpu/cpu0/cpufreq/base_frequency 2100000
	says /sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_min_freq 800000
	says /sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq 3700000
	under files "$AFFINITY" --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	holds '.environment | [.frequency_nominal, .frequency_min, .frequency_max] == ["2.1 GHz", "0.8 GHz", "3.7 GHz"]'
	holds '.environment.node_distances | type == "string"'
}
