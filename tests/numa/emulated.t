#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# Emulated NUMA: four nodes that all list the same CPUs, which are of the first. Needs a kernel with
# CONFIG_NUMA_EMU; Debian's smallest has none, AFFINITY_KERNEL names another.

# shellcheck source=tests/numa/lib.sh
. "$(dirname "$0")/lib.sh"

if [ "$(cat $sys/node/online)" = 0 ]; then
	echo '1..0 # SKIP this kernel has no emulated nodes (CONFIG_NUMA_EMU); AFFINITY_KERNEL=FILE names another'
	exit 0
fi
own=$(awk '$1 == 0 { print $2 }' cpus)

title 'all CPUs are on the node that they name, and every node has memory'
affinity --topology >topology
same 'nodes with CPUs' 1 "$(grep -c '^node [0-9]*: CPUs [0-9]' topology)"
same 'nodes with memory' 4 "$(grep -c '^node [0-9]*: CPUs [^,]*[^m]*, memory [0-9]' topology)"
title 'a vector lies on each of them'
for node in 0 1 2 3; do
	measure one.args "$own/$node" 0 --set "nodePerThread=$own" --set "nodePerVector=$node"
done
title 'local memory is that of the node that the CPU names'
measure one.args "$own/local:$own" 0 --set "nodePerThread=$own" --set nodePerVector=local
title 'pages lie on all nodes in turn'
measure one.args "$own/interleave:0-3" 0 --set "nodePerThread=$own" --set nodePerVector=interleave
quickstart
finish
