#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# States of the machine and of the process that spoil measurements, as facts, with their remedies.

bats_require_minimum_version 1.5.0 # run --separate-stderr
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

setup() { small_run; }

# every_cpu FILE TEXT: the file of each CPU that this process may use.
every_cpu() {
	local cpu
	for cpu in $(usable_cpus); do
		says "/sys/devices/system/cpu/cpu$cpu/$1" "$2"$'\n'
	done
}

# fact NAME VALUE and spoils TEXT HINT: in the output of --check.
fact() {
	same "$1: $2" "$(grep "^$1: " <<<"$output")"
}
spoils() {
	grep -A 1 -F "warning: $1" <<<"$output" | grep -qF "  hint: $2"
}

@test "the governor and the limits are those of each CPU" {
	local cpus first=/sys/devices/system/cpu
	mapfile -t cpus < <(usable_cpus)
	[ "${#cpus[@]}" -eq 2 ] || skip "not two CPUs"
	local a=${cpus[0]} b=${cpus[1]}
	every_cpu cpufreq/scaling_governor performance
	every_cpu cpufreq/cpuinfo_max_freq 3500000
	every_cpu cpufreq/scaling_max_freq 3500000
	every_cpu cpufreq/scaling_min_freq 800000
	under files "$AFFINITY" --check --json out.json
	fact frequency_governor performance
	fact frequency_limit_max "3.5 GHz"
	fact frequency_limit_min "0.8 GHz"
	[[ $output != *"clock rate follows the load"* && $output != *"below their highest clock rate"* ]]
	# the second one is unlike
	says "$first/cpu$b/cpufreq/scaling_governor" $'powersave\n'
	says "$first/cpu$b/cpufreq/scaling_max_freq" $'1500000\n'
	under files "$AFFINITY" --check --strict --json out.json
	[ "$status" -eq 1 ]
	fact frequency_governor "$a: performance; $b: powersave"
	fact frequency_max "3.5 GHz"
	fact frequency_limit_max "$a: 3.5 GHz; $b: 1.5 GHz"
	spoils "the clock rate follows the load (frequency governor): frequency_governor = $a: performance; $b: powersave" "sudo cpupower"
	spoils "a limit of the system keeps CPUs below their highest clock rate: frequency_limit_max = $a: 3.5 GHz; $b: 1.5 GHz" "raise it"
	# and so in documents
	under files "$AFFINITY" --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	jq -e --arg a "$a" --arg b "$b" '.environment | .frequency_governor == [{cpus: $a, governor: "performance"}, {cpus: $b, governor: "powersave"}]
		and .frequency_limit_max_hz == [{cpus: $a, hz: 3.5e9}, {cpus: $b, hz: 1.5e9}] and .frequency_max_hz == 3.5e9' out.json
	grep -qF "frequency_governor: $a: performance; $b: powersave" out.txt
	/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || skip "the system's Python has no jsonschema"
	/usr/bin/python3 -m jsonschema -i out.json "$root/results/schema-3.json"
}

@test "a CPU that the process may not use has no say" {
	local cpus
	mapfile -t cpus < <(usable_cpus)
	[ "${#cpus[@]}" -gt 1 ] || skip "one CPU only"
	every_cpu cpufreq/scaling_governor powersave
	says "/sys/devices/system/cpu/cpu${cpus[1]}/cpufreq/scaling_governor" $'performance\n'
	under files taskset -c "${cpus[1]}" "$AFFINITY" --check
	fact frequency_governor performance
}

@test "isolated CPUs and CPUs without ticks are facts" {
	says /sys/devices/system/cpu/isolated $'2-3\n'
	says /sys/devices/system/cpu/nohz_full $'3\n'
	under files "$AFFINITY" --check
	fact isolated_cpus 2-3
	fact nohz_full_cpus 3
	says /sys/devices/system/cpu/isolated $'\n'
	says /sys/devices/system/cpu/nohz_full $'(null)\n'
	under files "$AFFINITY" --check
	fact isolated_cpus none
	fact nohz_full_cpus none
}

@test "a process that others outrun says so" {
	under files nice -n 3 "$AFFINITY" --check
	fact nice "$(($(nice) + 3))"
	spoils "other programs get more of the CPUs than this one: nice = " "start affinity without nice"
	try chrt --idle 0 "$AFFINITY" --check
	fact scheduling_policy idle
	spoils "threads run only when no other program wants their CPUs (scheduling policy): scheduling_policy = idle" "start affinity without chrt"
	try chrt --batch 0 "$AFFINITY" --check
	fact scheduling_policy batch
	[[ $output != *"scheduling policy)"* ]]
}

@test "real-time threads are held up where the kernel keeps a share for others" {
	chrt -f 1 true 2>/dev/null || skip "no right to real-time policies"
	says /proc/sys/kernel/sched_rt_period_us $'1000000\n'
	says /proc/sys/kernel/sched_rt_runtime_us $'950000\n'
	under files "$AFFINITY" --check
	fact real_time_limit "95 %"
	[[ $output != *"held up"* ]]
	under files chrt -f 1 "$AFFINITY" --check
	fact scheduling_policy "fifo 1"
	spoils "threads of a real-time policy are held up when they have used this share of a second: real_time_limit = 95 %" \
		"sudo sysctl kernel.sched_rt_runtime_us=-1"
	says /proc/sys/kernel/sched_rt_runtime_us $'-1\n'
	under files chrt -r 2 "$AFFINITY" --check
	fact scheduling_policy "rr 2"
	fact real_time_limit "no limit"
	[[ $output != *"held up"* ]]
}

@test "a memory policy that the process was given is a fact" {
	two_nodes 4000 4000
	under files,nodes "$AFFINITY" --check
	fact memory_policy default
	[[ $output != *"inherited memory policy"* ]]
	under files,nodes NODES_POLICY=3 "$AFFINITY" --check
	fact memory_policy interleave
	spoils "an inherited memory policy: vectors are as the file says, but page tables, stacks and what programs allocate follow it: memory_policy = interleave" \
		"start affinity without numactl"
	under files,nodes NODES_POLICY=4 "$AFFINITY" --check
	fact memory_policy local
	[[ $output != *"inherited memory policy"* ]]
}
