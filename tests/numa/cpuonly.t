#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# Nodes 0 and 2 have CPUs only: not even node 0 can be taken for granted.

# shellcheck source=tests/numa/lib.sh
. "$(dirname "$0")/lib.sh"

topology_agrees
plan_agrees

title 'threads run on nodes without memory'
measure two.args '0 2/1 3' '0 1' --set 'nodePerThread=0 2' --set 'nodePerVector=1 3'
title 'vectors on such a node are refused, with the nodes that can hold them'
refused 3 'nodePerVector: node 0 has no memory' one.args --set nodePerVector=0
grep -qF 'nodes that can hold vectors here: 1,3' messages || wrong "no hint in: $(cat messages)"
title 'interleave:0,1 is refused, for it would silently be node 1'
refused 3 'nodePerVector: node 0 has no memory' one.args --set nodePerVector=interleave:0,1
title 'preferred:2 is refused, for it would silently be another node'
refused 3 'nodePerVector: node 2 has no memory' one.args --set nodePerVector=preferred:2
title 'the suites begin with the first node that has both, node 1, and its far one, node 3'
measure args/pruebas_solape/lr.args '1 3/1' '0 0'
title 'interleave leaves out what has no memory'
measure one.args '0/interleave:1,3' 0 --set nodePerVector=interleave
title 'weights without nodes leave out what has no memory'
affinity --plan one.args --set nodePerVector=weighted:3,1 --set tamPerVector=1MiB >plan 2>messages || wrong "$(cat messages)"
grep -q '^vector 0: node weighted:1=3,3=1, ' plan || wrong "$(cat plan)"
title 'a local vector of a thread that has no local memory is told, not measured'
refused 3 'its pages are not on the node of the thread that touched it' one.args --set nodePerVector=local
title 'a local vector of a thread that has local memory is there'
measure one.args '3/local:3' 0 --set nodePerThread=3 --set nodePerVector=local
quickstart
finish
