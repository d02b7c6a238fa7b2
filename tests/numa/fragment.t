#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# affinity-frag breaks the free memory of node 1, and mends it; affinity-rhp takes what is left there, and more of node 0.

[ "${AFFINITY_BUILD:-build}" = build ] && frag=./affinity-frag || frag=$AFFINITY_BUILD/affinity-frag
# shellcheck disable=SC2034 # for lib.sh
boot_options="--program $frag --program ${frag%frag}rhp --program ${AFFINITY_BUILD:-build}/affinity-rhp.so --program /usr/bin/perl"
# shellcheck source=tests/numa/lib.sh
. "$(dirname "$0")/lib.sh"

# MiB of a node in blocks of 2 MiB and more, which /proc/buddyinfo has in the last two columns.
large() { # NODE
	awk -v node="$1," '$2 == node { sum += 2 * $(NF - 1) + 4 * $NF } END { print sum + 0 }' /proc/buddyinfo
}

# MiB of node 1 in large blocks and on the lists of CPUs. A page of a broken block on a list is a page here, but makes a
# block of 512 missing.
whole() {
	awk -v large="$(large 1)" '/^Node/ { mine = $2 == "1," } mine && $1 == "count:" { sum += $2 }
		END { print large + int(sum / 256) }' /proc/zoneinfo
}

# From Linux 6.8 on the lists of CPUs keep what is freed there, up to an eighth of the node, however long a CPU is idle:
# a low limit for a moment, and a refresh of the statistics, which holds the lists to it.
shorten_lists() {
	echo 1000000 >/proc/sys/vm/percpu_pagelist_high_fraction
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do cat /proc/sys/vm/stat_refresh; done
	echo 0 >/proc/sys/vm/percpu_pagelist_high_fraction
}

# Earlier kernels shorten the lists of idle CPUs after some seconds.
until_whole() {
	local times=0
	shorten_lists
	while [ "$(whole)" -lt $((before * 85 / 100)) ] && [ $times -lt 600 ]; do
		usleep 100000
		times=$((times + 1))
	done
	[ $times -lt 600 ] || wrong "$before MiB were whole, now $(whole): $(cat messages)"
}

free_mib() {
	awk '/MemFree/ { print int($4 / 1024) }' $sys/node/node1/meminfo
}

near() { # WHAT EXPECTED FOUND: within 5 %
	[ $(($3 * 20)) -lt $(($2 * 19)) ] || [ $(($3 * 20)) -gt $(($2 * 21)) ] || return 0
	wrong "$1: expected $2, found $3"
}

# affinity-frag in the background, until it holds what was asked; on the only CPU of node 1, whose list of free pages
# then has what is freed at its end.
begin() { # WORD...
	shorten_lists
	: >messages # of the one before
	taskset 2 affinity-frag "$@" 2>messages &
	frag=$!
	while [ -d /proc/$frag ] && ! grep -q 'blocks broken' messages; do usleep 50000; done
}

echo madvise >/sys/kernel/mm/transparent_hugepage/enabled
before=$(whole) free=$(free_mib) other=$(large 0)

title 'what was asked is left in large blocks while a command runs, and its exit status is passed on'
status=0
affinity-frag --node 1 --leave 200MiB -- sh -c 'cp /proc/buddyinfo held; exit 7' 2>messages || status=$?
same 'exit status' 7 "$status"
near 'MiB in large blocks' 200 "$(awk '$2 == "1," { print 2 * $(NF - 1) + 4 * $NF }' held)"
left=$(sed -n 's/^node 1: .* free, \([0-9]*\) MiB of it in blocks of 2 MiB and more left$/\1/p' messages)
near 'MiB that affinity-frag says' 200 "${left:-0}"

