#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Kernels whose threads write the same line: who must be there, and that nobody waits for ever.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	base=("opType: pingpong" "nodePerThread: first*2" "nodePerVector: first" "tamPerVector: 4KiB" \
		"vectorPerThread: 0 1" "numIter: 3" "warmup: 1")
}

together="  hint: threads of 'pingpong' wait for each other: all that share a vector must run it, for as many rounds"

@test "a partner that runs something else, or other rounds, is refused before anything waits" {
	machine "$TWO_NODES"
	given "opType: pingpong+null"
	refused 2 "t.args:1: pingpong+null: thread 0 runs 'pingpong' on vector 0, which thread 1 uses with 'null'" \
		"$together"
	given "rounds: 10 11"
	refused 2 "t.args:1: pingpong: threads 0 and 1 of vector 0 have different parameters or passes" "$together"
	given "passes: 1 2"
	refused 2 "t.args:1: pingpong: threads 0 and 1 of vector 0 have different parameters or passes" "$together"
}

@test "threads that wait for each other cannot be measured alone" {
	machine "$TWO_NODES"
	given "opType: null pingpong" "solo: yes"
	refused 2 "t.args:1: pingpong: solo: yes runs each thread alone, but threads of 'pingpong' wait for each other" \
		"  hint: leave solo out, or measure pingpong in a file of its own"
}

@test "a line that one thread or three would hand over is refused" {
	machine "$TWO_NODES"
	given "vectorPerThread: 0"
	refused 2 "t.args:1: pingpong: two threads hand a line over, but a vector of thread 0 has 1: vectorPerThread: 0 1"
	given "nodePerThread: first*3" "vectorPerThread: 0-2"
	refused 2 "t.args:1: pingpong: two threads hand a line over, but a vector of thread 0 has 3: vectorPerThread: 0 1"
}

@test "several pairs play at the same time, and one of other threads beside them" {
	machine "$TWO_NODES"
	given "nodePerThread: 0 0 1 1" "nodePerVector: 0 1" "tamPerVector: 64B*" "vectorPerThread: 0 2, 3 1"
	planned "operation pingpong: thread 0 pingpong passes calibrated, thread 1 pingpong passes calibrated, thread 2 pingpong passes calibrated, thread 3 pingpong passes calibrated"
	given "opType: pingpong+pingpong+read" "nodePerThread: 0 0 1" "nodePerVector: 0 1" "tamPerVector: 4KiB*" \
		"vectorPerThread: 0 1, 2"
	planned "thread 2: CPU 4, core 2, node 1, vectors 1"
}

@test "a vector too small for the words of all threads is refused with what they need" {
	machine "$TWO_NODES"
	given "opType: atomic_add" "tamPerVector: 100B"
	refused 2 "t.args:1: atomic_add: a vector of 100 bytes is too small: 768 are needed for 2 threads"
	given "opType: false_sharing" "distance: 4KiB"
	refused 2 "t.args:1: false_sharing: a vector of 4096 bytes is too small: 4104 are needed for 2 threads"
}

@test "two threads on one CPU hand a line back and forth all the same" {
	skip_obstacle
	given "oversubscribe: yes" "rounds: 20" "passes: 1" "nodePerThread: first*2" "opType: pingpong false_sharing atomic_add atomic_cas"
	try taskset -c "$(usable_cpus | head -n 1)" timeout 600 "$AFFINITY" --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	jq -e '.runs[0].operations[0].threads | length == 2 and all(.samples | length == 4 and all(.units == 40))' out.json
}

@test "a partner that sleeps first is waited for" {
	skip_obstacle
	given "sleep: 0 20ms" "rounds: 10" "numIter: 1" "warmup: 0"
	try timeout 600 "$AFFINITY" --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	jq -e '.runs[0].operations[0].threads[0].samples[0].cost_s >= 0.02' out.json
}

