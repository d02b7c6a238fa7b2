/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does a warm-up end when a cost has settled, and not before? Costs are drawn with a fixed seed, so
 * the answer is always the same. The shapes are those that a machine with an L3 of 260 MiB showed.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "statistics/settled.h"

#define DRAWS      400
#define PLACEMENTS 5
#define LONGEST    80

/* The cost of a sample, from 0, without noise; 1 when it has settled. */
typedef double shape(size_t sample);

static double flat(size_t sample)
{
	(void)sample;
	return 1;
}

static double cold(size_t sample) /* load over 8 MiB */
{
	return sample == 0 ? 1.06 : sample == 1 ? 1.02 : 1;
}

static double fall(size_t sample) /* by 20 % within ten rounds */
{
	return sample < 10 ? 1.2 - 0.02 * (double)sample : 1;
}

static double rise(size_t sample)
{
	return sample < 10 ? 0.8 + 0.02 * (double)sample : 1;
}

static double load(size_t sample) /* over 64 MiB */
{
	return sample < 18 ? 1.8 - 0.044 * (double)sample : 1;
}

static double store(size_t sample) /* over 32 MiB */
{
	return 1 + 1.9 * exp(-(double)sample / 7);
}

static double endless(size_t sample)
{
	return 2 - 0.02 * (double)sample;
}

struct found {
	double samples; /* of all placements, in the mean */
	double never;   /* the part of the draws in which a placement did not settle */
	double told;    /* with a trend after the warm-up */
	double wrong;   /* whose figure is off by more than 3 % and has no mark */
};

/* One draw: all placements of an operation with so many threads. */
static void draw(gsl_rng *rng, shape *of, double noise, struct settling *s, struct found *f)
{
	double costs[4 * LONGEST], kept[PLACEMENTS][LONGEST], off = 0;
	struct series_of series[PLACEMENTS];
	bool never = false;

	s->warm = 0;
	for (int p = 0; p < PLACEMENTS; p++) {
		double all[4][LONGEST];
		enum settled now = SETTLED_NOT;
		size_t n = 0, m = 0;

		while (now == SETTLED_NOT) {
			for (size_t t = 0; t < s->threads; t++)
				all[t][n] = of(n) * exp(gsl_ran_gaussian(rng, noise));
			n++;
			for (size_t t = 0; t < s->threads; t++)
				for (size_t i = 0; i < n; i++)
					costs[t * n + i] = all[t][i];
			now = settled_ask(s, costs, n);
			assert_true(n < LONGEST);
		}
		never |= now == SETTLED_NEVER;
		size_t warm = settled_warm_up(s, n);

		assert_true(warm >= 1 && warm <= n);
		for (; m < n - warm || m < s->wanted; m++) {
			bool taken = m < n - warm;

			kept[p][m] = taken ? all[0][warm + m]
					   : of(warm + m) * exp(gsl_ran_gaussian(rng, noise));
			off += of(warm + m) - 1;
		}
		assert_int_equal(m, s->wanted);
		f->samples += (double)(warm + m) / DRAWS;
		series[p] = (struct series_of){kept[p], m};
		s->warm = settled_next(s, n);
	}
	struct trend t = settled_trend(series, PLACEMENTS);
	bool told = settled_is_trend(&t, SETTLED_TOLD);

	f->never += (double)never / DRAWS;
	f->told += (double)told / DRAWS;
	off /= (double)(PLACEMENTS * s->wanted);
	f->wrong += (double)(fabs(off) > 0.03 && !told && !never) / DRAWS;
}

static struct found simulated(shape *of, double noise, struct settling s)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct found f = {0};

	for (int i = 0; i < DRAWS; i++)
		draw(rng, of, noise, &s, &f);
	gsl_rng_free(rng);
	return f;
}

