/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What threads of a run that share a CPU wait for each other is no delay by others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "measure/turns.h"

#define MS 1000000

/* Of a thread: when it began and ended, and how long it was late and waited, in ms; then what is
 * left of both. */
struct row {
	int cpu, begin, end, late, delayed, late_left, delayed_left;
};

static void check(const struct row *rows, int n, int usable)
{
	struct thread_sample threads[4] = {0};
	struct sample s = {.start_ns = 1000 * (uint64_t)MS, .threads = threads};
	int cpus[4] = {0};

	for (int i = 0; i < n; i++) {
		cpus[i] = rows[i].cpu;
		threads[i].begin_ns = s.start_ns + (uint64_t)rows[i].begin * MS;
		threads[i].end_ns = s.start_ns + (uint64_t)rows[i].end * MS;
		threads[i].late_ns = (int64_t)rows[i].late * MS;
		threads[i].delayed_ns = threads[i].off_ns = (int64_t)rows[i].delayed * MS;
	}
	turns_take_out(&s, cpus, n, usable);
	for (int i = 0; i < n; i++) {
		assert_int_equal(threads[i].late_ns / MS, rows[i].late_left);
		assert_int_equal(threads[i].delayed_ns / MS, rows[i].delayed_left);
		assert_int_equal(threads[i].off_ns, threads[i].delayed_ns);
	}
}

static void two_in_turn_lose_nothing(void **state)
{
	(void)state;
	check((struct row[]){{0, 0, 19, 0, 9, 0, 0}, {0, 1, 20, 1, 9, 0, 0}}, 2, 1);
}

static void nor_does_one_that_begins_when_the_other_has_ended(void **state)
{
	(void)state;
	check((struct row[]){{0, 0, 10, 0, 0, 0, 0}, {0, 10, 20, 10, 0, 0, 0}}, 2, 1);
}

/* Each works for 10 ms. */
static void what_other_programs_took_stays(void **state)
{
	(void)state;
	check((struct row[]){{0, 0, 50, 0, 40, 0, 30}, {0, 0, 50, 0, 40, 0, 30}}, 2, 1);
}

static void threads_on_cpus_of_their_own_do_not_wait_for_each_other(void **state)
{
	(void)state;
	check((struct row[]){{0, 0, 20, 0, 10, 0, 10}, {1, 5, 20, 5, 5, 5, 5}}, 2, 2);
}

/* Thread 1 works from 20 ms on: until thread 0 ends, for 10 ms. */
static void nor_is_the_work_after_the_end_of_a_thread(void **state)
{
	(void)state;
	check((struct row[]){{0, 10, 30, 10, 15, 10, 5}, {0, 20, 100, 20, 0, 15, 0}}, 2, 1);
}

static void unbound_ones_do_where_there_are_more_than_cpus(void **state)
{
	const struct row two[] = {{-1, 0, 20, 0, 10, 0, 10}, {-1, 0, 20, 0, 10, 0, 10}};
	const struct row three[] = {
		{-1, 0, 30, 0, 10, 0, 0}, {-1, 0, 30, 0, 10, 0, 0}, {-1, 0, 30, 0, 10, 0, 0}};

	(void)state;
	check(two, 2, 2);
	check(three, 3, 2);
}

static void a_delay_that_is_not_known_stays_unknown(void **state)
{
	struct thread_sample threads[2] = {{.end_ns = MS, .delayed_ns = -1}, {.end_ns = MS}};
	struct sample s = {.threads = threads};

	(void)state;
	turns_take_out(&s, (const int[]){0, 0}, 2, 1);
	assert_int_equal(threads[0].delayed_ns, -1);
}

static void who_takes_turns(void **state)
{
	const int cpus[] = {0, 1, 0, -1};

	(void)state;
	assert_true(turns_taken(cpus, 3, 2, 0));
	assert_false(turns_taken(cpus, 3, 2, 1));
	assert_true(turns_taken(cpus, 3, 2, 2));
	assert_false(turns_taken(cpus, 4, 4, 3));
	assert_true(turns_taken(cpus, 4, 3, 3));
	assert_true(turns_taken(cpus, 4, 3, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_in_turn_lose_nothing),
		cmocka_unit_test(nor_does_one_that_begins_when_the_other_has_ended),
		cmocka_unit_test(what_other_programs_took_stays),
		cmocka_unit_test(threads_on_cpus_of_their_own_do_not_wait_for_each_other),
		cmocka_unit_test(nor_is_the_work_after_the_end_of_a_thread),
		cmocka_unit_test(unbound_ones_do_where_there_are_more_than_cpus),
		cmocka_unit_test(a_delay_that_is_not_known_stays_unknown),
		cmocka_unit_test(who_takes_turns),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
