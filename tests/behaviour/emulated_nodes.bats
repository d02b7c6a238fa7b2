#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Emulated NUMA (numa=fake, the default of Raspberry Pi OS): the memory of one node in several, which all list its CPUs.
# hwloc reads /sys in its own way and sees one of them, as its versions before 2.10 do there. The guest
# tests/numa/emulated.t measures.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

setup() {
	driver_setup
	shims_setup
	[ "$("$AFFINITY" --topology | grep -c '^node ')" -eq 1 ] || skip "there is more than one node"
	[ -e /sys/devices/system/cpu/cpu0/node0 ] || skip "this kernel shows no nodes"
	cpus=$(</sys/devices/system/node/node0/cpulist)
	local node
	says /sys/devices/system/node/online 0-3
	says /sys/devices/system/node/has_memory 0-3
	says /proc/self/status "$(sed 's/^Mems_allowed:.*/Mems_allowed:\tf/; s/^Mems_allowed_list:.*/Mems_allowed_list:\t0-3/' /proc/self/status)"
	for node in 0 1 2 3; do
		says "/sys/devices/system/node/node$node/cpulist" "$cpus"
		says "/sys/devices/system/node/node$node/distance" "10 10 10 10"
		says "/sys/devices/system/node/node$node/meminfo" "Node $node MemTotal: $((1000000 + node)) kB
Node $node MemFree: 900000 kB
Node $node MemAvailable: 900000 kB"
	done
}

affinity() {
	try env LD_PRELOAD="$shims/files.so" "$AFFINITY" "$@"
	[ "$status" -eq 0 ]
}

@test "a CPU is on the node that it names, the other nodes are memory of their own size" {
	affinity --topology
	[[ $output == *$'\n'"node 0: CPUs $cpus, memory 1000000 KiB, "* ]]
	for node in 1 2 3; do
		[[ $output == *$'\n'"node $node: CPUs none, memory $((1000000 + node)) KiB, "* ]]
	done
	[[ $output == *$'\nnodes that can run threads: 0\nnodes that can hold vectors: 0-3\n'* ]]
	for node in 0 1 2 3; do
		[[ $output == *$'\n'"     $node    10    10    10    10"$'\n'* ]]
	done
}

@test "one node beside all of them in turn is planned" {
	given "opType: load" "sweep: v = 0 3 interleave interleave:0,2" "nodePerThread: first" "nodePerVector: \$v" \
		"tamPerVector: 1MiB" "vectorPerThread: all"
	affinity --plan t.args
	for place in 0 3 interleave:0-3 interleave:0,2; do
		grep -q "^vector 0: node $place, " <<<"$output"
	done
	given "opType: load" "nodePerThread: 0" "nodePerVector: local" "tamPerVector: 1MiB" "vectorPerThread: all"
	affinity --plan t.args
}

@test "the node that CPUs name need not be the first" {
	local cpu
	for cpu in /sys/devices/system/cpu/cpu[0-9]*; do
		mkdir -p "$FILES$cpu/node2"
	done
	affinity --topology
	[[ $output == *$'\n'"node 0: CPUs none, memory"* ]]
	[[ $output == *$'\n'"node 2: CPUs $cpus, memory"* ]]
	[[ $output == *$'\nnodes that can run threads: 2\nnodes that can hold vectors: 0-3\n'* ]]
}
