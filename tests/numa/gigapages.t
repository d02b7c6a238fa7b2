#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# A page of 1 GiB moves from the pool of one node into that of another, and back.

# shellcheck source=tests/numa/lib.sh
. "$(dirname "$0")/lib.sh"

# Free pages of 1 GiB on nodes 1 and 2.
free() {
	echo "$(cat $sys/node/node1/hugepages/hugepages-1048576kB/free_hugepages)" \
		"$(cat $sys/node/node2/hugepages/hugepages-1048576kB/free_hugepages)"
}

title 'each of the nodes 1 and 2 has a free page'
same 'free pages' '1 1' "$(free)"

# Where the only page of a mapping is, while a program sleeps in its sample.
page_of() { # PID
	local seen
	while kill -0 "$1" 2>/dev/null; do
		seen=$(awk '/ huge .*dirty=1 / { for (i = 1; i <= NF; i++) if ($i ~ /^N[0-9]/) print $i; exit }' "/proc/$1/numa_maps" 2>/dev/null)
		[ -z "$seen" ] || echo "$seen"
		usleep 200000
	done | uniq
}

move_file 'nodePerThread: 1 0' 'nodePerVector: 1' 'tamPerVector: 1GiB' 'pagesPerVector: 1G'
for mover in move_pages mbind; do
	title "1G: migrate, mover $mover: the page moves whole into the pool of the target, and is home afterwards"
	affinity --quiet --set mover=$mover --set "passes=1 15000" --json json move.args report >messages 2>&1 &
	page_of $! >seen
	wait $! || wrong "exit status $?: $(cat messages)"
	grep -qx N2=1 seen || wrong "not on node 2: $(cat seen)"
	same 'pages asked, moved and refused' '262144 262144 0' \
		"$(figure pages_asked) $(figure pages_moved) $(figure pages_refused)"
	same 'pages that were elsewhere at the end' '"pages_moved_during_run": 0,' "$(grep -o '"pages_moved_during_run": [0-9]*,' json)"
	same 'free pages' '1 1' "$(free)"
done

title '1G: migrate, mover copy: the copy takes the page of the target'
affinity --quiet --set mover=copy --set passes=1 --json json move.args report >messages 2>&1 || wrong "exit status $?: $(cat messages)"
same 'pages asked, moved and refused' '262144 262144 0' "$(figure pages_asked) $(figure pages_moved) $(figure pages_refused)"
same 'free pages' '1 1' "$(free)"

title 'nobody was killed for want of a page'
same 'kernel messages of SIGBUS or want of memory' 0 "$(dmesg | grep -ciE 'out of memory|oom-kill|bus error|sigbus')"
finish
