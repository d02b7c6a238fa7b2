#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# ThreadSanitizer on the team, its start line and the runtime of page migration: no two threads touch the same memory
# at the same time unless atomically; and if they did, it would be seen: of five planted races one is looked for in every
# check, all by make check-turns.

bats_require_minimum_version 1.5.0 # run --separate-stderr

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return 1
	unset MAKEFLAGS MFLAGS
	command -v clang >/dev/null || skip "clang is not installed (make setup installs it)"
	# libomp itself is built without ThreadSanitizer: its own locks are not ours to judge.
	export TSAN_OPTIONS=ignore_noninstrumented_modules=1
	argument_file readers "read null" 7 ', 0-5'
	argument_file writers write+read_write 6
}

# argument_file NAME OPERATIONS VECTORS [GROUP]: more threads than most machines have CPUs, so that they take
# turns in many orders, a vector for each and, for those that only read, one for all.
argument_file() {
	cat >"$BATS_TEST_TMPDIR/$1.args" <<-END
		opType: $2
		nodePerThread: first*6
		oversubscribe: yes
		nodePerVector: first*$3
		tamPerVector: 64KiB*
		initPerVector: node owner*
		vectorPerThread: 0, 1, 2, 3, 4, 5${4-}
		numIter: 5
		solo: yes
	END
}

# Not optimized: built in a third of the time, and each access is looked at.
build() {
	make -j "$(nproc)" BUILD=build/tsan CC=clang PAPI=no SANITIZE=-fsanitize=thread CFLAGS='-gline-tables-only -O0' KERNEL_FLAGS=-O0 "$@"
}

# Without archer ThreadSanitizer knows nothing of OpenMP's barriers and takes everything for a race.
needs_archer() {
	ARCHER_OPTIONS=verbose=1 build/tsan/affinity --quiet "$BATS_TEST_TMPDIR/readers.args" - 2>&1 |
		grep -q 'Archer detected OpenMP application with TSan' ||
		skip "this OpenMP runtime comes without archer, which explains it to ThreadSanitizer"
}

# What hangs ends at last; threads that take turns on a busy machine are slow.
patience=1200

# measure FILE [SECONDS]: exit status 66 is ThreadSanitizer's. A driver that waits for ever ends at no other signal.
measure() {
	run timeout -s KILL "${2:-$patience}" build/tsan/affinity --quiet "$BATS_TEST_TMPDIR/$1.args" "$BATS_TEST_TMPDIR/out"
	echo "exit $status: $output"
}

in_turns() {
	[ -n "${AFFINITY_TURNS-}" ] || skip "takes minutes: make check-turns"
}

# broken FUNCTION [FILE SED]...: a copy of the project with these changes has a race, and it is found there.
broken() {
	local function=$1
	shift
	[ -x build/tsan/affinity ] || skip "the build of the first test is missing"
	needs_archer
	cp -a --parents Makefile src kernels scripts build/tsan "$BATS_TEST_TMPDIR"
	cd "$BATS_TEST_TMPDIR" || return 1
	while (($#)); do
		cp "$1" before
		sed -i "$2" "$1"
		! cmp -s before "$1" # the change found its place
		shift 2
	done
	build build/tsan/affinity
	# what is broken may wait for ever: the race is reported when it happens, the exit status at the end
	measure writers 60
	[ "$status" -eq 66 ] || [ "$status" -eq 137 ]
	[[ $output == *"WARNING: ThreadSanitizer: data race"*"SUMMARY: "*" in "*"$function"* ]]
}

# ordered UNIT_TEST [CHECK]: the unit test finds no race; CHECK may skip it when it is built.
ordered() {
	local test=build/tsan/tests/unit/$1
	build "$test"
	[ -z "${2-}" ] || "$2"
	run timeout "$patience" "$test"
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output != *ThreadSanitizer* ]]
}

# unordered UNIT_TEST FILE SED: a copy of the project with this change has a race, and this unit test finds it.
unordered() {
	local test=build/tsan/tests/unit/$1
	[ -x "$test" ] || skip "the build of the test before is missing"
	cp -a --parents Makefile src kernels scripts tests/unit build/tsan "$BATS_TEST_TMPDIR"
	cd "$BATS_TEST_TMPDIR" || return 1
	cp "$2" before
	sed -i "$3" "$2"
	! cmp -s before "$2"
	build "$test"
	# it ends at once, and leaves its folder
	run timeout -s KILL "$patience" env TMPDIR="$BATS_TEST_TMPDIR" TSAN_OPTIONS="$TSAN_OPTIONS halt_on_error=1" "$test"
	echo "$output"
	[ "$status" -ne 0 ]
	[[ $output == *"WARNING: ThreadSanitizer: data race"* ]]
}

@test "no thread races with another from the first touch to the last sample" {
	build build/tsan/affinity
	needs_archer
	for file in readers writers; do
		measure "$file"
		[ "$status" -eq 0 ]
		[ -z "$output" ]
	done
}

@test "no thread races with another when CPUs refuse or sixteen threads meet on one" {
	ordered placement/team_test needs_archer
}

@test "barriers of kernels order what threads do before and after them" {
	ordered kernels/barrier_test
}

@test "locks and queues of kernels order what threads do under and through them" {
	in_turns # locks that spin take minutes where a third thread has no CPU
	ordered kernels/lock_test
}

@test "a queue whose numbers order nothing would be found" {
	in_turns
	unordered kernels/lock_test kernels/system/queues.c 's/__ATOMIC_RELEASE/__ATOMIC_RELAXED/'
}

@test "a barrier whose words order nothing would be found" {
	in_turns
	unordered kernels/barrier_test kernels/lines/barriers.c 's/__ATOMIC_RELEASE/__ATOMIC_RELAXED/'
}

@test "a team without its barrier would be found" {
	in_turns
	broken omp_outlined src/core/placement/team.c '/#pragma omp barrier/d'
}

@test "a start line that is not atomic would be found" {
	broken start_line_ \
		src/core/measure/start_line.h 's/_Atomic uint64_t start_ns/volatile uint64_t start_ns/' \
		src/core/measure/start_line.c 's/atomic_store(&l->start_ns, \(.*\));/l->start_ns = \1;/
			s/atomic_load_explicit(&l->start_ns, memory_order_acquire)/l->start_ns/
			s/atomic_init(&l->start_ns, 0)/l->start_ns = 0/'
}

@test "threads that write down their times in one place would be found" {
	in_turns
	broken take_thread_sample src/core/measure/workers.c 's/c->threads\[i\] = s;/c->threads[0].blocked = s.blocked; &/'
}

@test "no thread races with another that moves, pins and releases the same pages" {
	ordered spm/threads_test
}

@test "pins without their mutex would be found" {
	in_turns
	unordered spm/threads_test src/runtimes/spm/pins.c '/pthread_mutex_lock/d; /pthread_mutex_unlock/d'
}

@test "counts that are not atomic would be found" {
	in_turns
	unordered spm/threads_test src/runtimes/spm/runtime.h 's/__atomic_store_n(count, .*;/*count += n;/'
}