@test "Ctrl-C ends a long game after the sample at hand, and keeps what was measured" {
	skip_obstacle
	local patience
	given "numIter: 1000000" "rounds: 100"
	for patience in 2 10 50; do # until the first sample is there
		timeout -s INT -k 60 "$patience" "$AFFINITY" --json out.json t.args out.txt 2>told || status=$?
		[ "${status:-0}" -eq 124 ] || [ "${status:-0}" -eq 130 ]
		! grep -q "interrupted; what was measured is written" told || break
	done
	grep -q "interrupted; what was measured is written" told
	jq -e '.interrupted' out.json
}

@test "contended kernels work for a time, alone and together" {
	skip_obstacle
	given "opType: atomic_add atomic_cas false_sharing" "mode: time:5ms" "solo: yes" "rounds: 100"
	try timeout 600 "$AFFINITY" --quiet --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	jq -e '[.runs[0].operations[].threads[].samples[].units] | length == 24 and all(. > 0 and . % 100 == 0)' out.json
}

@test "samples of other kernels in between do not disturb the numbers" {
	skip_obstacle
	given "opType: pingpong write atomic_add pingpong+pingpong" "interleave: yes" "seed: 3" "numIter: 20" "rounds: 50"
	try timeout 600 "$AFFINITY" --quiet t.args out.txt
	[ "$status" -eq 0 ]
}

@test "threads meet by every method, also more of them than CPUs, and each meeting is counted" {
	base=("nodePerThread: first*3" "oversubscribe: yes" "nodePerVector: first" "tamPerVector: 64KiB" \
		"vectorPerThread: all" "rounds: 10" "passes: 2" "numIter: 2" "placements: 1" "verify: warn")
	given "opType: barrier" "sweep: by = none central tree doubling dissemination openmp pthread" "by: \$by"
	measured
	[ "$(jq -c '[.runs[].operations[].threads[].samples[0].units]' out.json)" = "[$(printf '20,%.0s' {1..20})20]" ]
	[ "$(jq -r '[.runs[].operations[].threads[0].chose] | join("|")' out.json)" = \
		"||tree over 1 node|||OpenMP's threads sleep (OMP_WAIT_POLICY=PASSIVE)|threads sleep" ]
	given "opType: barrier reduce" "wait: sleep" "sweep: by = central tree" "by: \$by"
	measured
	[ "$(jq -c '[.runs[].operations[].threads[].samples[0].units] | length, add' out.json)" = $'12\n240' ]
	given "opType: reduce" "by: openmp" # every sum is compared
	measured
	jq -e '[.runs[].operations[].threads[].samples[].units] | length >= 6 and all(. == 20)' out.json
}

@test "meetings that would wait for ever, or would not be what was asked for, are refused" {
	machine "$TWO_NODES"
	base=("opType: barrier" "nodePerThread: first*2" "nodePerVector: first" "tamPerVector: 64KiB" "vectorPerThread: all")
	given "by: pthread" "wait: sleep"
	refused 2 "t.args:1: barrier: wait = sleep is not for by = pthread, whose threads sleep by themselves"
	given "by: none" "wait: sleep"
	refused 2 "t.args:1: barrier: wait = sleep is not for by = none, whose threads do not wait"
	given "opType: barrier+null" "vectorPerThread: 0" "by: openmp"
	refused 2 "t.args:1: barrier: OpenMP's barrier is one of all 2 threads, but 1 has the vector: vectorPerThread: all"
	given "nodePerVector: first*2" "vectorPerThread: all, all" "tamPerVector: 64KiB*"
	refused 2 "t.args:1: barrier: its threads meet in one vector, but thread 0 has 2"
	given "tamPerVector: 512B" "by: tree"
	refused 2 "t.args:1: barrier: a vector of 512 bytes is too small: 1024 are needed for 2 threads"
	given "solo: yes"
	refused 2 "t.args:1: barrier: solo: yes runs each thread alone, but threads of 'barrier' wait for each other" \
		"  hint: leave solo out, or measure barrier in a file of its own"
	given "mode: time:100ms"
	refused 2 "t.args:1: barrier cannot be used with mode: time:100ms: its threads wait for each other, and must do the same number of rounds" \
		"  hint: use mode: work, and set passes"
}

