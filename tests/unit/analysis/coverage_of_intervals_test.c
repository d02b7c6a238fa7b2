/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests over 1,000 simulated experiments whether intervals cover what they claim and whether
 * comparisons of equals stay quiet. The seeds are fixed, so the answer is always the same. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include <stdbool.h>

#include "analysis/derive.h"

enum { EXPERIMENTS = 1000, SAMPLES = 10 };

static void draw(gsl_rng *rng, double *samples)
{
	for (int i = 0; i < SAMPLES; i++)
		samples[i] = 5 + gsl_ran_gaussian(rng, 0.3);
}

static void test_mean(void **state)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	int covered = 0;

	(void)state;
	for (int i = 0; i < EXPERIMENTS; i++) {
		double samples[SAMPLES];
		struct stats s;

		draw(rng, samples);
		assert_int_equal(stats_of(samples, SAMPLES, 0.95, &s), 0);
		covered += fabs(s.mean - 5) <= s.ci_mean;
	}
	gsl_rng_free(rng);
	assert_in_range(covered, 930, 970);
}

/* Skewed samples, as times are: the interval of the median assumes nothing about their shape, and
 * by its nature covers rather more than its nominal level. */
static void test_median(void **state)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	int covered = 0;

	(void)state;
	for (int i = 0; i < EXPERIMENTS; i++) {
		double samples[SAMPLES];
		struct stats s;

		for (int k = 0; k < SAMPLES; k++)
			samples[k] = 1 + gsl_ran_exponential(rng, 1);
		assert_int_equal(stats_of(samples, SAMPLES, 0.95, &s), 0);
		covered += s.median_low <= 1 + M_LN2 && 1 + M_LN2 <= s.median_high;
	}
	gsl_rng_free(rng);
	assert_in_range(covered, 950, 990);
}

static struct amount mean_of(gsl_rng *rng)
{
	double samples[SAMPLES];
	struct stats s;

	draw(rng, samples);
	stats_of(samples, SAMPLES, 0.95, &s);
	return (struct amount){s.mean, s.mean - s.ci_mean, s.mean + s.ci_mean};
}

static void test_equals(void **state)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	int flagged = 0;

	(void)state;
	for (int i = 0; i < EXPERIMENTS; i++) {
		struct amount a = mean_of(rng), b = mean_of(rng), ratio = derive_ratio(a, b);
		flagged += ratio.low > 1 || ratio.high < 1;
	}
	gsl_rng_free(rng);
	assert_in_range(flagged, 1, 70);
}

static void test_different(void **state)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	int flagged = 0;

	(void)state;
	for (int i = 0; i < EXPERIMENTS; i++) {
		struct amount a = mean_of(rng), b = mean_of(rng);

		a = (struct amount){a.value * 1.2, a.low * 1.2, a.high * 1.2};
		struct amount ratio = derive_ratio(a, b);
		flagged += ratio.low > 1;
	}
	gsl_rng_free(rng);
	assert_in_range(flagged, 950, 1000);
}

/* Shapes of samples; the median and the mean of each are known or estimated from 10^6 draws. */
struct noise {
	const char *name;
	double (*draw)(gsl_rng *rng, double *last);
	/* per cent of the draws in which each interval holds the truth, at least and at most */
	int mean[2], median[2], ratio_of_means[2], ratio_of_medians[2];
};

static double normal(gsl_rng *rng, double *last)
{
	(void)last;
	return 1 + gsl_ran_gaussian(rng, 0.01);
}

static double wide(gsl_rng *rng, double *last)
{
	(void)last;
	return 1 + gsl_ran_gaussian(rng, 0.3);
}

static double lognormal(gsl_rng *rng, double *last)
{
	(void)last;
	return gsl_ran_lognormal(rng, 0, 0.08);
}

static double slower(gsl_rng *rng, double part)
{
	double x = 1 + gsl_ran_gaussian(rng, 0.01);

	return gsl_rng_uniform(rng) < part ? x * gsl_ran_flat(rng, 1.05, 1.2) : x;
}

static double bimodal(gsl_rng *rng, double *last)
{
	(void)last;
	return slower(rng, 0.4);
}

static double rarely_slower(gsl_rng *rng, double *last)
{
	(void)last;
	return slower(rng, 0.1);
}

/* 3 of 100 draws are up to three times as slow */
static double heavy(gsl_rng *rng, double *last)
{
	double x = 1 + gsl_ran_gaussian(rng, 0.01);

	(void)last;
	return gsl_rng_uniform(rng) < 0.03 ? x * gsl_ran_flat(rng, 1, 3) : x;
}

