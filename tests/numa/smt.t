#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# Cores with two hardware threads each: whole cores first.

# shellcheck source=tests/numa/lib.sh
. "$(dirname "$0")/lib.sh"

# A line for each core that threads were on: how many CPUs of it they had, and which it has.
cores_seen() {
	local cpu
	sed -n 's/^thread [0-9]* waits cpu \([0-9]*\) .*/\1/p' seen | sort -u | while read -r cpu; do
		cat $sys/cpu/cpu"$cpu"/topology/thread_siblings_list
	done | sort | uniq -c | sed 's/^ *//'
}

topology_agrees
plan_agrees

title 'two threads of a node have a core each'
measure two.args '0 0/0 1' '0 1' --set 'nodePerThread=0 0' --set 'nodePerVector=0 1'
same 'cores' '1 0-1
1 2-3' "$(cores_seen)"

title 'four threads of a node have all its hardware threads'
measure one.args '1 1 1 1/1' '0 0 0 0' --set 'nodePerThread=1*4' --set nodePerVector=1 --set 'vectorPerThread=0 1 2 3'
same 'cores' '2 4-5
2 6-7' "$(cores_seen)"
same 'threads that the JSON says share a core' 4 "$(grep -c '"shares_core": true' json)"

title 'corePerThread: a core given twice gives its two hardware threads'
measure unplaced.args '1 1/1 1' '0 1' --set 'corePerThread=3 3' --set 'nodePerVector=1 1'
same 'cores' '2 6-7' "$(cores_seen)"

title 'smt/c_other_unit: two threads on the two hardware threads of core 0, their vectors beside them'
solo=1
measure args/smt/c_other_unit.args 'cpu:0 cpu:1/local:0 local:0' '0 1' --set mode=work --set opType=branch+fp_mul
title 'smt/two_cores_c_other_unit: two threads on two cores'
measure args/smt/two_cores_c_other_unit.args 'cpu:0 cpu:2/local:0 local:0' '0 1' --set mode=work --set opType=branch+fp_mul
solo=''

title 'with SMT switched off --topology and the runs leave out the second hardware threads'
echo off >$sys/cpu/smt/control
same 'CPUs online' 0,2,4,6 "$(cat $sys/cpu/online)"
cpu_nodes
topology_agrees
title 'with SMT switched off two threads of a node have a core each, a third is refused'
measure two.args '1 1/0 1' '0 1' --set 'nodePerThread=1 1' --set 'nodePerVector=0 1'
refused 3 'more threads than usable hardware threads on node 1' one.args --set 'nodePerThread=1*3' --set 'vectorPerThread=0 1 2'
quickstart
finish
