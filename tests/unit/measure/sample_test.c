/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a thread lost of a sample, and how well that is known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "measure/disturbed.h"

#define MS INT64_C(1000000)

static struct thread_sample threads[2];
static const struct sample sample = {.threads = threads};

/* Busy for 100 ms. */
static void thread(int i, int64_t off, int64_t delayed, int64_t stolen, int blocked)
{
	threads[i] = (struct thread_sample){.end_ns = 100 * (uint64_t)MS,
		.off_ns = off * MS,
		.delayed_ns = delayed * MS,
		.stolen_ns = stolen * MS,
		.blocked = blocked};
	if (off < 0)
		threads[i].off_ns = -1;
	if (delayed < 0)
		threads[i].delayed_ns = -1;
}

static double lost_ms(int64_t off, int64_t delayed, int64_t stolen, int blocked)
{
	thread(0, off, delayed, stolen, blocked);
	return sample_lost_s(&sample, 0) * 1e3;
}

static void a_thread_loses_the_time_in_which_it_had_no_cpu(void **state)
{
	(void)state;
	assert_float_equal(lost_ms(0, 0, 0, 0), 0, 1e-9);
	assert_float_equal(lost_ms(30, 30, 0, 0), 30, 1e-9);
	/* a hypervisor took it, or the system does not report delays */
	assert_float_equal(lost_ms(30, 0, 0, 0), 30, 1e-9);
	assert_float_equal(lost_ms(30, -1, 0, 0), 30, 1e-9);
}

/* Ticks of the hypervisor are in the delay already, or lie before the sample. */
static void it_loses_no_more_than_that(void **state)
{
	(void)state;
	assert_float_equal(lost_ms(30, 30, 10, 0), 30, 1e-9);
	assert_float_equal(lost_ms(0, 0, 10, 0), 0, 1e-9);
	assert_float_equal(lost_ms(5, 30, 0, 0), 5, 1e-9);
	assert_float_equal(sample_cpu_s(&sample, 0) * 1e3, 95, 1e-9);
}

static void who_waits_by_itself_loses_the_wait_for_a_cpu_only(void **state)
{
	(void)state;
	assert_float_equal(lost_ms(60, 20, 0, 1), 20, 1e-9);
	assert_float_equal(lost_ms(60, 20, 10, 1), 30, 1e-9);
	assert_float_equal(lost_ms(60, 80, 0, 1), 60, 1e-9);
	assert_float_equal(lost_ms(60, -1, 0, 1), 0, 1e-9);
}

static void without_a_clock_of_cpu_time_the_delay_is_what_is_known(void **state)
{
	(void)state;
	assert_float_equal(lost_ms(-1, 20, 10, 0), 20, 1e-9);
	assert_true(isnan(sample_cpu_s(&sample, 0)));
	assert_float_equal(lost_ms(-1, -1, 10, 0), 0, 1e-9);
	assert_true(isnan(sample_lost(&sample, 0)));
}

/* Else it would have done its work in no time. */
static void who_worked_did_not_lose_all_its_time(void **state)
{
	(void)state;
	assert_float_equal(lost_ms(100, 30, 0, 0), 30, 1e-9);
	assert_float_equal(lost_ms(120, 0, 0, 0), 0, 1e-9);
	assert_float_equal(lost_ms(120, 110, 0, 0), 0, 1e-9);
	assert_float_equal(lost_ms(-1, 200, 0, 0), 0, 1e-9);
	/* and how much it lost is not known */
	assert_float_equal(sample_unsure_s(&sample, 2, 0, false) * 1e3, 100, 1e-9);
	assert_float_equal(lost_ms(99, 0, 0, 0), 99, 1e-9);
}

static unsigned flags(bool together, double above)
{
	return disturbed_by(&sample, 2, 0, -1, together, above) &
	       (DISTURBED_PREEMPTED | DISTURBED_STOLEN);
}

static void a_known_loss_disturbs_above_the_share_that_is_allowed(void **state)
{
	(void)state;
	thread(1, 0, 0, 0, 0);
	thread(0, 2, 2, 0, 0);
	assert_int_equal(flags(false, 0.02), 0);
	thread(0, 3, 3, 0, 0);
	assert_int_equal(flags(false, 0.02), DISTURBED_PREEMPTED);
	threads[0].late_ns = 60 * MS;
	thread(0, 0, 0, 0, 0);
	threads[0].late_ns = 60 * MS;
	assert_int_equal(flags(false, 0.02), DISTURBED_PREEMPTED);
	assert_float_equal(sample_lost(&sample, 0), 0.375, 1e-9);
}

/* One percent of the rest is the most by which a figure may be off without a mark. */
static void a_loss_that_is_not_known_disturbs(void **state)
{
	(void)state;
	thread(1, 0, 0, 0, 0);
	thread(0, 0, 0, 10, 0);
	assert_int_equal(flags(false, 0.5), DISTURBED_STOLEN);
	assert_float_equal(sample_unsure_s(&sample, 2, 0, false) * 1e3, 10, 1e-9);
	thread(0, 10, 0, 10, 0);
	assert_int_equal(flags(false, 0.5), 0);
	thread(0, 0, 0, 10, 0);
	threads[0].end_ns = 1001 * (uint64_t)MS;
	assert_int_equal(flags(false, 0.5), 0);
	threads[0].end_ns = 999 * (uint64_t)MS;
	assert_int_equal(flags(false, 0.5), DISTURBED_STOLEN);
}

/* It may have come back, or left before the end. */
static void a_thread_that_was_elsewhere_before_or_after_was_moved(void **state)
{
	static const struct {
		int before, after, migrations;
		bool moved;
	} rows[] = {{3, 3, 0, false}, {2, 3, 0, true}, {3, 2, 0, true}, {3, 3, 1, true},
		{3, 3, -1, false}};

	(void)state;
	thread(1, 0, 0, 0, 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		thread(0, 0, 0, 0, 0);
		threads[0].cpu_before = rows[i].before;
		threads[0].cpu_after = rows[i].after;
		threads[0].migrations = rows[i].migrations;
		assert_int_equal(disturbed_by(&sample, 2, 0, 3, false, 0.01),
			rows[i].moved ? DISTURBED_MOVED : 0);
	}
}

static void who_waits_for_others_loses_what_they_lose(void **state)
{
	(void)state;
	thread(0, 0, 0, 0, 0);
	thread(1, 2, 2, 0, 0);
	assert_int_equal(flags(false, 0.5), 0);
	assert_int_equal(flags(true, 0.5), DISTURBED_STOLEN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_loses_the_time_in_which_it_had_no_cpu),
		cmocka_unit_test(it_loses_no_more_than_that),
		cmocka_unit_test(who_waits_by_itself_loses_the_wait_for_a_cpu_only),
		cmocka_unit_test(without_a_clock_of_cpu_time_the_delay_is_what_is_known),
		cmocka_unit_test(who_worked_did_not_lose_all_its_time),
		cmocka_unit_test(a_known_loss_disturbs_above_the_share_that_is_allowed),
		cmocka_unit_test(a_loss_that_is_not_known_disturbs),
		cmocka_unit_test(a_thread_that_was_elsewhere_before_or_after_was_moved),
		cmocka_unit_test(who_waits_for_others_loses_what_they_lose),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
