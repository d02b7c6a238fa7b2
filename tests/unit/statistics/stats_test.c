/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statistics against values from Python's statistics module and binomial sums, quantiles of t from
 * tables. The R calls beside them name what each value is; R itself was not run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "statistics/stats.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Relative: the tables of t have 7 digits. */
#define TOLERANCE 1e-6

static void check(const char *what, double value, double expected)
{
	if (isnan(expected) ? !isnan(value)
			    : !(fabs(value - expected) <= TOLERANCE * fmax(1, fabs(expected))))
		fail_msg("%s is %.9g, not %.9g", what, value, expected);
}

/* x <- c(12.1, 9.8, 11.4, 10.0, 10.7, 9.9, 30.5, 10.2, 10.9, 11.0) */
static const double ten[] = {12.1, 9.8, 11.4, 10.0, 10.7, 9.9, 30.5, 10.2, 10.9, 11.0};
/* x <- c(3, 1, 2, 5, 4) */
static const double five[] = {3, 1, 2, 5, 4};
/* x <- 1e9 + c(4, 7, 13, 16): a sum of squares would lose the deviation */
static const double large[] = {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16};
/* x <- c(7, 9) */
static const double two[] = {7, 9};
static const double one[] = {42};
static const double equal[] = {5, 5, 5, 5, 5, 5};

static void test_values(void **state)
{
	/* R: mean(x), sd(x), median(x), mad(x, constant = 1), min(x), max(x),
	 * qt((1 + confidence) / 2, n - 1) * sd(x) / sqrt(n), and with l <- qbinom((1 - confidence)
	 * / 2, n, 0.5): sort(x)[l], sort(x)[n - l + 1] */
	static const struct {
		const double *samples;
		size_t n;
		double confidence;
		struct stats expected;
	} cases[] = {
		/* qt(0.975, 9) = 2.262157, l = 2 */
		{ten, 10, 0.95,
			{10, 12.65, 6.313873612925745, 10.8, 0.7, 9.8, 30.5,
				2.262157 * 6.313873612925745 / 3.1622776601683795, 9.9, 12.1,
				6.313873612925745 / 12.65, 1}},
		/* qt(0.995, 9) = 3.249836, l = 1 */
		{ten, 10, 0.99,
			{10, 12.65, 6.313873612925745, 10.8, 0.7, 9.8, 30.5,
				3.249836 * 6.313873612925745 / 3.1622776601683795, 9.8, 30.5,
				6.313873612925745 / 12.65, 1}},
		/* qt(0.975, 4) = 2.776445, l = 0 */
		{five, 5, 0.95,
			{5, 3, 1.5811388300841898, 3, 1, 1, 5, 1.963243, NAN, NAN,
				1.5811388300841898 / 3, 0}},
		/* qt(0.975, 3) = 3.182446, l = 0 */
		{large, 4, 0.95,
			{4, 1e9 + 10, 5.477225575051661, 1e9 + 10, 4.5, 1e9 + 4, 1e9 + 16, 8.715488,
				NAN, NAN, 5.477225575051661 / (1e9 + 10), 0}},
		/* qt(0.975, 1) = 12.706205, l = 0 */
		{two, 2, 0.95,
			{2, 8, 1.4142135623730951, 8, 1, 7, 9, 12.706205, NAN, NAN,
				1.4142135623730951 / 8, 0}},
		/* min to max covers exactly 1 - 2 / 2^2: l = 1, where qbinom() stops one short */
		{two, 2, 0.5,
			{2, 8, 1.4142135623730951, 8, 1, 7, 9, 1, 7, 9, 1.4142135623730951 / 8, 0}},
		{one, 1, 0.95, {1, 42, 0, 42, 0, 42, 42, 0, NAN, NAN, 0, 0}},
		{equal, 6, 0.95, {6, 5, 0, 5, 0, 5, 5, 0, 5, 5, 0, 0}},
	};
	struct stats s;

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		const struct stats *e = &cases[i].expected;

		assert_int_equal(
			stats_of(cases[i].samples, cases[i].n, cases[i].confidence, &s), 0);
		assert_int_equal(s.n, e->n);
		check("mean", s.mean, e->mean);
		check("sd", s.sd, e->sd);
		check("median", s.median, e->median);
		check("mad", s.mad, e->mad);
		check("min", s.min, e->min);
		check("max", s.max, e->max);
		check("ci_mean", s.ci_mean, e->ci_mean);
		check("median_low", s.median_low, e->median_low);
		check("median_high", s.median_high, e->median_high);
		check("cv", s.cv, e->cv);
		assert_int_equal(s.outliers, e->outliers);
	}
}

/* Iglewicz and Hoaglin's limit: 0.6745 times the distance in median deviations (1.5) is 3.5. */
static void test_outliers(void **state)
{
	double samples[] = {98, 99, 100, 101, 102, 0};
	struct stats s;

	(void)state;
	samples[5] = 100.5 + 3.49 * 1.5 / 0.6745;
	assert_int_equal(stats_of(samples, 6, 0.95, &s), 0);
	assert_int_equal(s.outliers, 0);
	samples[5] = 100.5 + 3.51 * 1.5 / 0.6745;
	assert_int_equal(stats_of(samples, 6, 0.95, &s), 0);
	assert_int_equal(s.outliers, 1);
}

static void test_median_ranks(void **state)
{
	/* R: qbinom(0.025, n, 0.5); samples are 1..n, so a value is its rank */
	static const struct {
		size_t n;
		double low;
	} cases[] = {{1, NAN}, {5, NAN}, {6, 1}, {8, 1}, {9, 2}, {10, 2}, {20, 6}, {100, 40},
		{1000, 469}};
	double samples[1000];
	struct stats s;

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		for (size_t k = 0; k < cases[i].n; k++)
			samples[k] = (double)(cases[i].n - k);
		assert_int_equal(stats_of(samples, cases[i].n, 0.95, &s), 0);
		check("median_low", s.median_low, cases[i].low);
		check("median_high", s.median_high, (double)cases[i].n + 1 - cases[i].low);
	}
}

