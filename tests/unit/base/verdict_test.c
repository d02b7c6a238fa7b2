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

static struct verdict three_a_side(double change, double step)
{
	const double before[] = {1, 1 + step, 1 + 2 * step},
		     after[] = {
			     1 + change, (1 + change) * (1 + step), (1 + change) * (1 + 2 * step)};

	return (struct verdict){.before = verdict_logs(before, 3), .after = verdict_logs(after, 3)};
}

static void few_runs_are_not_judged(void **state)
{
	struct verdict few[VERDICT_MODERATE];

	(void)state;
	assert_int_equal(verdict_runs(VERDICT_MODERATE - 1), 3);
	assert_int_equal(verdict_runs(VERDICT_MODERATE), 2);
	for (int i = 0; i < VERDICT_MODERATE; i++) {
		few[i] = three_a_side(0.1, 0.001);
		few[i].after = verdict_logs((const double[]){1.1, 1.2}, 2);
	}
	assert_false(verdict_judge(few, VERDICT_MODERATE - 1, 0.01, 0.05));
	assert_true(fabs(few[0].ratio.value - exp(few[0].after.mean - few[0].before.mean)) < 1e-12);
	assert_true(isnan(few[0].ratio.low) && isnan(few[0].found));
	assert_false(few[0].slower || few[0].faster);
	assert_true(verdict_judge(few, VERDICT_MODERATE, 0.01, 0.05));
}

static void a_verdict_has_its_interval(void **state)
{
	struct verdict v[] = {three_a_side(0.1, 0.001), three_a_side(0, 0.001)};
	/* pooled over both sides, 4 degrees of freedom; t(4) has 2.5 % above 2.776445 */
	double se = sqrt((v[0].before.squares + v[0].after.squares) / 4 * 2 / 3);

	(void)state;
	assert_true(verdict_judge(v, 2, 0.01, 0.05));
	assert_true(v[0].slower && !v[0].faster && !v[1].slower && !v[1].faster);
	assert_true(fabs(v[0].ratio.value - 1.1) < 1e-12);
	assert_true(fabs(v[0].ratio.low - 1.1 * exp(-2.776445 * se)) < 1e-8);
	assert_true(fabs(v[0].ratio.high - 1.1 * exp(2.776445 * se)) < 1e-8);
	/* Holm's first bound for 2 figures and one direction: t(4) has 1.25 % above 3.495406; it
	 * has 80 % below 0.940965 */
	assert_true(fabs(log1p(v[0].found) - log(1.01) - se * (3.495406 + 0.940965)) < 1e-8);
	/* the other direction, and half of the errors */
	v[0] = three_a_side(-0.1, 0.001);
	assert_true(verdict_judge(v, 2, 0.01, 0.05));
	assert_true(v[0].faster && !v[0].slower);
}

static void history_adds_degrees_of_freedom(void **state)
{
	struct verdict v = three_a_side(0.02, 0.002), with = v;
	const double equal[] = {1, 1.002, 1.004, 1, 1.002, 1.004, 1, 1.002, 1.004, 1.002};

	(void)state;
	with.history = verdict_logs(equal, 10);
	assert_true(verdict_judge(&v, 1, 0.01, 0.05));
	assert_true(verdict_judge(&with, 1, 0.01, 0.05));
	assert_true(with.ratio.high < v.ratio.high && with.found < v.found);
	assert_true(fabs(with.ratio.value - v.ratio.value) < 1e-15);
	/* 4 + 9 degrees of freedom: 2.160369 */
	double variance = (with.before.squares + with.after.squares + with.history.squares) / 13;
	assert_true(fabs(log(with.ratio.high / with.ratio.value) -
			    2.160369 * sqrt(variance * 2 / 3)) < 1e-8);
}

/* One comparison: every figure has its own sd from run to run, around 1 %. Reports whether it
 * alarms, and in how many figures. */
static void compare(gsl_rng *rng, double change, bool *any, int *found)
{
	struct verdict list[FIGURES] = {0};

	for (int i = 0; i < FIGURES; i++) {
		double sd = 0.01 * exp(gsl_ran_gaussian(rng, 0.5)), before[RUNS], after[RUNS];

		for (int k = 0; k < RUNS; k++) {
			before[k] = exp(gsl_ran_gaussian(rng, sd));
			after[k] = (1 + change) * exp(gsl_ran_gaussian(rng, sd));
		}
		list[i].before = verdict_logs(before, RUNS);
		list[i].after = verdict_logs(after, RUNS);
	}
	assert_true(verdict_judge(list, FIGURES, 0.01, 0.05));
	*any = false;
	*found = 0;
	for (int i = 0; i < FIGURES; i++) {
		*any |= list[i].slower || list[i].faster;
		*found += list[i].slower;
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
		{.name = "figures are judged with three runs a side, or two where they share "
			 "variances",
			.test_func = few_runs_are_not_judged},
		{.name = "a verdict has an interval and says what would be found",
			.test_func = a_verdict_has_its_interval},
		{.name = "a history of equal runs adds degrees of freedom",
			.test_func = history_adds_degrees_of_freedom},
		{.name = "at most 5 % of comparisons of equals alarm, and a tenth more is found in "
			 "95 %",
			.test_func = equals_alarm_rarely_and_a_tenth_more_is_found},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
