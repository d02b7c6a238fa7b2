#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# Counters on a processor that counts cycles and instructions exactly, and starts others that never count.

folder=$(dirname "$0")
if [ "${AFFINITY_GUEST-}" != yes ]; then
	# shellcheck source=tests/numa/arm.sh
	. "$folder/arm.sh"
	(cd "$folder/../.." && scripts/cross make BUILD=$AFFINITY_BUILD all $AFFINITY_BUILD/tests/unit/counters/other_process_test \
		$AFFINITY_BUILD/tests/numa/witness) >&2 || exit 1
	boot_options="--program $AFFINITY_BUILD/tests/unit/counters/other_process_test --program $AFFINITY_BUILD/affinity-map
		--program $AFFINITY_BUILD/affinity-map.so=/bin/affinity-map.so"
fi

# shellcheck source=tests/numa/lib.sh
. "$folder/lib.sh"

# count ELEMENTS [KEY=VALUE]...: one thread reads them one by one; `report`, `csv` and `messages` are what came of it.
count() {
	cat >count.args <<-END
		opType: read
		nodePerThread: 0
		nodePerVector: 0
		tamPerVector: $1
		stride: 1
		vectorPerThread: 0
		numIter: 1
		placements: 1
		counters: mix cache tlb numa software PAPI_LD_INS
	END
	shift
	for setting; do
		set -- "$@" --set "$setting"
		shift
	done
	affinity "$@" --csv csv count.args report 2>messages
}

# column NAME: of the samples in which that was counted.
column() {
	awk -F , -v name="$1" '{ gsub(/"[^"]*"/, "") } NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } at && $at != "" { print $at }' csv
}

figure() { # NAME: as the report has it, one thread
	sed -n "s/^  $1  *\([^ ].*\)/\1/p" report
}

echo -1 >/proc/sys/kernel/perf_event_paranoid

# PAPI 7.1's preset names an event that its libpfm4 does not have for this processor; affinity then takes the kernel's.
count 1000
instructions=PAPI_TOT_INS ends='starts, but does not count'
if grep -q 'PAPI_LD_INS is not counted by this machine (PAPI: Event does not exist)' report; then
	instructions=perf::INSTRUCTIONS ends='is not counted by this machine (PAPI: Event does not exist)'
fi

title 'every sample counts the same instructions, and twice the elements twice the loop'
count 1000000 || wrong "exit $?: $(cat messages)"
one=$(column $instructions | sort -n | head -n 1)
spread=$(column $instructions | sort -n | awk 'NR == 1 { first = $1 } { last = $1 } END { print last - first }')
[ "$spread" -le 1000 ] || wrong "the samples differ by $spread: $(column $instructions | tr '\n' ' ')"
cp report report.1
count 2000000 || wrong "exit $?: $(cat messages)"
two=$(column $instructions | sort -n | head -n 1)
each=$(((two - one + 500000) / 1000000))
rest=$((two - one - each * 1000000))
{ [ "$each" -ge 3 ] && [ "$each" -le 8 ]; } || wrong "$one and $two: $each instructions an element"
[ "${rest#-}" -le 1000 ] || wrong "$one and $two: $rest beyond $each an element"
[ $((one - each * 1000000)) -le 2000 ] || wrong "$one is more than $each an element"

title 'an instruction takes a cycle on this machine'
same ipc 1.0000 "$(figure ipc)"

title 'the self-check finds instructions as they should be'
wrong "$(grep "$instructions.*self-check" report)"

title 'what starts and never counts is not a 0'
for name in branches branches_missed loads stores l1d_misses l1d_missed l2_misses PAPI_LD_INS; do
	same "$name" n/a "$(figure $name)"
done
grep -qF " - PAPI_LD_INS: n/a: PAPI_LD_INS $ends" report || wrong "$(grep PAPI_LD_INS report)"
same 'a column for what is not counted' '' "$(head -n 1 csv | grep PAPI_LD_INS)"

title 'what is not there at all is n/a too'
for name in floating_point remote page_walks; do
	same "$name" n/a "$(figure $name)"
done

title 'the events of the system are counted'
[ "$(column perf::TASK-CLOCK | wc -l)" -eq 3 ] || wrong "$(cat csv)"
# the vector has hundreds of pages; in one sample a page of the program itself may come in
awk -v f="$(figure page_fault_events | sed 's/ .*//')" 'BEGIN { exit !(f != "" && f < 1) }' ||
	wrong "page faults of vectors that are there: $(figure page_fault_events)"

title 'in a time, counts are for each unit of all that was worked'
count 1000 mode=time:20ms || wrong "exit $?: $(cat messages)"
per_unit=$(figure instructions | sed 's/.*(\([0-9.]*\))/\1/')
awk -v u="$per_unit" -v each="$each" 'BEGIN { exit !(u >= each && u < each * 1.2) }' ||
	wrong "$per_unit instructions for each access of $each"

title 'other programs are counted with all their threads and children'
other_process_test >told 2>&1 || wrong "$(cat told)"
wrong "$(grep -e '^not ok' -e skipped told)"

title 'affinity-map says why it counts no mix, and runs programs bound'
affinity-map --threads 1 --json json -- other_process_test work 1000 2 2 2>told || wrong "exit $?: $(cat told)"
grep -qF "is known (--profile; PAPI_BR_INS $ends" told || wrong "$(cat told)"
grep -q '"not_bound": 0' json || wrong "$(cat json)"

title 'what cannot be counted ends with 4 where it is required'
count 1000 'counters=PAPI_LD_INS' requireCounters=yes
same 'exit status' 4 $?
finish