static void falls_and_rises_are_found(void **state)
{
	static const struct {
		shape *of;
		double noise;
	} rows[] = {{fall, 0.03}, {fall, 0.01}, {rise, 0.03}, {load, 0.05}, {store, 0.05}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		for (size_t threads = 1; threads <= 4; threads += 3)
			for (size_t wanted = 3; wanted <= 10; wanted += 7)
				assert_true(simulated(rows[i].of, rows[i].noise,
						    (struct settling){.threads = threads,
							    .wanted = wanted,
							    .window = settled_window(1, 0.001)})
						    .wrong < 0.05);
}

static void what_has_settled_is_left_alone(void **state)
{
	static const struct {
		shape *of;
		double noise;
	} rows[] = {{flat, 0.005}, {flat, 0.03}, {flat, 0.1}, {cold, 0.03}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		for (double rounds = 1; rounds <= 8; rounds += 7) {
			struct settling s = {
				.threads = 2, .wanted = 3, .window = settled_window(rounds, 0.001)};
			struct found f = simulated(rows[i].of, rows[i].noise, s);

			assert_true(f.never == 0 && f.told < 0.05 && f.wrong == 0);
			/* with what false alarms cost; one sample and three of each placement, and
			 * the window of the first */
			assert_true(f.samples < 1.6 * (double)(1 + s.window + 4 * PLACEMENTS - 4));
		}
}

static void what_does_not_settle_is_told(void **state)
{
	struct settling s = {.threads = 1, .wanted = 3, .window = settled_window(1, 0.001)};

	(void)state;
	assert_true(simulated(endless, 0.03, s).never > 0.95);
	s.late = true;
	s.window = SETTLED_WINDOW;
	/* four samples do not show it, those of five placements often do */
	struct found f = simulated(endless, 0.005, s);

	assert_true(f.samples < 4.01 * PLACEMENTS && f.told > 0.75);
}

static void one_thread_alone_counts(void **state)
{
	double costs[4 * 17];
	const struct settling s = {.threads = 4, .wanted = 3, .window = settled_window(1, 0.001)};

	(void)state;
	for (size_t t = 0; t < 4; t++)
		for (size_t i = 0; i < 17; i++)
			costs[t * 17 + i] = t == 2 ? 1.2 - 0.01 * (double)i
						   : 1 + 0.01 * (double)(i * 7 % 5 % 2);
	assert_int_equal(settled_ask(&s, costs, 17), SETTLED_NOT);
	for (size_t i = 0; i < 17; i++)
		costs[2 * 17 + i] = 1;
	assert_int_equal(settled_ask(&s, costs, 17), SETTLED_YES);
}

static void costs_that_are_no_numbers_settle_at_once(void **state)
{
	double costs[17] = {0};
	const struct settling s = {.threads = 1, .wanted = 3, .window = settled_window(1, 0.001)};

	(void)state;
	assert_int_equal(settled_ask(&s, costs, 16), SETTLED_NOT);
	assert_int_equal(settled_ask(&s, costs, 17), SETTLED_YES);
	for (size_t i = 0; i < 17; i++)
		costs[i] = NAN;
	assert_int_equal(settled_ask(&s, costs, 17), SETTLED_YES);
}

static double chance(const double *values, size_t n)
{
	return settled_trend(&(struct series_of){values, n}, 1).chance;
}

/* Kendall's tables: 1/24 of the orders of four values rise all along. */
static void chances_are_those_of_the_tables(void **state)
{
	const double up[] = {1, 2, 3, 4}, most[] = {1, 2, 4, 3}, down[] = {6, 5, 4, 3, 2, 1},
		     equal[] = {1, 1, 1, 1};
	const struct series_of both[] = {{up, 4}, {up, 4}};

	(void)state;
	assert_float_equal(chance(up, 4), 2.0 / 24, 1e-12);
	assert_float_equal(chance(most, 4), 2.0 * 4 / 24, 1e-12);
	assert_float_equal(chance(down, 6), 2.0 / 720, 1e-12);
	assert_float_equal(chance(equal, 4), 1, 0);
	assert_float_equal(chance(up, 1), 1, 0);
	assert_float_equal(settled_trend(both, 2).chance, 2.0 / 24 / 24, 1e-12);
}

static void a_long_series_is_like_a_short_one(void **state)
{
	double values[5000];
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	(void)state;
	for (size_t i = 0; i < 5000; i++)
		values[i] = exp(gsl_ran_gaussian(rng, 0.05));
	assert_true(chance(values, 5000) > 0.05);
	for (size_t i = 0; i < 5000; i++)
		values[i] *= 1.05 - 1e-5 * (double)i;
	struct trend t = settled_trend(&(struct series_of){values, 5000}, 1);

	assert_true(settled_is_trend(&t, SETTLED_TOLD));
	assert_float_equal(t.to / t.from, 1.0083 / 1.0417, 0.005);
	gsl_rng_free(rng);
}

static void a_change_that_no_figure_shows_is_no_trend(void **state)
{
	double values[20];

	(void)state;
	for (size_t i = 0; i < 20; i++)
		values[i] = 1 + 0.0004 * (double)i;
	struct trend t = settled_trend(&(struct series_of){values, 20}, 1);

	assert_true(t.chance < 1e-6);
	assert_false(settled_is_trend(&t, SETTLED_TOLD));
}

static void a_window_has_rounds_enough(void **state)
{
	(void)state;
	assert_int_equal(settled_window(1, 0.001), SETTLED_ROUNDS);
	assert_int_equal(settled_window(2, 0.001), SETTLED_ROUNDS / 2);
	assert_int_equal(settled_window(1e6, 0.001), SETTLED_WINDOW);
	assert_int_equal(settled_window(0, 0.001), SETTLED_ROUNDS);
	/* 16 samples of 25 ms would take too long */
	assert_int_equal(settled_window(1, 0.025), 10);
	assert_int_equal(settled_window(1, 10), SETTLED_WINDOW);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(falls_and_rises_are_found),
		cmocka_unit_test(what_has_settled_is_left_alone),
		cmocka_unit_test(what_does_not_settle_is_told),
		cmocka_unit_test(one_thread_alone_counts),
		cmocka_unit_test(costs_that_are_no_numbers_settle_at_once),
		cmocka_unit_test(chances_are_those_of_the_tables),
		cmocka_unit_test(a_long_series_is_like_a_short_one),
		cmocka_unit_test(a_change_that_no_figure_shows_is_no_trend),
		cmocka_unit_test(a_window_has_rounds_enough),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