static void test_order_kept(void **state)
{
	double copy[LENGTH(ten)];
	struct stats s;

	(void)state;
	memcpy(copy, ten, sizeof(ten));
	assert_int_equal(stats_of(copy, LENGTH(copy), 0.95, &s), 0);
	assert_memory_equal(copy, ten, sizeof(ten));
}

static void test_refused(void **state)
{
	static const double with_nan[] = {1, NAN, 3}, with_inf[] = {1, 2, -INFINITY};
	static const struct {
		const double *samples;
		size_t n;
		double confidence;
	} cases[] = {
		{ten, 0, 0.95},
		{NULL, 0, 0.95},
		{with_nan, 3, 0.95},
		{with_inf, 3, 0.95},
		{ten, 10, 0},
		{ten, 10, 1},
		{ten, 10, 95},
		{ten, 10, -0.5},
		{ten, 10, NAN},
	};
	struct stats s = {.n = 4711};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		assert_int_equal(
			stats_of(cases[i].samples, cases[i].n, cases[i].confidence, &s), -1);
		assert_int_equal(s.n, 4711);
	}
}

/* a <- c(10, 12, 9, 30); b <- c(9, 12.5, 8, 33); t.test(log(a) - log(b)), and exp() of it */
static void test_paired_ratio(void **state)
{
	static const double a[] = {10, 12, 9, 30}, b[] = {9, 12.5, 8, 33};
	struct amount r = {0};

	(void)state;
	assert_int_equal(stats_paired_ratio(a, b, LENGTH(a), 0.95, &r), 0);
	check("ratio", r.value, 1.02199116);
	check("low", r.low, 0.863099524);
	check("high", r.high, 1.21013383);
	assert_int_equal(stats_paired_ratio(a, a, LENGTH(a), 0.95, &r), 0);
	check("ratio with itself", r.value, 1);
	check("low with itself", r.low, 1);
	assert_int_equal(stats_paired_ratio(a, b, 1, 0.95, &r), 0);
	check("ratio of one pair", r.value, 10.0 / 9);
	check("low of one pair", r.low, NAN);
	check("high of one pair", r.high, NAN);
}

/* The interval of the ratio stays above zero however wide it is: an interval of a difference would
 * go below zero here. */
static void test_paired_ratio_stays_above_zero(void **state)
{
	static const double a[] = {1, 20, 3}, b[] = {10, 2, 9}, zero[] = {1, 0, 3};
	struct amount r = {5, 6, 7};

	(void)state;
	assert_int_equal(stats_paired_ratio(a, b, 3, 0.95, &r), 0);
	assert_true(r.low > 0 && r.low < r.value && r.value < r.high);
	r = (struct amount){5, 6, 7};
	assert_int_equal(stats_paired_ratio(a, zero, 3, 0.95, &r), -1);
	assert_int_equal(stats_paired_ratio(zero, a, 3, 0.95, &r), -1);
	assert_int_equal(stats_paired_ratio(a, b, 0, 0.95, &r), -1);
	check("what was there", r.value, 5);
}

/* Costs less lost time: 2254 ns twice, but not to the last bit. */
static void test_rounding(void **state)
{
	const double samples[] = {
		3.2263e-05 - 3.0009e-05, 8.3671e-05 - 8.1417e-05, 3.1723e-05 - 2.9508e-05};
	struct stats s;

	(void)state;
	assert_true(samples[0] != samples[1]);
	assert_int_equal(stats_of(samples, 3, 0.95, &s), 0);
	assert_true(s.mad == 0);
	assert_int_equal(s.outliers, 0);
}

/* In R quantile(x, c(0.25, 0.75)) of the first are -1 and 2: beyond 2 + 3 * 3 lie 12 and 20. */
static void test_deviations(void **state)
{
	double wide[] = {12, -1, -1, 2, -1, 20, 1, 0, 2}, even[] = {1, -1, 0, 2, -2},
	       same[] = {3, 3};
	struct deviations d = stats_deviations(wide, LENGTH(wide));

	(void)state;
	assert_float_equal(d.skewness, 1.0 / 3, 1e-12);
	assert_int_equal(d.far, 2);
	assert_float_equal(d.far_sum, 32, 0);
	assert_float_equal(d.far_squares, 544, 0);
	d = stats_deviations(even, LENGTH(even));
	assert_true(d.skewness == 0 && d.far == 0 && d.far_sum == 0);
	assert_true(stats_deviations(same, 2).skewness == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "deviations are skewed towards the wider half, and few of them far out",
			.test_func = test_deviations},
		{.name = "deviations that are nothing but rounding make no outlier",
			.test_func = test_rounding},
		{.name = "a ratio of pairs is the mean of logs, with the interval of t",
			.test_func = test_paired_ratio},
		{.name = "the interval of a ratio stays above zero, and what is not above zero has "
			 "none",
			.test_func = test_paired_ratio_stays_above_zero},
		{.name = "mean, deviation, median and intervals are those of their definitions",
			.test_func = test_values},
		{.name = "an outlier is above three and a half", .test_func = test_outliers},
		{.name = "the interval of the median takes the ranks of the binomial",
			.test_func = test_median_ranks},
		{.name = "the caller's samples stay in their order", .test_func = test_order_kept},
		{.name = "no samples, none that is not finite, no odd confidence",
			.test_func = test_refused},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