# Counts of 2 MiB blocks of node 1's pages in /proc/kpageflags whose 512 pages are all free, a range a line.
cat >ranges.pl <<'EOT'
open(my $zones, '<', '/proc/zoneinfo'); my ($mine, $start, $length);
while (<$zones>) {
	$mine = $1 == 1 if /^Node (\d+)/; $length = $1 if $mine && /spanned +([1-9]\d*)/; $start = $1 if $mine && $length && !defined $start && /start_pfn: +(\d+)/;
}
open(my $flags, '<:raw', '/proc/kpageflags'); my $run = 0;
for (my $page = int(($start + 511) / 512) * 512; $page + 512 <= $start + $length; $page += 512) {
	sysseek($flags, $page * 8, 0); sysread($flags, my $bytes, 4096);
	my $free = grep { $_ >> 10 & 1 } unpack('Q*', $bytes);
	if ($free == 512) { $run++ } else { print "$run\n" if $run; $run = 0 }
}
print "$run\n" if $run;
EOT

title 'root may have it in few physical ranges, which the kernel then has'
: >ranges
# The run before may have left blocks on the lists of the CPUs, or pages that the kernel frees later; what comes free
# meanwhile is warned of: then once more.
for _ in 1 2 3; do
	shorten_lists
	affinity-frag --node 1 --leave 100MiB --ranges 5 -- sh -c 'perl ranges.pl >ranges' 2>messages || wrong "$(cat messages)"
	grep -q 'warning: node 1 has .* free in large blocks now' messages || break
done
mib=$(awk '{ sum += 2 * $1 } END { print sum + 0 }' ranges)
{ [ "$mib" -ge 92 ] && [ "$mib" -le 108 ]; } || wrong "$mib MiB are in free blocks: $(cat messages)"
said=$(sed -n 's/^node 1: in \([0-9]*\) physical range.*/\1/p' messages)
# more than affinity-frag saw, where what runs since then has taken a page out of the middle of a range
[ "$(wc -l <ranges)" -le 5 ] || wrong "$(wc -l <ranges) ranges: $(cat messages)"
[ "${said:-9}" -le 5 ] || wrong "in $said ranges: $(cat messages)"

title 'the other node stays as it was'
near 'MiB in large blocks of node 0' "$other" "$(large 0)"

title 'SIGTERM ends it, and what was broken is whole again, but for the lists of the CPUs'
begin --node 1 --leave 180MiB
near 'MiB in large blocks' 180 "$(large 1)"
kill -TERM $frag
status=0
wait $frag || status=$?
same 'exit status' 0 "$status"
until_whole
same 'notes' '' "$(ls /dev/shm)"

title 'a signal to affinity-frag reaches the command'
begin --node 1 --leave 200MiB sleep 1000
kill -TERM $frag
status=0
wait $frag || status=$?
same 'exit status' 143 "$status"

title 'killed with -9 it leaves no memory behind, and its command dies'
begin --node 1 --leave 180MiB sleep 1000
kill -KILL $frag
wait $frag 2>/dev/null
times=0
while pidof sleep affinity-frag >/dev/null && [ $times -lt 2400 ]; do usleep 50000; times=$((times + 1)); done
! pidof sleep >/dev/null || wrong 'the command lives'
# free pages on the lists of CPUs are missing
[ "$(free_mib)" -ge $((free * 80 / 100)) ] || wrong "$free MiB were free, now $(free_mib)"

title '--undo drives together what a killed one left, and removes its note'
affinity-frag --node 1 --undo 2>messages || wrong "exit status $?"
until_whole
same 'notes' '' "$(ls /dev/shm)"

title 'a second one on the same node is refused'
begin --node 1 --leave 200MiB
status=0
affinity-frag --node 1 --leave 100MiB true 2>refused || status=$?
same 'exit status' 1 "$status"
grep -q 'another affinity-frag is at work on node 1' refused || wrong "$(cat refused)"
kill -HUP $frag
wait $frag

# The MiB that affinity-rhp's report has of a node in a line, or 0.
reported() { # LINE NODE
	sed -n "s/^  $1: .*node $2 \([0-9]*\)\.[0-9] MiB,.*/\1/p; s/^  $1: node $2 \([0-9]*\)\.[0-9] MiB,.*/\1/p" report | head -n 1
}

