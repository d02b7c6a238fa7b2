/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Do intervals cover what they claim, and do comparisons of equals stay quiet? Over 1,000 simulated
 * experiments with fixed seeds, so that the answer is always the same. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

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

/* Skewed samples, as times are: the interval of the median supposes nothing of their shape, and by
 * its nature covers rather more than asked. */
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
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
