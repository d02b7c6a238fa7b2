/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first round, and costs that still change while samples count. */
#include <stdlib.h>
#include <string.h>

#include "analysis/settling.h"

#include "derive_stage.h"

#define PLACED 3 /* placements */
#define EACH   6 /* samples of one, the first of them warm-up */

static struct thread_sample drawn[PLACED * EACH][2];
static struct sample list[PLACED * EACH];

/* In ms: the cost of a thread in a sample of a placement. */
static void cost_is(double cost(int thread, size_t sample))
{
	for (size_t i = 0; i < PLACED * EACH; i++) {
		list[i] = (struct sample){.start_ns = 1000,
			.threads = drawn[i],
			.placement = i / EACH,
			.warmup = i % EACH == 0};
		for (int t = 0; t < 2; t++)
			drawn[i][t] = (struct thread_sample){.left_ns = 1000,
				.begin_ns = 1000,
				.end_ns = 1000 + (uint64_t)(cost(t, i % EACH) * 1e6) + i % 7,
				.units = 1000};
	}
	results[0] = (struct op_result){.samples = list, .count = PLACED * EACH};
}

static double even(int thread, size_t sample)
{
	(void)thread;
	return sample ? 1 : 3;
}

static double second_falls(int thread, size_t sample)
{
	return thread ? 2 - 0.1 * (double)sample : 1;
}

static void a_settled_cost_has_no_mark(void **state)
{
	struct unsettled u;

	(void)state;
	cost_is(even);
	assert_false(settling_of(&all, 0, &u));
}

static void a_trend_of_the_samples_that_count_is_found(void **state)
{
	struct unsettled u;

	(void)state;
	cost_is(second_falls);
	assert_true(settling_of(&all, 0, &u));
	assert_int_equal(u.thread, 1);
	assert_int_equal(u.placements, 0);
	assert_int_equal(u.samples, EACH - 1);
	/* means of the first two and the last two of five */
	assert_float_equal(u.from, 1.85e-3, 1e-6);
	assert_float_equal(u.to, 1.55e-3, 1e-6);
	char *text = settling_text(&all, 0, &u);

	/* 8 bytes a unit */
	assert_string_equal(
		text, "falls from 1.85 to 1.55 ms (0.00432 to 0.00516 GB/s) within 5 samples");
	free(text);
}

static void a_placement_that_did_not_settle_has_both_ends(void **state)
{
	struct unsettled u;

	(void)state;
	cost_is(even);
	results[0].restless = 2;
	assert_true(settling_of(&all, 0, &u));
	assert_int_equal(u.placements, 2);
	assert_int_equal(u.samples, EACH);
	assert_float_equal(u.from, 3e-3, 1e-6);
	assert_float_equal(u.to, 1e-3, 1e-6);
	char *text = settling_text(&all, 0, &u);

	assert_string_equal(
		text, "still falls from 3 to 1 ms (0.00267 to 0.008 GB/s) within 6 samples");
	free(text);
}

static void the_first_round_is_a_figure(void **state)
{
	(void)state;
	cost_is(even);
	assert_float_equal(settling_first(&all, 0, 1).value, 3e-3, 1e-6);
	for (size_t i = 0; i < PLACED * EACH; i++)
		drawn[i][1].rounds = 2;
	assert_float_equal(settling_first(&all, 0, 1).value, 1.5e-3, 1e-6);
	for (size_t i = 0; i < PLACED * EACH; i++)
		list[i].warmup = false;
	assert_true(isnan(settling_first(&all, 0, 1).value));
}

static void costs_of_nothing_have_no_mark(void **state)
{
	struct unsettled u;

	(void)state;
	cost_is(even);
	for (size_t i = 0; i < PLACED * EACH; i++)
		drawn[i][0].end_ns = drawn[i][1].end_ns = 1000;
	assert_false(settling_of(&all, 0, &u));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_settled_cost_has_no_mark, fill),
		cmocka_unit_test_setup(a_trend_of_the_samples_that_count_is_found, fill),
		cmocka_unit_test_setup(a_placement_that_did_not_settle_has_both_ends, fill),
		cmocka_unit_test_setup(the_first_round_is_a_figure, fill),
		cmocka_unit_test_setup(costs_of_nothing_have_no_mark, fill),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
