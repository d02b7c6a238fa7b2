/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests whether comparisons of equal builds stay quiet and those of unequal builds do not. The
 * simulation has a fixed seed, so the answer is always the same. Without an argument 500
 * comparisons and wide limits; with the argument `all` 5000 and narrow ones (make
 * coverage-of-intervals). `table` prints the manual's table without a simulation. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "statistics/verdict.h"

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
	/* each step is wider than the first: 0.05 / 3, 0.05 / 2, 0.05 */
	verdict_holm((const double[]){0.016, 0.024, 0.049}, 3, 0.05, rejected);
	assert_true(rejected[0] && rejected[1] && rejected[2]);
}

/* The error of a difference is that of both sides, 1 / n of each. */
static void sides_of_unlike_size_count_by_their_runs(void **state)
{
	struct verdict v = {.before = verdict_logs((const double[]){1, 1.01, 1.02}, 3),
		.after =
			verdict_logs((const double[]){1.1, 1.11, 1.12, 1.13, 1.14, 1.15, 1.16}, 7)};
	const double variance = (v.before.squares + v.after.squares) / 8;
	/* qt(0.975, 8) = 2.306004 */
	const double half = 2.306004135 * sqrt(variance * (1 / 3.0 + 1 / 7.0));

	(void)state;
	assert_true(verdict_judge(&v, 1, 0.01, 0.05));
	assert_true(fabs(log(v.ratio.high / v.ratio.value) / half - 1) < 1e-6);
	assert_true(fabs(log(v.ratio.value / v.ratio.low) / half - 1) < 1e-6);
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
	for (int i = 0; i < VERDICT_MODERATE; i++) {
		few[i] = three_a_side(0.1, 0.001);
		few[i].after = verdict_logs((const double[]){1.1, 1.102}, 2);
	}
	assert_int_equal(verdict_runs(few, VERDICT_MODERATE - 1), 3);
	assert_false(verdict_judge(few, VERDICT_MODERATE - 1, 0.01, 0.05));
	assert_true(fabs(few[0].ratio.value - exp(few[0].after.mean - few[0].before.mean)) < 1e-12);
	assert_true(isnan(few[0].ratio.low) && isnan(few[0].found));
	assert_false(few[0].slower || few[0].faster);
	assert_int_equal(verdict_runs(few, VERDICT_MODERATE), 2);
	assert_true(verdict_judge(few, VERDICT_MODERATE, 0.01, 0.05));
	/* 30 figures that differ by 4 % from run to run */
	for (int i = 0; i < VERDICT_MODERATE; i++)
		few[i].after = verdict_logs((const double[]){1.1, 1.18}, 2);
	assert_int_equal(verdict_runs(few, VERDICT_MODERATE), 3);
	assert_false(verdict_judge(few, VERDICT_MODERATE, 0.01, 0.05));
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

/* One run a side: the history alone tells how far runs are apart. */
static void a_long_history_lists_single_runs(void **state)
{
	double equal[20];
	struct verdict v = {.before = verdict_logs((const double[]){1}, 1),
		.after = verdict_logs((const double[]){1.05}, 1)};

	(void)state;
	for (int i = 0; i < 20; i++)
		equal[i] = 1 + i % 3 * 0.002;
	v.history = verdict_logs(equal, 19);
	assert_int_equal(verdict_history(1), 20);
	assert_int_equal(verdict_history(VERDICT_MODERATE), 10);
	assert_false(verdict_list(&v, 1, 0.01, 0.05));
	assert_false(v.slower);
	v.history = verdict_logs(equal, 20);
	assert_false(verdict_judge(&v, 1, 0.01, 0.05));
	assert_true(verdict_list(&v, 1, 0.01, 0.05));
	assert_true(v.slower && !v.faster);
	/* t(19) has 2.5 % above 2.093024 */
	assert_true(fabs(log(v.ratio.high / 1.05) - 2.093024 * sqrt(v.history.squares / 19 * 2)) <
		    1e-8);
}

/* A comparison of `figures` costs, each with an sd of its own from run to run, around `sd`; the
 * first one becomes slower by `change`. */
struct setting {
	double sd;
	size_t figures, runs;
	/* per cent of 5000 comparisons: of equals, that call any cost slower or faster; in which
	 * a slowdown of 5 and of 10 % is found */
	double alarms, found_5, found_10;
};

enum { MOST_FIGURES = 30, MOST_RUNS = 5, COMPARISONS = 5000, SHORT_COMPARISONS = 500 };

static const struct setting settings[] = {
	{0.005, 5, 3, 0.1, 91.2, 99.6},
	{0.005, 30, 2, 1.4, 83.5, 98.3},
	{0.005, 30, 3, 0.4, 93.7, 99.7},
	{0.005, 30, 5, 0.1, 98.3, 100},
	{0.01, 5, 3, 0.4, 59.2, 92.7},
	{0.01, 30, 2, 4.2, 28.1, 86.5},
	{0.01, 30, 3, 1.6, 58.8, 95.5},
	{0.01, 30, 5, 0.5, 81.7, 98.9},
	{0.012, 30, 2, 4.6, 14, 74.4},
	{0.03, 5, 3, 2.3, 10.8, 41.3},
	{0.03, 30, 3, 3.8, 1.4, 31.4},
	{0.03, 30, 5, 2.4, 10.8, 64.4},
};
enum { SETTINGS = sizeof(settings) / sizeof(*settings) };

static int comparisons = SHORT_COMPARISONS;

static struct log_figures runs_of(gsl_rng *rng, size_t n, double cost, double sd)
{
	double costs[MOST_RUNS];

	for (size_t k = 0; k < n; k++)
		costs[k] = cost * exp(gsl_ran_gaussian_ziggurat(rng, sd));
	return verdict_logs(costs, n);
}

static void compare(gsl_rng *rng, const struct setting *s, double change, struct verdict *list)
{
	for (size_t i = 0; i < s->figures; i++) {
		double sd = s->sd * exp(gsl_ran_gaussian_ziggurat(rng, 0.5));

		list[i] = (struct verdict){
			.before = runs_of(rng, s->runs, 1, sd),
			.after = runs_of(rng, s->runs, i ? 1 : 1 + change, sd),
		};
	}
	verdict_judge(list, s->figures, 0.01, 0.05); /* two runs that vary much are not judged */
}

static struct setting simulate(gsl_rng *rng, const struct setting *s)
{
	struct verdict list[MOST_FIGURES];
	struct setting found = {s->sd, s->figures, s->runs, 0, 0, 0};
	const double each = 100.0 / comparisons;

	for (int i = 0; i < comparisons; i++) {
		bool alarm = false;

		compare(rng, s, 0, list);
		for (size_t k = 0; k < s->figures; k++)
			alarm |= list[k].slower || list[k].faster;
		found.alarms += each * alarm;
		compare(rng, s, 0.05, list);
		found.found_5 += each * list[0].slower;
		compare(rng, s, 0.1, list);
		found.found_10 += each * list[0].slower;
	}
	return found;
}

/* Four standard errors of a share, per cent. */
static bool near(double found, double expected)
{
	double likely = fmin(99, fmax(1, expected));

	return fabs(found - expected) <= 1 + 4 * sqrt(likely * (100 - likely) / comparisons);
}

static void comparisons_are_as_right_as_the_manual_says(void **state)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	bool wrong = false;

	(void)state;
	for (int i = 0; i < SETTINGS; i++) {
		const struct setting *s = &settings[i], found = simulate(rng, s);

		if (near(found.alarms, s->alarms) && near(found.found_5, s->found_5) &&
			near(found.found_10, s->found_10))
			continue;
		print_message("# sd %g, %zu costs, %zu runs: %.1f, %.1f, %.1f\n", s->sd, s->figures,
			s->runs, found.alarms, found.found_5, found.found_10);
		wrong = true;
	}
	gsl_rng_free(rng);
	assert_false(wrong);
}

