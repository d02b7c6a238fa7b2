#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# Eight nodes at two distances, and experiments that begin at node 5.

# shellcheck disable=SC2034 # lib.sh uses it
boot_options="--program ${AFFINITY_BUILD:-build}/tools/migrate"
# shellcheck source=tests/numa/lib.sh
. "$(dirname "$0")/lib.sh"

# The lowest node at the largest (smallest) distance, from /sys.
far() { extreme "$1" '>'; }
near() { extreme "$1" '<'; }

extreme() { # NODE COMPARISON
	tr ' ' '\n' <$sys/node/node"$1"/distance |
		awk "NR - 1 != $1 && (node == \"\" || \$1 $2 best) { best = \$1; node = NR - 1 } END { print node }"
}

X=5 Y=$(far 5)

from_x() { # FILE THREADS VECTORS USES
	title "${1#args/} with X=$X: threads on $2, vectors on $3"
	solo=''
	! grep -q '^solo: *yes' "$1" || solo=1
	measure "$1" "$2/$3" "$4" --set "let=X=$X Y=far(X)" --set opType=read
	solo=''
}

topology_agrees
plan_agrees
from_x args/pruebas_solape/lr.args "$X $Y" "$X" '0 0'
from_x args/pruebas_solape/rr.args "$Y $Y" "$X" '0 0'
from_x args/pruebas_solo_priv/bq.args "$X $Y" "$Y $X" '0 1'
from_x args/pruebas_solo_priv/mc_bq_s.args "$X $X" "$Y $Y" '0 1'

title "near(5) is $(near 5), the lowest of the nearest"
measure one.args "5/$(near 5)" 0 --set 'let=X=5 Y=near(X)' --set nodePerThread=X --set nodePerVector=Y
title 'an interleaved vector has its pages on all eight nodes'
measure one.args '7/interleave:0-7' 0 --set nodePerThread=7 --set nodePerVector=interleave
title 'sixteen threads: two on every node, no CPU twice'
measure one.args '0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7/6' '0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0' --set 'nodePerThread=0-7 0-7' \
	--set nodePerVector=6 --set 'vectorPerThread=0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15'
title 'node_rr: 64 threads are eight on each node'
# shellcheck disable=SC2016 # migrate's PID
AFFINITY_SPM_SIZE_TEST=no AFFINITY_SPM_LOCK=node_rr migrate 1 lock 64 run 'cat /proc/$PID/task/*/status' >moved 2>&1 || wrong "$(cat moved)"
same 'CPUs of the threads, and of main' '1*0 8*0-1 8*10-11 8*12-13 8*14-15 8*2-3 8*4-5 8*6-7 8*8-9 ' \
	"$(sed -n 's/^Cpus_allowed_list:	//p' moved | sort | uniq -c | awk '{ printf "%d*%s ", $1, $2 }')"
quickstart
finish
