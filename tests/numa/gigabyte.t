#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# 1 GiB in small pages moves between two nodes: by the runtime, and by the kernel that measures what a move costs.

# shellcheck disable=SC2034 # lib.sh uses it
boot_options="--timeout 2400 --program ${AFFINITY_BUILD:-build}/tools/migrate --program ${AFFINITY_BUILD:-build}/tools/page_nodes"
# shellcheck source=tests/numa/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/numa/migrate.sh
. "$(dirname "$0")/migrate.sh"

pages=262144

# ---- the runtime; CPU 0 is of node 0, CPU 2 of node 1

export AFFINITY_SPM_REUSE_THRESHOLD=0 AFFINITY_SPM_SIZE_TEST=no
for mover in mbind move_pages; do
	export AFFINITY_SPM_MOVER=$mover
	title "$mover: the runtime moves 1 GiB to the other node"
	migrate_to "1*$pages" 'done' $pages call 2 0 $pages
	same 'pages counted as moved' $pages "$(counted 9)"
	title "$mover: the runtime moves 1 GiB back, but for one page in the middle, which is asked for elsewhere"
	migrate_to "0*131072 1*1 0*131071" 'done done done' $pages call 2 0 $pages call 0 0 $pages call 2 131072 131073
	same 'pages counted as moved' $((2 * pages + 1)) "$(counted 9)"
done

# ---- the kernel migrate

move_file 'nodePerThread: 0 1' 'nodePerVector: 0' 'tamPerVector: 1GiB' 'pagesPerVector: 4K'

for mover in move_pages mbind migrate_pages; do
	title "migrate, mover $mover: all of 1 GiB is on the target in the sample, and home afterwards"
	affinity --quiet --set targetPerVector=1 --set mover=$mover --set 'passes=1 30000' --json json move.args report >messages 2>&1 &
	nodes_of_vector $! $pages >seen
	wait $! || wrong "exit status $?: $(cat messages)"
	grep -qx "N1=$pages " seen || wrong "not on node 1: $(cat seen)"
	same 'pages asked, moved and refused' "$pages $pages 0" "$(figure pages_asked) $(figure pages_moved) $(figure pages_refused)"
	same 'calls' 1 "$(figure move_calls)"
	same 'pages that were elsewhere at the end' '"pages_moved_during_run": 0,' "$(grep -o '"pages_moved_during_run": [0-9]*,' json)"
done

for mover in move_pages copy; do
	title "args/migration/cost_pairs, mover $mover: 1 GiB from each node to the other"
	affinity --quiet --json json --set placements=1 --set samples=1 --set warmup=0 --set sizePerVector=1GiB \
		--set 'sweep=page = base' --set "sweep=mover = $mover" args/migration/cost_pairs.args report >messages 2>&1 ||
		wrong "exit status $?: $(cat messages)"
	same 'pages moved' "0 $pages
$pages 0" "$(cells pages_moved)"
	same 'pages refused' "0 0
0 0" "$(cells pages_refused)"
done

title 'nobody was killed for want of memory'
same 'kernel messages of want of memory' 0 "$(dmesg | grep -ciE 'out of memory|oom-kill')"
finish
