#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# Nodes 0, 1 and 3, CPUs 0, 2 and 3.

# shellcheck source=tests/numa/lib.sh
. "$(dirname "$0")/lib.sh"

same_machine() {
	title 'the machine has the holes that this test is about'
	same nodes 0-1,3 "$(cat $sys/node/online)"
	same 'CPUs' 0,2-3 "$(cat $sys/cpu/online)"
}

same_machine
topology_agrees
plan_agrees

title 'threads and vectors on both sides of the holes'
measure two.args '0 1/3 1' '0 1' --set 'nodePerThread=0 1' --set 'nodePerVector=3 1'
title 'CPUs by number'
measure unplaced.args 'cpu:3 cpu:0/0 3' '0 1' --set 'cpuPerThread=3 0' --set 'nodePerVector=0 3'
title 'cores count without holes'
measure unplaced.args 'cpu:2 cpu:0/0 3' '0 1' --set 'corePerThread=1 0' --set 'nodePerVector=0 3'
title 'interleave uses the nodes that are there'
measure one.args '1/interleave:0-1,3' 0 --set nodePerThread=1 --set nodePerVector=interleave
title 'a suite of two nodes'
solo=1
measure args/pruebas_solo_priv/bq.args '0 1/1 0' '0 1'
solo=''
title 'the node that is not there is refused as such'
refused 3 'nodePerVector: node 2 does not exist' one.args --set nodePerVector=2
refused 3 'nodePerThread: node 2 does not exist' one.args --set nodePerThread=2
title 'the CPU that is offline is refused'
refused 3 'cpuPerThread: CPU 1 ' unplaced.args --set 'cpuPerThread=1 0'
title 'node 0 has one CPU left, so that two threads do not fit'
refused 3 'more threads than usable hardware threads on node 0' two.args --set 'nodePerThread=0 0' --set 'nodePerVector=0 1'
title 'a CPU that comes back is used again'
echo 1 >$sys/cpu/cpu1/online
cpu_nodes
measure two.args '0 0/0 1' '0 1' --set 'nodePerThread=0 0' --set 'nodePerVector=0 1'
quickstart
finish
