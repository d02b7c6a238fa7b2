/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a thread lost of a sample, and what an access cost it then. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "measure/sample.h"

#define MS INT64_C(1000000)

/* A call of 1000 units takes 1 ms; 100 of them fill a window, and one runs on behind it. */
static double own_unit_time(int64_t delay_inside, int64_t delay_behind)
{
	struct thread_sample t = {.begin_ns = 0,
		.end_ns = (uint64_t)(100 * MS),
		.units = (uint64_t)(100 * MS - delay_inside) / 1000,
		.delayed_ns = delay_inside + delay_behind,
		.behind_ns = MS + delay_behind};
	struct sample s = {.window_ns = (uint64_t)(100 * MS), .threads = &t};

	t.worked = t.units + 1000;
	return sample_own_unit_time(&s, 0);
}

static void an_undisturbed_sample_lost_nothing(void **state)
{
	(void)state;
	assert_float_equal(own_unit_time(0, 0), 1e-6, 1e-12);
}

static void time_that_was_lost_within_the_window_is_left_out(void **state)
{
	(void)state;
	assert_float_equal(own_unit_time(40 * MS, 0), 1e-6, 1e-12);
}

/* The window has not lost it: an access would seem to have cost less than it can. */
static void time_that_was_lost_behind_the_window_is_not(void **state)
{
	(void)state;
	assert_float_equal(own_unit_time(0, 70 * MS), 1e-6, 1e-12);
	assert_float_equal(own_unit_time(60 * MS, 39 * MS), 1e-6, 1e-12);
}

/* A call is all of the work, and the delay fell between its end and the reading. */
static void neither_is_what_was_lost_after_the_work(void **state)
{
	struct thread_sample t = {.begin_ns = 0,
		.end_ns = (uint64_t)(100 * MS),
		.units = 1000,
		.worked = 1000,
		.delayed_ns = 30 * MS,
		.behind_ns = 20 * MS};
	struct sample s = {.threads = &t};

	(void)state;
	assert_float_equal(sample_lost_s(&s, 0), 0.01, 1e-9);
	t.behind_ns = 30 * MS;
	assert_float_equal(sample_lost_s(&s, 0), 0, 1e-9);
}

static void what_the_system_does_not_report_is_no_loss(void **state)
{
	struct thread_sample t = {.end_ns = (uint64_t)MS, .delayed_ns = -1, .behind_ns = 1000};
	struct sample s = {.threads = &t};

	(void)state;
	assert_float_equal(sample_lost_s(&s, 0), 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_undisturbed_sample_lost_nothing),
		cmocka_unit_test(time_that_was_lost_within_the_window_is_left_out),
		cmocka_unit_test(time_that_was_lost_behind_the_window_is_not),
		cmocka_unit_test(neither_is_what_was_lost_after_the_work),
		cmocka_unit_test(what_the_system_does_not_report_is_no_loss),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
