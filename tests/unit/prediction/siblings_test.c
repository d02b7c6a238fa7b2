/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that share cores: what was measured together is left out together, and counts once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "prediction/siblings.h"

#define THREADS 4

/* Four threads of one kernel on two cores; the last one costs so much more than 2. */
static void add(struct siblings *s, double more)
{
	static int cores[THREADS] = {0, 0, 1, 1};
	static struct model_thread threads[THREADS];
	const struct scene_view v = {.count = THREADS, .threads = threads, .cores = cores};
	const double alone[THREADS] = {1, 1, 1, 1}, ends[THREADS] = {2, 2, 2, 2 * more};

	siblings_add(s, &v, ends, alone);
}

static void threads_that_ran_together_count_once(void **state)
{
	struct siblings s = {.runs = NULL};
	double out[3 * THREADS];

	(void)state;
	add(&s, 1);
	add(&s, 1);
	add(&s, 1.1);
	siblings_fit(&s, 1);
	assert_int_equal(siblings_left_out(&s, out), 3);
	/* of the last one the thread that is farthest off, by what both others say */
	assert_true(fabs(out[2] - log(1.1)) < 1e-6);
	siblings_free(&s);
}

static void what_was_measured_once_is_predicted_by_nothing(void **state)
{
	struct siblings s = {.runs = NULL};
	double out[THREADS];

	(void)state;
	/* neither of its cores predicts the other */
	add(&s, 1.1);
	siblings_fit(&s, 1);
	assert_int_equal(siblings_left_out(&s, out), 0);
	siblings_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_that_ran_together_count_once),
		cmocka_unit_test(what_was_measured_once_is_predicted_by_nothing),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
