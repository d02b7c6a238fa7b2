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
	local cpu
	for cpu in $(usable_cpus); do
		says "/sys/devices/system/cpu/cpu$cpu/cpufreq/base_frequency" 2100000
		says "/sys/devices/system/cpu/cpu$cpu/cpufreq/cpuinfo_min_freq" 800000
		says "/sys/devices/system/cpu/cpu$cpu/cpufreq/cpuinfo_max_freq" 3700000
	done
	under files "$AFFINITY" --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	holds '.environment | [.frequency_nominal_hz, .frequency_min_hz, .frequency_max_hz] == [2.1e9, 0.8e9, 3.7e9]'
	holds '.environment | has("node_distances")'
}

@test "a plot of clock rates has both rates of every sample at their times" {
	given "opType: load write" "nodePerThread: first*2" "nodePerVector: first*2" "tamPerVector: 16KiB*" "numIter: 3" \
		"plot: clock_rate x=time by=thread" "table: clock_rate rows=operation cols=thread"
	measured
	holds 'run.operations[0].threads[0].clock != null' || skip "no chain for this architecture"
	holds '.tables[0] | .shown == "plot" and .quantity == "clock_rate" and .rows_are == "time" and .column_axis == "thread" and (.rows | length) == 16
		and .rows[0] == "load 0 before" and .rows[15] == "write 3 after" and .against.quantity == "time" and .against.unit == "s"'
	holds '[range(2) as $k | [ops.threads[$k].samples[] | .clock_before_hz, .clock_after_hz] as $hz | [.tables[0].cells[][$k].value] as $cells |
		range(16) | ($cells[.] * 1e9 / $hz[.] - 1 | fabs) < 1e-9] | length == 32 and all'
	holds '[range(2) as $k | [ops.threads[$k].samples[].start_ns] as $at | [.tables[0].against.places[][$k]] as $places |
		range(8) | ($places[2 * .] - ($at[.] - $at[0]) * 1e-9 | fabs) < 1e-9 and $places[2 * . + 1] > $places[2 * .]] | length == 16 and all'
	same "$(jq -r '.runs[0].operations[].threads[].samples[].start_ns' out.json | sort)" \
		"$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["start_ns"] }' out.csv | sort)"
	holds '[range(2) as $o | range(2) as $k | .tables[1].cells[$o][$k].value * 1e9 / run.operations[$o].threads[$k].clock.median_hz] | all(. > 0.999999 and . < 1.000001)'
	! command -v gnuplot >/dev/null || grep -q '>time (s)<' out.svg
}

@test "time is an axis of clock rates by thread, and rates need clockRate: yes" {
	local line
	for line in 'plot: cost x=time by=thread' 'plot: clock_rate x=time' 'plot: clock_rate x=thread by=time' \
		'table: clock_rate rows=time cols=thread' 'plot: clock_rate rows=time cols=thread'; do
		given "nodePerThread: first*2" "nodePerVector: first*2" "$line"
		refused 2 "t.args:6: ${line%%:*}: time is an axis of clock rates by thread and of share_above only" \
			"  hint: plot: clock_rate x=time by=thread; plot: share_above x=time thread=0"
	done
	given "nodePerThread: first*2" "nodePerVector: first*2" "clockRate: no" "plot: clock_rate x=time by=thread"
	refused 2 "t.args:7: plot: clock_rate needs clockRate: yes" "  hint: leave out clockRate: no"
}
