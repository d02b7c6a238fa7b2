#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# Two sockets: the machine that most people have; far and near are the only other node.

# shellcheck source=tests/numa/lib.sh
. "$(dirname "$0")/lib.sh"

topology_agrees
plan_agrees

title 'overlapped LR: threads on both sockets, the vector on the first'
measure args/pruebas_solape/lr.args '0 1/0' '0 0'
title 'private BQ: each thread uses the memory of the other socket'
solo=1
measure args/pruebas_solo_priv/bq.args '0 1/1 0' '0 1'
solo=''
title 'far and near are the same node'
measure two.args '0 1/1 1' '0 1' --set 'nodePerThread=0 1' --set 'nodePerVector=far(0) near(0)'
title 'a node full of threads: each has a CPU of its own'
measure two.args '1 1 1 1/1 0' '0 0 1 1' --set 'nodePerThread=1*4' --set 'nodePerVector=1 0' --set 'vectorPerThread=0 1, 2 3'
title 'one thread more than a node has CPUs is refused'
refused 3 'more threads than usable hardware threads on node 1' two.args --set 'nodePerThread=1*5' --set 'vectorPerThread=0 1, 2 3 4'
title 'cpuPerThread: exactly these CPUs, in this order'
measure unplaced.args 'cpu:6 cpu:1/0 1' '0 1' --set 'cpuPerThread=6 1' --set 'nodePerVector=0 1'
title 'corePerThread: exactly these cores'
measure unplaced.args 'cpu:3 cpu:5/0 1' '0 1' --set 'corePerThread=3 5' --set 'nodePerVector=0 1'
finish