within() { # WHAT EXPECTED FOUND: four huge pages more or less, as blocks come and go meanwhile
	[ "${3:-0}" -le $(($2 + 8)) ] || wrong "$1: expected $2, found $3: $(cat report)"
	[ "${3:-0}" -ge $(($2 - 8)) ] || wrong "$1: expected $2, found ${3:-nothing}: $(cat report)"
}

title 'affinity-rhp takes the huge blocks that are left on the local node, and the rest of the other, all in huge pages'
# What else runs in the guest may take one of the blocks between the look at them and the first touch: then once more.
for _ in 1 2 3; do
	# shellcheck disable=SC2016 # perl's
	affinity-frag --node 1 --leave 40MiB -- sh -c 'cp /proc/buddyinfo held; exec taskset 2 affinity-rhp --from 16MiB \
		--report report perl -e "vec(\$s, (64 << 20) - 1, 8) = 1; print length \$s"' >printed 2>messages || wrong "$(cat messages)"
	! grep -q 'in huge pages 100.0 % of what was written' report || break
done
same 'bytes' $((64 << 20)) "$(cat printed)"
left=$(awk '$2 == "1," { print 2 * $(NF - 1) + 4 * $NF }' held)
here=$(reported promised 1)
within 'MiB promised of node 1, of those in /proc/buddyinfo' "$left" "$here"
within 'MiB found on node 1, of those promised' "${here:-0}" "$(reported found 1)"
[ "$(reported found 0)" -ge $((64 - ${here:-0})) ] || wrong "node 0 has less than the rest: $(cat report)"
grep -q 'rest 0.0 MiB' report || wrong "$(cat report)"
grep -q 'in huge pages 100.0 % of what was written' report || wrong "$(cat report)"

