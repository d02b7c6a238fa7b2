/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests whether comparisons of equal builds stay quiet and those of unequal builds do not. The
 * simulation has fixed seeds, so the answer is always the same. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "base/verdict.h"

enum { COMPARISONS = 2000, FIGURES = 30, RUNS = 3 };

static void holm_rejects_in_steps(void **state)
{
	static const double p[] = {0.04, 0.012, 0.2, 0.001};
	bool rejected[4];

	(void)state;
	/* 0.001 <= 0.05 / 4, 0.012 <= 0.05 / 3, 0.04 > 0.05 / 2 */
	verdict_holm(p, 4, 0.05, rejected);
	assert_true(rejected[3] && rejected[1]);
	assert_false(rejected[0] || rejected[2]);
	/* all hypotheses after the first that is kept are kept too, even within their own bound */
	verdict_holm((const double[]){0.03, 0.045}, 2, 0.05, rejected);
	assert_false(rejected[0] || rejected[1]);
}

static void a_difference_without_spread_is_certain(void **state)
{
	(void)state;
	assert_true(verdict_above(0, 0.01, 0, 4) == 1);
	assert_true(verdict_above(0.02, 0.01, 0, 4) == 0);
	assert_true(fabs(verdict_above(0.01, 0.01, 0.5, 4) - 0.5) < 1e-12);
	/* t(4) has 5 % above 2.131847 */
	assert_true(fabs(verdict_above(2.131847, 0, 1, 4) - 0.05) < 1e-6);
}

static void variances_that_are_alike_are_shared(void **state)
{
	double same[] = {1, 1.1, 0.9, 1}, apart[] = {1e-6, 1, 1e-5, 10, 1e-7, 3}, none[] = {0, 1};

	(void)state;
	assert_true(fabs(verdict_moderate(same, 4, 4) - 16) < 1e-9);
	assert_true(fabs(same[1] - 1) < 1e-9);
	double df = verdict_moderate(apart, 6, 4);
	assert_true(df > 4 && df < 6);
	assert_true(apart[0] > 1e-6 && apart[3] < 10);
	assert_true(verdict_moderate(none, 2, 4) == 4);
	assert_true(none[0] == 0);
}

/* One comparison: every figure has its own sd from run to run, around 1 %. Reports whether it
 * alarms, and whether it does so in the figures that are slower. */
static void compare(gsl_rng *rng, double change, bool *any, int *found)
{
	double variances[FIGURES], differences[FIGURES], p[FIGURES];
	bool rejected[FIGURES];

	for (int i = 0; i < FIGURES; i++) {
		double sd = 0.01 * exp(gsl_ran_gaussian(rng, 0.5)), before[RUNS], after[RUNS];

		for (int k = 0; k < RUNS; k++) {
			before[k] = exp(gsl_ran_gaussian(rng, sd));
			after[k] = (1 + change) * exp(gsl_ran_gaussian(rng, sd));
		}
		struct log_figures a = verdict_logs(before, RUNS), b = verdict_logs(after, RUNS);
		differences[i] = b.mean - a.mean;
		variances[i] = (a.squares + b.squares) / (2 * RUNS - 2);
	}
	double df = verdict_moderate(variances, FIGURES, 2 * RUNS - 2);
	for (int i = 0; i < FIGURES; i++)
		p[i] = verdict_above(
			differences[i], log1p(0.01), sqrt(variances[i] * 2 / RUNS), df);
	verdict_holm(p, FIGURES, 0.025, rejected);
	*any = false;
	*found = 0;
	for (int i = 0; i < FIGURES; i++) {
		*any |= rejected[i];
		*found += rejected[i];
	}
}

static void equals_alarm_rarely_and_a_tenth_more_is_found(void **state)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	int alarms = 0, all = 0, found;
	bool any;

	(void)state;
	for (int i = 0; i < COMPARISONS; i++) {
		compare(rng, 0, &any, &found);
		alarms += any;
		compare(rng, 0.1, &any, &found);
		all += found;
	}
	gsl_rng_free(rng);
	print_message("# equals alarm in %.1f %%, a tenth more is found in %.1f %%\n",
		100.0 * alarms / COMPARISONS, 100.0 * all / COMPARISONS / FIGURES);
	assert_true(alarms <= COMPARISONS * 5 / 100);
	assert_true(all >= COMPARISONS * FIGURES * 95 / 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "Holm's procedure rejects in steps", .test_func = holm_rejects_in_steps},
		{.name = "a difference without spread is certain",
			.test_func = a_difference_without_spread_is_certain},
		{.name = "variances that are alike are shared",
			.test_func = variances_that_are_alike_are_shared},
		{.name = "at most 5 % of comparisons of equals alarm, and a tenth more is found in "
			 "95 %",
			.test_func = equals_alarm_rarely_and_a_tenth_more_is_found},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
