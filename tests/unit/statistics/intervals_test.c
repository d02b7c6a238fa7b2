/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals over placements against values from Python's math module (logarithms, and a quantile of
 * t by integration), and their coverage in a simulation with a fixed seed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "statistics/intervals.h"

static void is(struct amount x, double value, double low, double high)
{
	const double found[] = {x.value, x.low, x.high}, expected[] = {value, low, high};

	for (int i = 0; i < 3; i++)
		if (isnan(expected[i]) ? !isnan(found[i])
				       : !(fabs(found[i] / expected[i] - 1) < 1e-8))
			fail_msg("number %d is %.12g, not %.12g", i, found[i], expected[i]);
}

static const double a[] = {10, 10.4, 9.7}, b[] = {5, 5.6, 4.9, 5.2};

static void of_values(void **state)
{
	static const double zero[] = {1, 0, 2}, negative[] = {1, -1}, endless[] = {1, INFINITY};

	(void)state;
	is(interval_of_values(a, 3, 0.95), 10.02924770709855, 9.195650291111596,
		10.938411791014557);
	is(interval_of_values(a, 3, 0.99), 10.02924770709855, 8.209921766953642,
		12.251737888077916);
	is(interval_of_values(a, 1, 0.95), 10, NAN, NAN);
	is(interval_of_values((const double[]){3, 3, 3}, 3, 0.95), 3, 3, 3);
	is(interval_of_values(zero, 3, 0.95), NAN, NAN, NAN);
	is(interval_of_values(negative, 2, 0.95), NAN, NAN, NAN);
	is(interval_of_values(endless, 2, 0.95), NAN, NAN, NAN);
	is(interval_of_values(a, 0, 0.95), NAN, NAN, NAN);
}

static void of_ratios(void **state)
{
	(void)state;
	/* 4.8675 degrees of freedom, t = 2.591766 */
	is(interval_of_ratio(a, 3, b, 4, 0.95), 1.9405685742842358, 1.769083008343384,
		2.1286770455310355);
	is(interval_of_ratio(a, 3, b, 1, 0.95), 10.02924770709855 / 5, NAN, NAN);
	is(interval_of_ratio(a, 1, a + 1, 1, 0.95), 10 / 10.4, NAN, NAN);
	is(interval_of_ratio((const double[]){4, 4}, 2, (const double[]){2, 2}, 2, 0.95), 2, 2, 2);
	is(interval_of_ratio(a, 3, b, 0, 0.95), NAN, NAN, NAN);
}

enum { FIGURES = 30, ROUNDS = 200, DRAWS = FIGURES * ROUNDS };

struct coverage {
	double covered; /* percent */
	double width;   /* mean of high / low - 1, percent */
};

static void add(struct coverage *c, struct amount x)
{
	c->covered += 100.0 * (x.low <= 1 && 1 <= x.high) / DRAWS;
	c->width += 100 * (x.high / x.low - 1) / DRAWS;
}

/* FIGURES figures at a time, each in n placements with an sd of its own around 1 %. */
static void simulate(size_t n, struct coverage *own, struct coverage *shared)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	double values[FIGURES * 10];
	struct variance list[FIGURES];

	*own = *shared = (struct coverage){0, 0};
	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < FIGURES; i++) {
			double sd = 0.01 * exp(gsl_ran_gaussian(rng, 0.5));

			for (size_t k = 0; k < n; k++)
				values[i * n + k] = exp(gsl_ran_gaussian(rng, sd));
			list[i] = interval_variance(values + i * n, n, i);
		}
		struct prior p = prior_fit(list, FIGURES);
		for (size_t i = 0; i < FIGURES; i++) {
			add(own, interval_of_values(values + i * n, n, 0.95));
			add(shared, interval_sharing(values + i * n, n, &p, 0.95));
		}
	}
	gsl_rng_free(rng);
	print_message("# %zu placements: own variances cover %.1f %%, width %.1f %%; shared ones "
		      "%.1f %%, %.1f %%\n",
		n, own->covered, own->width, shared->covered, shared->width);
}

static void coverage_over_placements(void **state)
{
	static const size_t placements[] = {2, 3, 5, 10};

	(void)state;
	for (size_t i = 0; i < sizeof(placements) / sizeof(*placements); i++) {
		struct coverage own, shared;

		simulate(placements[i], &own, &shared);
		assert_true(own.covered >= 93.5 && own.covered <= 96.5);
		assert_true(shared.covered >= 93 && shared.covered <= 97);
		assert_true(shared.width < own.width);
	}
}

/* The noise of samples alone says nothing about the next placement. */
static void ratios_of_other_placements_cover(void **state)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct coverage c = {0, 0};

	(void)state;
	for (int i = 0; i < DRAWS; i++) {
		double over[3], under[3];

		for (int k = 0; k < 3; k++) {
			over[k] = exp(gsl_ran_gaussian(rng, 0.03));
			under[k] = exp(gsl_ran_gaussian(rng, 0.03));
		}
		add(&c, interval_of_ratio(over, 3, under, 3, 0.95));
	}
	gsl_rng_free(rng);
	print_message(
		"# ratio of other placements: covers %.1f %%, width %.1f %%\n", c.covered, c.width);
	assert_true(c.covered >= 94 && c.covered <= 98);
}

static void a_shared_variance_has_its_degrees_of_freedom(void **state)
{
	static const double values[] = {10, 10.4, 9.7};
	const struct variance own = interval_variance(values, 3, 5);
	struct prior p = {.figures = 30, .groups = 30, .variance = 0.0004, .df = 4, .most = 60};

	(void)state;
	/* t(2 + 4) = 2.446912 */
	double se = sqrt((4 * 0.0004 + 2 * own.value) / 6 / 3), value = cbrt(10 * 10.4 * 9.7);
	is(interval_sharing(values, 3, &p, 0.95), value, value * exp(-2.4469118511449692 * se),
		value * exp(2.4469118511449692 * se));
	/* all variances are alike: t(60) = 2.000298 */
	p.df = INFINITY;
	se = sqrt(0.0004 / 3);
	is(interval_sharing(values, 3, &p, 0.95), value, value * exp(-2.0002978220142609 * se),
		value * exp(2.0002978220142609 * se));
	is(interval_sharing(values, 1, &p, 0.95), 10, NAN, NAN);
	is(interval_sharing(values, 0, &p, 0.95), NAN, NAN, NAN);
	assert_true(own.df == 2 && own.group == 5);
	assert_true(isnan(interval_variance(values, 1, 0).value));
	assert_true(isnan(interval_variance((const double[]){1, 0}, 2, 0).value));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "the interval over placements is t on logarithms", .test_func = of_values},
		{.name = "the interval of a ratio of other placements is Welch's on logarithms",
			.test_func = of_ratios},
		{.name = "intervals over placements cover what they say, with own and with shared "
			 "variances",
			.test_func = coverage_over_placements},
		{.name = "ratios of other placements cover what they say",
			.test_func = ratios_of_other_placements_cover},
		{.name = "an interval with a shared variance has its degrees of freedom",
			.test_func = a_shared_variance_has_its_degrees_of_freedom},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