static void equals_alarm_rarely(void **state)
{
	(void)state;
	for (int i = 0; i < SETTINGS; i++)
		assert_true(settings[i].alarms <= 5);
}

static int print_table(void)
{
	printf("| change from run to run | costs | results a side | equals called slower or "
	       "faster | 5 %% slower is found | 10 %% slower is found |\n"
	       "| --- | --- | --- | --- | --- | --- |\n");
	for (int i = 0; i < SETTINGS; i++) {
		const struct setting *s = &settings[i];

		printf("| %g %% | %zu | %zu | %.1f %% | %.0f %% | %.0f %% |\n", s->sd * 100,
			s->figures, s->runs, s->alarms, s->found_5, s->found_10);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		{.name = "Holm's procedure rejects in steps", .test_func = holm_rejects_in_steps},
		{.name = "sides of unlike size count by their runs",
			.test_func = sides_of_unlike_size_count_by_their_runs},
		{.name = "a difference without spread is certain",
			.test_func = a_difference_without_spread_is_certain},
		{.name = "figures are judged with three runs a side, or two where they share "
			 "variances",
			.test_func = few_runs_are_not_judged},
		{.name = "a verdict has an interval and says what would be found",
			.test_func = a_verdict_has_its_interval},
		{.name = "a history of equal runs adds degrees of freedom",
			.test_func = history_adds_degrees_of_freedom},
		{.name = "a long history lists what differs between single runs",
			.test_func = a_long_history_lists_single_runs},
		{.name = "comparisons are as right as the manual says",
			.test_func = comparisons_are_as_right_as_the_manual_says},
		{.name = "at most 5 % of comparisons of equals alarm",
			.test_func = equals_alarm_rarely},
	};

	if (argc > 1 && !strcmp(argv[1], "table"))
		return print_table();
	if (argc > 1 && !strcmp(argv[1], "all"))
		comparisons = COMPARISONS;
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
