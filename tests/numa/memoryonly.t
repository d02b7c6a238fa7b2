#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# Nodes 2 and 3 have memory only, as behind CXL.

# shellcheck source=tests/numa/lib.sh
. "$(dirname "$0")/lib.sh"

topology_agrees
plan_agrees

title 'vectors lie on nodes without CPUs'
measure two.args '0 1/2 3' '0 1' --set 'nodePerThread=0 1' --set 'nodePerVector=2 3'
title 'such a vector may be touched by any thread'
measure two.args '0 1/3 2' '0 1' --set 'nodePerThread=0 1' --set 'nodePerVector=3 2' --set 'initPerVector=owner main'
title 'threads on such a node are refused, with the nodes that can run them'
refused 3 'nodePerThread: node 2 has no CPU that this process may use' one.args --set nodePerThread=2
grep -qF 'nodes that can run threads here: 0-1' messages || wrong "no hint in: $(cat messages)"
title 'far(X) is the farthest node with CPUs, though memory is farther away'
measure one.args '1/1' 0 --set 'let=X=first Y=far(X)' --set nodePerThread=Y --set nodePerVector=Y
title 'interleave uses all memory'
measure one.args '0/interleave:0-3' 0 --set nodePerVector=interleave
title 'preferred memory without CPUs'
measure one.args '1/preferred:3' 0 --set nodePerThread=1 --set nodePerVector=preferred:3
quickstart
finish