# ---- what the system does: wake, lock, queue

# shellcheck disable=SC2034 # for holds
terms='def jobs: .runs[].operations[].threads[]; def own: .runs[].operations[].kernel_figures;'

@test "a FIFO lock whose threads take turns on a CPU is refused, unless they park" {
	machine "core:1 pu:1"
	given "opType: lock" "oversubscribe: yes" "vectorPerThread: all"
	refused 2 "t.args:1: lock: threads take turns on a CPU, but each waits for the one before it in the queue of by = mcs; wait: park, or by: pthread"
	given "opType: lock" "oversubscribe: yes" "vectorPerThread: all" "wait: park"
	planned
	given "opType: lock" "vectorPerThread: all" "by: rw" "wait: spin"
	machine "core:2 pu:1"
	refused 2 "t.args:1: lock: wait = spin is not for by = rw, which waits as the C library does"
}

@test "a queue without its threads, with other sizes or answers than it can have is refused" {
	machine "core:4 pu:1"
	given "opType: queue" "nodePerThread: first*3" "vectorPerThread: all"
	refused 2 "t.args:1: queue: two threads hand a line over, but a vector of thread 0 has 3: vectorPerThread: 0 1"
	given "opType: queue" "nodePerThread: first" "vectorPerThread: all" "by: mpmc"
	refused 2 "t.args:1: queue: one thread puts and another takes, but the vector of thread 0 has one: vectorPerThread: all"
	given "opType: queue" "capacity: 48"
	refused 2 "t.args:1: queue: capacity = 48 is not a power of two"
	given "opType: queue" "capacity: 16" "batch: 32"
	refused 2 "t.args:1: queue: batch = 32 does not fit into the capacity of 16 messages"
	given "opType: queue" "by: mpmc" "reply: yes"
	refused 2 "t.args:1: queue: reply = yes is for by = spsc"
	given "opType: queue" "capacity: 16" "distribution: yes"
	refused 2 "t.args:1: distribution cannot be measured with queue: messages are under way together; reply: yes, batch: 1" \
		"  hint: kernels that can: chase, gups, gather, pingpong, wake, queue, fault, map, unmap, protect, dontneed, free, fork; other threads may run others: KERNEL+OTHER*"
}

@test "locks, messages and yields are proven or not, in text and JSON, with figures that belong together" {
	skip_obstacle
	given "opType: lock queue" "rounds: 50" "capacity: 8" "oversubscribe: yes" "numIter: 2" "wait: park"
	try "$AFFINITY" --quiet --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	holds '[jobs.event_proof] | unique == ["proven"]'
	holds '[own | select(.jain) | .jain.value] | all(. > 0.49 and . < 1.000001)'
	holds '[own | select(.fill) | .fill.value] | all(. >= 0 and . <= 1)'
	grep -q '^+ Proof of events$' out.txt
	grep -q 'proven: a count under the lock has every acquisition of every sample$' out.txt
	given "opType: wake" "oversubscribe: yes" "numIter: 2" "by: yield" "idle: 0"
	try "$AFFINITY" --quiet --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	holds '[jobs.event_proof] | unique == ["not countable"]'
}

@test "a thread that slept less often than it was woken contradicts, and the driver exits with 3" {
	skip_obstacle
	shims_setup
	given "opType: wake" "oversubscribe: yes" "rounds: 20" "idle: 2ms" "numIter: 2"
	local -x LD_PRELOAD=$shims/delays.so SWITCHES=3
	try "$AFFINITY" --quiet t.args out.txt
	[ "$status" -eq 3 ]
	[[ $stderr == *", wake: it slept before "*" % of its hand-overs, which are no wake-ups then; a longer idle lets it fall asleep"* ]]
}