title 'affinity-rhp spreads a block over the nodes by weights, whichever its thread runs on'
for spread in 0=3,1=1:49:17 0=1,1=3:17:49; do
	# shellcheck disable=SC2016 # perl's
	affinity-rhp --from 16MiB --weights ${spread%%:*} --report report \
		perl -e 'vec($s, (64 << 20) - 1, 8) = 1; print length $s' >printed 2>messages || wrong "$(cat messages)"
	same 'bytes' $((64 << 20)) "$(cat printed)"
	mib=${spread#*:}
	within "MiB found on node 0 with ${spread%%:*}" "${mib%:*}" "$(reported found 0)"
	within "MiB found on node 1 with ${spread%%:*}" "${mib#*:}" "$(reported found 1)"
done

printf '%s\n' 'opType: read' 'nodePerThread: 1' 'nodePerVector: 1' 'vectorPerThread: 0' 'tamPerVector: 8MiB' 'pagesPerVector: thp' \
	'numIter: 2' 'placements: 2' 'leaveHuge: 100MiB' >t.args

# MiB that affinity's JSON has for node 1, a placement a line.
json_left() {
	tr -d ' \n' <json | sed 's/"huge_bytes":/\n/g' | sed -n 's/^\([0-9]*\),"free_bytes".*/\1/p' | awk '{ print int($1 / 1048576) }'
}

title 'leaveHuge: affinity leaves that much of the node of its thread in every placement, and gives it back'
affinity --quiet --json json t.args report 2>messages || wrong "exit status $?: $(cat messages)"
for mib in $(json_left); do near 'MiB in large blocks' 100 "$mib"; done
same 'placements' 2 "$(json_left | wc -l)"
! pidof affinity-frag >/dev/null || wrong 'affinity-frag lives'
until_whole

# What affinity's JSON has in a field of the only vector's first placement, in MiB; or of its pages on a node.
field_mib() { # NAME
	sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p" json | head -n 1 | awk '{ print int($1 / 1048576) }'
}
pages_mib() { # NODE
	tr -d ' \n' <json | sed -n "s/.*\"found\":{\"pages_on_node\":{[^}]*\"$1\":\([0-9]*\).*/\1/p" | awk '{ print int($1 / 256) }'
}
placed() { # PLACEMENT
	shorten_lists # what they keep would come free meanwhile
	affinity --json json --set leaveHuge=40MiB --set placements=1 --set tamPerVector=64MiB --set nodePerVector="$1" \
		--set pagesPerVector=system t.args report 2>messages || wrong "exit status $?: $(cat messages)"
	within 'MiB left' 40 "$(json_left)"
	within 'MiB with free blocks of node 1, of those left' "$(json_left)" "$(field_mib local_bytes)"
}

# only blocks that are free: the kernel would make more of what it can move
echo never >/sys/kernel/mm/transparent_hugepage/defrag
title 'rhp_frag: what node 1 has in huge blocks is there, the rest on node 0, all of it in huge pages'
placed rhp_frag
# other programs may take a block meanwhile, which is warned of
if [ "$(field_mib transparent_huge_bytes)" != 64 ]; then
	grep -q 'warning: vector 0, .* of it are in transparent huge pages' messages || wrong "no warning: $(cat messages)"
	within 'MiB in huge pages' 64 "$(field_mib transparent_huge_bytes)"
fi
within 'MiB on node 1, of those with free blocks' "$(field_mib local_bytes)" "$(pages_mib 1)"
same 'MiB on both nodes' 64 "$(($(pages_mib 1) + $(pages_mib 0)))"
within 'MiB elsewhere' "$(pages_mib 0)" "$(field_mib remote_bytes)"

title 'local_frag: all of it on node 1, in huge pages as far as there are blocks'
placed local_frag
same 'MiB on node 1' 64 "$(pages_mib 1)"
within 'MiB in huge pages, of those with free blocks' "$(field_mib local_bytes)" "$(field_mib transparent_huge_bytes)"
same 'MiB without' $((64 - $(field_mib local_bytes))) "$(field_mib none_bytes)"

# The nodes that the parts of the running affinity's vector prefer, from its beginning on.
preferred() {
	sed -n 's/^[0-9a-f]* prefer[^:]*:\([0-9]*\).*/\1/p' /proc/$driver/numa_maps | tr '\n' ' '
}

title 'rhp_frag: what is touched first is near, from the beginning or from the end on'
for order in hot_first hot_last; do
	[ $order = hot_first ] && expected='1 0 ' || expected='0 1 '
	affinity --quiet --set leaveHuge=40MiB --set tamPerVector=64MiB --set nodePerVector=rhp_frag --set pagesPerVector=system \
		--set initOrderPerVector=$order --set placements=1 --set mode=time:1s --set numIter=100 t.args report 2>messages &
	driver=$! times=0
	while [ "$(preferred)" != "$expected" ] && [ -d /proc/$driver ] && [ $times -lt 2400 ]; do usleep 50000; times=$((times + 1)); done
	same "nodes of the vector's parts, $order" "$expected" "$(preferred)"
	kill -TERM $driver
	wait $driver
done

# Runs near and far; those of one of the placements do 20 times the work, so that no time of this machine decides.
profiled() { # PLACEMENT...: these do
	local dear=$1 others=$2
	shift 2
	# shellcheck disable=SC2016 # affinity's
	printf '%s\n' 'sweep: p = local_2m local_4k rhp_frag rhp_frag_profiler' 'sweep: w = 1 20' 'sweep: l = all 40MiB' \
		"where: w == 1 or $dear" "where: w == 20 or $others" 'where: l == all or p == rhp_frag or p == rhp_frag_profiler' \
		'where: l != all or p == local_2m or p == local_4k' 'opType: read' 'nodePerThread: 1' 'nodePerVector: $p' \
		'vectorPerThread: 0' 'tamPerVector: 64MiB' 'leaveHuge: $l' 'initOrderPerVector: hot_first' 'passes: $w' \
		'numIter: 2' 'warmup: 0' 'placements: 1' 'baseline: p=local_2m w=1 l=all' "$@" >profiled.args
	shorten_lists
	affinity --quiet --json json profiled.args report 2>messages || wrong "exit status $?: $(cat messages)"
}
# Of the vector of rhp_frag_profiler, whose run is the last one: MiB on a node.
last_mib() { # NODE
	sed -n '/rhp_frag_profiler of thread/s/^ - Vector 0 .* found: \(.*\) pages of 4 KiB.*/\1/p' report | awk -v node="$1" '{
		for (i = 1; i < NF; i++) if ($i == "node" && $(i + 1) == node ":") print int($(i + 2) / 256) }'
}

