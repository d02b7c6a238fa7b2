#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# Every file of args/translation, all of its runs, with little work: where vectors and page tables are.

[ "${AFFINITY_BUILD:-build}" = build ] && frag=./affinity-frag || frag=$AFFINITY_BUILD/affinity-frag
# shellcheck disable=SC2034 # for lib.sh
boot_options="--program $frag"
# shellcheck source=tests/numa/lib.sh
. "$(dirname "$0")/lib.sh"

echo madvise >/sys/kernel/mm/transparent_hugepage/enabled
# only blocks that are free: the kernel would make more of what it can move, and khugepaged use those that are left over
echo never >/sys/kernel/mm/transparent_hugepage/defrag
echo 1000000000 >/sys/kernel/mm/transparent_hugepage/khugepaged/scan_sleep_millisecs

title 'affinity-frag: of each of four nodes what was asked is left in large blocks, within 5 %'
for node in 0 1 2 3; do
	affinity-frag --node $node --leave 160MiB -- cp /proc/buddyinfo held 2>messages || wrong "exit status $?: $(cat messages)"
	left=$(awk -v node="$node," '$2 == node { sum += 2 * $(NF - 1) + 4 * $NF } END { print sum + 0 }' held)
	{ [ "$left" -ge 152 ] && [ "$left" -le 168 ]; } || wrong "node $node: $left MiB are left, 160 were asked: $(cat messages)"
done

measured() { # NAME WORD...
	local name=$1 status=0
	shift
	title "$name: all of its runs"
	rm -f report
	affinity --json json --set placements=1 --set numIter=1 --set warmup=0 --set mode=work "$@" "args/translation/$name.args" report \
		>messages 2>&1 || status=$?
	same 'exit status' 0 "$status"
	! grep 'skipped:' messages || wrong "$(cat messages)"
}

# The MiB of the last vector on nodes 0 1 2 3, a run a line, of runs whose vector is described so.
mib_of() { # DESCRIPTION
	sed -n "s/^ - Vector .* found: \(.*\) pages of 4 KiB.*$1.*/\1/p" report | awk '{
		split("0 0 0 0", n); for (i = 1; i < NF; i++) if ($i == "node") n[$(i + 1) + 1] = $(i + 2) / 256
		print int(n[1]), int(n[2]), int(n[3]), int(n[4]) }'
}

# Half on node 0, as far as a few huge pages come and go, and half on another.
halves() { # DESCRIPTION
	local found
	found=$(mib_of "$1")
	[ -n "$found" ] || wrong "no vector of $1"
	echo "$found" | awk '{ rest = $2 + $3 + $4; if ($1 < 24 || $1 > 40 || $1 + rest != 64) exit 1 }' || wrong "$1: $found"
}

everywhere() { # DESCRIPTION NODES
	same "$1" "$2" "$(mib_of "$1" | uniq)"
}

# The tables are where they were asked for, near in so many runs and far in as many.
tables_of() { # RUNS
	same 'runs with page tables on node 0' "$1" "$(grep -c '^ - Vector .* page tables on node 0' report)"
	same 'runs with page tables on node 2' "$1" "$(grep -c '^ - Vector .* page tables on node 2' report)"
}

measured 1_placements --set tamPerVector=64MiB --set loads=2000
everywhere 'local_2m of thread' '64 0 0 0'
everywhere 'local_2m_4k of thread' '64 0 0 0'
everywhere 'local_4k of thread' '64 0 0 0'
everywhere 'interleave_2m of thread' '32 0 32 0'
everywhere 'remote_2m of thread' '0 0 64 0'

measured 2_order --set tamPerVector=64MiB
measured 3_hashjoin --set 'tamPerVector=8MiB 64MiB'

measured 4_fragmented --set tamPerVector=64MiB
everywhere 'hot_first; local_2m of thread' '64 0 0 0'
everywhere 'hot_last; interleave_2m of thread' '32 0 32 0'
everywhere 'local_frag of thread' '64 0 0 0'
halves 'hot_first; rhp_frag of thread'
halves 'hot_last; rhp_frag of thread'
# half of it is far in huge pages, and all is near in the baseline: NAME LEAVE... of a row
gains=$(sed -n '/^huge_gain (%), hotcold, order=hot_last/,/^$/p' report | awk '$1 == "local_2m" { print $1, $2 + 0 } $1 == "rhp_frag" {
	print $1, $NF ~ /^-?[0-9]/ && $NF != 0 ? "a figure" : $0 }')
same 'what far huge pages save' "$(printf 'local_2m 0\nrhp_frag a figure')" "$gains"

# What is kept is in both places, what is moved back all near; which of them is a matter of time.
measured 8_profiler --set tamPerVector=64MiB
verdicts=$(sed -n 's/^ - Profiler   by run .*: far huge pages gain .* by time: //p' report)
same 'verdicts' 2 "$(echo "$verdicts" | wc -l)"
mib_of 'hot_last; rhp_frag_profiler of thread' >profiled
echo "$verdicts" | paste -d ' ' - profiled | awk '{ near = $(NF - 3); whole = near + $(NF - 2) + $(NF - 1) + $NF }
	whole != 64 || ($1 == "kept" ? near < 24 || near > 40 : near != 64) { exit 1 }' ||
	wrong "verdicts and MiB by node: $(echo "$verdicts" | paste -d ' ' - profiled)"
halves 'hot_last; rhp_frag of thread'

measured 5_fragmented_join --set 'tamPerVector=8MiB 64MiB'
# MiB of a vector in huge pages, as whole numbers, a run a line.
huge_mib() { # VECTOR DESCRIPTION
	sed -n "s/^ - Vector $1 .*$2.*/&/p" report | awk '{
		if (!match($0, /[0-9.]+ [KMG]?i?B in transparent huge pages/)) { print 0; next }
		split(substr($0, RSTART, RLENGTH), part, " ")
		print int(part[1] / (part[2] == "MiB" ? 1 : part[2] == "KiB" ? 1024 : 1048576)) }'
}

# Keys and table are as large as each other: the first one has the huge pages, or the near ones.
measured 7_table_first --set 'tamPerVector=32MiB 32MiB'
same 'runs on a broken node' 2 "$(huge_mib 0 'local_frag of thread' | wc -l)"
huge_mib 0 'local_frag of thread' | awk '$1 < 24 { exit 1 }' || wrong "first: $(huge_mib 0 'local_frag of thread')"
huge_mib 1 'local_frag of thread' | awk '$1 > 8 { exit 1 }' || wrong "second: $(huge_mib 1 'local_frag of thread')"
same 'MiB of the second vector in huge pages' '32 32' "$(huge_mib 1 'rhp_frag of thread' | tr '\n' ' ' | sed 's/ $//')"

measured 6_ranges --set tamPerVector=64MiB --set loads=2000

measured tables --set tamPerVector=64MiB
tables_of 4

measured tlb --set 'sweep=n = 16 256 4096' --set loads=2000
measured tlb_2m --set 'sweep=n = 8 16 32' --set loads=2000
measured tlb_tables --set 'sweep=n = 64 512 2048' --set loads=2000
tables_of 3

title 'tlb_1g: without pages of 1 GiB it is refused, with the way to some'
status=0
affinity args/translation/tlb_1g.args report >messages 2>&1 || status=$?
same 'exit status' 3 "$status"
grep -q 'free pages of 1 GiB are needed in the pool of node 0, 0 are there' messages || wrong "$(cat messages)"
finish
