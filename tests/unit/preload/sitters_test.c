/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Seats of threads: what a start costs however many processes there are, and who frees what. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload/map_memory.h"

/* Processes of this machine, made up: those below FIRST_DEAD live. */
enum { FIRST_DEAD = 100000, MOST = 5 };

static struct map_share *share;
static int calls;
static bool others_look; /* at an entry while this process asks for one */

/* The descriptor of a process is its number; who has ended can be read. */
static long count_call(long number, ...)
{
	va_list arguments;
	long result = 0;

	calls++;
	if (others_look && number == SYS_pidfd_open)
		atomic_fetch_add(&share->looked, 1);
	va_start(arguments, number);
	if (number == SYS_pidfd_open)
		result = va_arg(arguments, int);
	if (number == SYS_ppoll)
		result = *va_arg(arguments, int *) >= FIRST_DEAD;
	va_end(arguments);
	return result;
}

#define syscall count_call
#include "preload/affinity-map/sitters.c"
#undef syscall

static int begin(void **state)
{
	(void)state;
	share = calloc(1, sizeof(*share));
	if (!share)
		return -1;
	share->nseats = 4;
	calls = 0;
	others_look = false;
	return 0;
}

static int end(void **state)
{
	(void)state;
	free(share);
	return 0;
}

static int sit(int process, int thread)
{
	int seat, entry = sitter_add(share, process, &seat);

	sitter_begin(share, entry, process, thread);
	return entry;
}

static int taken(void)
{
	int n = 0;

	for (int i = 0; i < share->nseats; i++)
		n += share->seats[i].taken;
	return n;
}

static void the_start_of_a_thread_makes_as_few_calls_beside_many_processes_as_beside_few(
	void **state)
{
	int processes = 0;

	(void)state;
	for (int n = 10; n <= 1000; n *= 10) {
		for (; processes < n; processes++)
			sit(2 + processes, 2 + processes);
		for (int i = 0; i < 20; i++) {
			calls = 0;
			sitter_remove(share, sit(1, 1 + i), 1, 1 + i);
			assert_true(calls <= 3 * ASKS);
		}
	}
	assert_int_equal(taken(), 1000);
	assert_int_equal(share->now, 1000);
	assert_int_equal(
		share->used, 1001); /* the entry of a thread that ended is the next one's */
}

static void threads_of_one_process_are_asked_for_once(void **state)
{
	(void)state;
	for (int i = 0; i < 30; i++)
		sit(2, 2 + i);
	calls = 0;
	sit(1, 1);
	assert_int_equal(calls, 3);
}

/* Each start goes on where the last one ended, so none is left out. */
static void seats_of_dead_processes_are_free_after_as_many_starts_as_there_are_processes(
	void **state)
{
	(void)state;
	for (int i = 0; i < 60; i++)
		sit(i % 3 ? 2 + i : FIRST_DEAD + i, 1);
	for (int i = 0; i < 60; i++)
		sitter_remove(share, sit(1, 1), 1, 1);
	assert_int_equal(taken(), 40);
	assert_int_equal(share->now, 40);
}

static void a_program_that_begins_frees_the_seats_of_all_that_are_dead(void **state)
{
	(void)state;
	for (int i = 0; i < 3 * MOST; i++)
		sit(i % 3 ? 2 + i : FIRST_DEAD + i, 1);
	others_look = true;
	sitter_remove_dead(share, 1);
	assert_int_equal(taken(), 2 * MOST);
}

static void a_thread_that_never_began_has_a_seat_but_is_none(void **state)
{
	int seat, entry = sitter_add(share, 1, &seat);

	(void)state;
	assert_int_equal(taken(), 1);
	assert_int_equal(share->threads, 0);
	sitter_remove(share, entry, 1, 0);
	assert_int_equal(taken(), 0);
	assert_int_equal(share->now, 0);
	assert_int_equal(share->most, 0);
	sitter_add(share, 1, &seat);
	sit(1, 7);
	sitter_remove_process(share, 1, 7);
	assert_int_equal(taken(), 1);
	sitter_add(share, 1, &seat);
	sitter_remove_process(share, 1, NO_THREAD);
	assert_int_equal(taken(), 0);
}

static void without_an_entry_a_thread_runs_and_its_seat_is_free(void **state)
{
	(void)state;
	for (int i = 0; i < MAP_SHARE_SITTERS; i++)
		sit(1, 1 + i);
	assert_int_equal(sit(1, 9000), -1);
	sitter_remove(share, -1, 1, 9000);
	assert_int_equal(taken(), MAP_SHARE_SITTERS);
	assert_int_equal(share->threads, MAP_SHARE_SITTERS + 1);
	assert_int_equal(share->most, MAP_SHARE_SITTERS + 1);
	sitter_remove_process(share, 1, NO_THREAD);
	assert_int_equal(taken(), 0);
	assert_int_equal(share->now, 0);
	assert_true(sit(2, 2) >= 0);
}

/* Two threads are never at one entry: the count of seats would differ. */
static void *sit_and_go(void *process)
{
	int me = *(int *)process;

	for (int i = 0; i < 20000; i++) {
		int entries[3];

		for (int k = 0; k < 3; k++)
			entries[k] = sit(me, 1 + k);
		for (int k = 0; k < 3; k++)
			sitter_remove(share, entries[k], me, 1 + k);
	}
	return NULL;
}

static void threads_of_many_processes_share_the_entries(void **state)
{
	static int processes[8];
	pthread_t threads[8];

	(void)state;
	for (int i = 0; i < 8; i++) {
		processes[i] = 10 + i;
		pthread_create(&threads[i], NULL, sit_and_go, &processes[i]);
	}
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(taken(), 0);
	assert_int_equal(share->now, 0);
	assert_true(share->used <= 24);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
		TEST(the_start_of_a_thread_makes_as_few_calls_beside_many_processes_as_beside_few),
		TEST(threads_of_one_process_are_asked_for_once),
		TEST(seats_of_dead_processes_are_free_after_as_many_starts_as_there_are_processes),
		TEST(a_program_that_begins_frees_the_seats_of_all_that_are_dead),
		TEST(a_thread_that_never_began_has_a_seat_but_is_none),
		TEST(without_an_entry_a_thread_runs_and_its_seat_is_free),
		TEST(threads_of_many_processes_share_the_entries),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