/* each draw resembles the one before it */
static double correlated(gsl_rng *rng, double *last)
{
	*last = 0.5 * *last + gsl_ran_gaussian(rng, 0.01 * sqrt(0.75));
	return 1 + *last;
}

/* As the manual states them (Method, Intervals). Samples that contain rare slow ones, or that
 * resemble the one before, violate the assumptions of an interval of the mean, so it covers
 * less. */
static const struct noise noises[] = {
	{"normal", normal, {94, 96}, {97, 99}, {94, 98}, {97, 100}},
	{"normal of 30 %", wide, {94, 96}, {97, 99}, {94, 98}, {97, 100}},
	{"lognormal", lognormal, {94, 96}, {97, 99}, {94, 98}, {97, 100}},
	{"bimodal", bimodal, {91, 95}, {96, 99}, {93, 97}, {97, 100}},
	{"rarely slower", rarely_slower, {60, 70}, {97, 99}, {97, 100}, {97, 100}},
	{"heavy tails", heavy, {20, 30}, {97, 99}, {97, 99}, {97, 100}},
	{"correlated", correlated, {74, 82}, {84, 92}, {75, 80}, {84, 95}},
};

enum { DRAWS = 5000, TRUTH = 1000000 };

struct truth {
	double mean, median;
};

static struct truth truth_of(const struct noise *n, gsl_rng *rng)
{
	static double all[TRUTH];
	double last = 0;
	struct stats s;

	for (int i = 0; i < TRUTH; i++)
		all[i] = n->draw(rng, &last);
	assert_int_equal(stats_of(all, TRUTH, 0.95, &s), 0);
	return (struct truth){s.mean, s.median};
}

static struct stats sampled(const struct noise *n, gsl_rng *rng)
{
	double samples[SAMPLES], last = 0;
	struct stats s;

	for (int i = 0; i < 20; i++) /* the chain forgets its first value */
		n->draw(rng, &last);
	for (int i = 0; i < SAMPLES; i++)
		samples[i] = n->draw(rng, &last);
	assert_int_equal(stats_of(samples, SAMPLES, 0.95, &s), 0);
	return s;
}

static struct amount mean_amount(const struct stats *s)
{
	return (struct amount){s->mean, s->mean - s->ci_mean, s->mean + s->ci_mean};
}

static struct amount median_amount(const struct stats *s)
{
	return (struct amount){s->median, s->median_low, s->median_high};
}

static bool holds(struct amount a, double truth)
{
	return a.low <= truth && truth <= a.high;
}

static void assert_per_cent(int covered, const int bounds[2], const char *noise, const char *what)
{
	double percent = 100.0 * covered / DRAWS;

	print_message("# %s, %s: %.1f %%\n", noise, what, percent);
	assert_true(percent >= bounds[0] && percent <= bounds[1]);
}

static void cover(const struct noise *n, gsl_rng *rng)
{
	struct truth truth = truth_of(n, rng);
	int mean = 0, median = 0, means = 0, medians = 0;

	for (int i = 0; i < DRAWS; i++) {
		struct stats a = sampled(n, rng), b = sampled(n, rng);
		struct amount ratio = amount_ratio(mean_amount(&a), mean_amount(&b));

		mean += holds(mean_amount(&a), truth.mean);
		median += holds(median_amount(&a), truth.median);
		means += holds(ratio, 1);
		medians += holds(amount_ratio(median_amount(&a), median_amount(&b)), 1);
		assert_true(ratio.low > 0);
	}
	assert_per_cent(mean, n->mean, n->name, "mean");
	assert_per_cent(median, n->median, n->name, "median");
	assert_per_cent(means, n->ratio_of_means, n->name, "ratio of means");
	assert_per_cent(medians, n->ratio_of_medians, n->name, "ratio of medians");
}

static void test_noises(void **state)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	(void)state;
	for (size_t i = 0; i < sizeof(noises) / sizeof(*noises); i++)
		cover(&noises[i], rng);
	gsl_rng_free(rng);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "the interval of the mean covers the true mean 93 to 97 times in 100",
			.test_func = test_mean},
		{.name = "the interval of the median covers the true median of skewed times",
			.test_func = test_median},
		{.name = "comparing a configuration with itself flags a change at most 7 times in "
			 "100",
			.test_func = test_equals},
		{.name = "a fifth more is found nearly always", .test_func = test_different},
		{.name = "intervals of means, medians and ratios cover what the manual says, of "
			 "seven "
			 "kinds of noise",
			.test_func = test_noises},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