title 'rhp_frag_profiler: far pages that cost more than they gain are moved back, and near then'
profiled 'p == rhp_frag or p == rhp_frag_profiler' 'p == local_2m or p == local_4k' 'smallPages: p=local_4k w=1 l=all'
grep -q '^ - Profiler   by run p=rhp_frag w=20 l=40MiB: far huge pages gain .* %.*, cost [0-9.e+]* %.* by time: moved back$' report ||
	wrong "$(grep Profiler report)"
same 'MiB on node 1' 64 "$(last_mib 1)"
brought=$(sed -n 's/.*; \([0-9]*\)[0-9.]* MiB moved back in .*/\1/p' report)
within 'MiB moved back' 24 "${brought:-0}"

# A fifth of this test: in make check-turns.
if [ -n "${AFFINITY_TURNS-}" ]; then
	title 'rhp_frag_profiler: far pages that gain more than they cost stay'
	profiled 'p == local_4k' 'p != local_4k' 'smallPages: p=local_4k w=20 l=all'
	grep -q '^ - Profiler   by run p=rhp_frag w=1 l=40MiB: far huge pages gain .* %.* by time: kept$' report || wrong "$(grep Profiler report)"
	! grep -q 'MiB moved back in' report || wrong "$(grep 'moved back in' report)"
	within 'MiB on node 1' 40 "$(last_mib 1)"
	same 'MiB on both nodes' 64 "$(($(last_mib 1) + $(last_mib 0)))"
fi

title 'the node comes back though no huge page was left to drive it together with, and the kernel may not compact it'
affinity-frag --node 1 --leave 0 true 2>messages || wrong "exit status $?: $(cat messages)"
# a page on a list keeps a block apart until the kernel shortens the list
[ "$(whole)" -ge $((before * 70 / 100)) ] || wrong "$before MiB were whole, now $(whole): $(cat messages)"

echo madvise >/sys/kernel/mm/transparent_hugepage/defrag
title 'leaveHuge: the kernel has that while it is measured, after SIGKILL too the node is given back'
affinity --quiet --set mode=time:100s t.args report 2>messages &
driver=$! times=0
while [ "$(large 1)" -gt 96 ] && [ $times -lt 2400 ]; do usleep 50000; times=$((times + 1)); done
near 'MiB in large blocks, and 8 in the vector' 100 "$(($(large 1) + 8))"
kill -KILL $driver
times=0
while pidof affinity-frag >/dev/null && [ $times -lt 2400 ]; do usleep 50000; times=$((times + 1)); done
! pidof affinity-frag >/dev/null || wrong 'affinity-frag lives'
until_whole

title 'without transparent huge pages it says that it gets none'
echo never >/sys/kernel/mm/transparent_hugepage/enabled
status=0
affinity-frag --node 1 --leave 100MiB true 2>refused || status=$?
same 'exit status' 3 "$status"
grep -q 'the kernel gives this process no huge pages' refused || wrong "$(cat refused)"

title 'two nodes: one must be named'
status=0
affinity-frag --leave 100MiB true 2>refused || status=$?
same 'exit status' 2 "$status"
grep -q 'which node? there are 0-1' refused || wrong "$(cat refused)"

title 'nobody was killed for want of memory'
same 'kernel messages of want of memory' 0 "$(dmesg | grep -ciE 'out of memory|oom-kill')"
finish
