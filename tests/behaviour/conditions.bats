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

# stat TICKS0 TICKS1 TICKS2 TICKS3: /proc/stat of four CPUs that have worked so long.
stat() {
	local cpu=0 ticks
	echo "cpu 0 0 0 900000 0 0 0 0 0 0"
	for ticks; do
		echo "cpu$cpu $ticks 0 0 90000 0 0 0 0 0 0"
		cpu=$((cpu + 1))
	done
	echo "intr 1 2 3"
}

# beside TICKS...: t.args is measured on CPU 0, which shares its core with CPU 1 and its node with 2 and 3, while the
# CPUs work so long. The kernel's file is read before the run, by it and before its first sample; then it has changed.
beside() {
	rm -f out.json
	says /proc/stat "$(stat 100 100 100 100)"
	says /proc/stat.later "$(stat "$@")"
	under files FILES_LATER=/proc/stat FILES_AFTER="${after:-4}" "$AFFINITY" --json out.json --csv out.csv "${set[@]}" t.args out.txt
}

smt() {
	[[ $(usable_cpus | head -n 2 | xargs) == "0 1" ]] || skip "CPUs 0 and 1 are not both ours"
	export HWLOC_SYNTHETIC="numa:1(memory=1GB) l3:2(size=8MB) core:1 pu:2" HWLOC_THISSYSTEM=1
	printf '%s\n' "kernels: read" "cpuPerThread: 0" "nodePerVector: first" "vectorPerThread: 0" "sizePerVector: 64KiB" "samples: 2" \
		"placements: 1" >t.args
	says /sys/devices/system/node/node0/cpulist $'0-3\n'
	set=()
}

@test "another program on a hardware thread beside a thread of the run disturbs its samples" {
	smt
	beside 9999 100 100 100
	jq -e '.runs[0].operations[0].samples | .busy_sibling == 0' out.json
	jq -e '.environment.others_load_on_core_during_run_percent == 0' out.json
	[[ $stderr != *"beside one of the run"* ]]
	# its own CPU is no neighbour, and one tick no work
	beside 9999 101 100 100
	jq -e '.runs[0].operations[0].samples.busy_sibling == 0' out.json
	beside 100 9999 100 100
	jq -e '.runs[0].operations[0] | .samples.busy_sibling == .samples.taken and .samples.disturbed == .samples.taken and .samples.measure_again and
		([.threads[0].samples[].disturbed_flags | . % 128 >= 64] | all)' out.json
	jq -e '.environment | .others_load_on_core_during_run_percent == 100 and .others_load_under_cache_during_run_percent == 100
		and (.others_load_on_node_during_run_percent | . > 33 and . < 34)' out.json
	[[ $stderr == *"warning: other programs used a hardware thread beside one of the run, on the same core, for 100.0 % of the run"*"hint: keep other programs off it"* ]]
	grep -q 'busy sibling 2)' out.txt
	/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || skip "the system's Python has no jsonschema"
	/usr/bin/python3 -m jsonschema -i out.json "$root/results/schema-3.json"
}

@test "a CPU that another program uses is shown by --check, though it is little of a large machine" {
	local cpus=(0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0)
	smt
	says /proc/stat "$(stat "${cpus[@]}")"
	cpus[1]=45
	says /proc/stat.later "$(sed 's/^cpu 0 0 0 900000/cpu 45 0 0 901000/' < <(stat "${cpus[@]}"))"
	under files FILES_LATER=/proc/stat FILES_AFTER=2 "$AFFINITY" --check --json out.json
	fact busy_cpus_during_check 1
	spoils "other programs used CPUs during the check: busy_cpus_during_check = 1" "stop them, or keep threads off these CPUs"
	says /proc/stat.later "$(stat 0 1 0 0)"
	under files FILES_LATER=/proc/stat FILES_AFTER=2 "$AFFINITY" --check
	fact busy_cpus_during_check none
	[[ $output != *"other programs used CPUs"* ]]
}

@test "samples of placements that are too short for the ticks of the system are looked at together" {
	local after=7
	smt
	set=(--set placements=2)
	beside 100 9999 100 100
	jq -e '.runs[0].operations[0].samples | .taken == 4 and .busy_sibling == 4' out.json
}

@test "what others do farther away is a fact, and warned of where nothing nearer is" {
	smt
	beside 100 100 9999 100
	jq -e '.runs[0].operations[0].samples.busy_sibling == 0' out.json
	jq -e '.environment | .others_load_on_core_during_run_percent == 0 and .others_load_under_cache_during_run_percent == 0
		and (.others_load_on_node_during_run_percent | . > 33 and . < 34)' out.json
	[[ $stderr == *"warning: other programs used the other CPUs of nodes of the run for 33.3 % of the run"* ]]
	[[ $stderr != *"beside one of the run"* ]]
	export HWLOC_SYNTHETIC="numa:1(memory=1GB) l3:1(size=8MB) core:2 pu:1"
	beside 100 9999
	jq -e '.environment | .others_load_on_core_during_run_percent == null and .others_load_under_cache_during_run_percent == 100' out.json
	grep -qx ' *- *others_load_on_core_during_run: no other CPU' out.txt || grep -q 'others_load_on_core_during_run: no other CPU' out.txt
	[[ $stderr == *"other programs used the other CPUs under last-level caches of the run for 100.0 % of the run"* ]]
	# a thread that may run anywhere has no neighbours that are known
	sed -i '/^cpuPerThread/d' t.args
	set=(--set mapping=os --set nodePerVector=first --set threads=1)
	beside 100 9999
	run ! grep others_load_on_core out.txt
	jq -e '.environment | has("others_load_during_run_percent") and (has("others_load_on_core_during_run_percent") | not)' out.json
}

@test "a thread of the run itself, or an owner of its lines, is no other program" {
	smt
	set=(--set "cpuPerThread=0 1" --set "vectorPerThread=0 1" --set samples=3)
	beside 100 9999 100 100
	jq -e '.runs[0].operations[0].samples.busy_sibling == 0 and .environment.others_load_on_core_during_run_percent == null' out.json
	set=(--set statePerVector=M --set ownerPerVector=cpu:1 --set samples=3)
	beside 100 9999 100 100
	jq -e '.runs[0].operations[0].samples.busy_sibling == 0' out.json
	# interleaved, those of all runs
	# shellcheck disable=SC2016 # of the sweep
	set=(--set "sweep=c = 0 1" --set 'cpuPerThread=$c' --set interleave=yes)
	beside 9999 9999 100 100
	jq -e '[.runs[].operations[0].samples.busy_sibling == 0] | all' out.json
	# one after another, those of its run and of the load beside it
	# shellcheck disable=SC2016 # of the sweep
	set=(--set "sweep=c = 0 1" --set 'cpuPerThread=$c' --set "background=0 on node(0) by node(0)")
	beside 9999 9999 100 100
	jq -e '.runs[0].operations[0].samples | .busy_sibling == .taken' out.json
}
