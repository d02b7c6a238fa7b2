/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When figures of a kind share their variances. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "analysis/pooling.h"
#include "statistics/intervals.h"

/* A figure with these logarithms, by placement. */
static struct estimate figure(const double *logs, size_t n)
{
	struct estimate x = {.placements = n, .stats.n = 10 * n};

	for (size_t i = 0; i < n; i++)
		x.each[i] = exp(logs[i]);
	return x;
}

/* So many figures of so many runs, whose placements differ. */
static struct gathered many(size_t m, size_t runs, size_t placements)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct gathered g = {0};

	for (size_t i = 0; i < m; i++) {
		double logs[10];

		for (size_t k = 0; k < placements; k++)
			logs[k] = gsl_ran_gaussian(rng, 0.01);
		struct estimate x = figure(logs, placements);
		pooling_gather(&g, &x, i * runs / m);
	}
	gsl_rng_free(rng);
	return g;
}

static void enough_figures_of_enough_runs_share(void **state)
{
	static const struct {
		size_t figures, runs, placements;
		const char *own;
	} cases[] = {
		{30, 10, 3, NULL},
		{29, 29, 3, "too few figures"},
		{300, 9, 3, "too few runs"},
		{30, 30, 2, NULL},
		{300, 29, 2, "too few runs"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct gathered g = many(cases[i].figures, cases[i].runs, cases[i].placements);
		struct pooling_family f = pooling_decide(&g);

		assert_int_equal(f.figures, cases[i].figures);
		assert_int_equal(f.runs, cases[i].runs);
		assert_int_equal(f.kin.prior.figures, cases[i].own ? 0 : cases[i].figures);
		if (cases[i].own)
			assert_string_equal(f.own, cases[i].own);
		else
			assert_null(f.own);
	}
}

static void samples_that_show_too_little_do_not_share(void **state)
{
	static const double logs[] = {0, 0.01, 0.03}, same[] = {0, 0, 0};
	struct estimate x = figure(logs, 3);
	struct gathered g = many(30, 30, 3);

	(void)state;
	x.stats.n = 8;
	pooling_gather(&g, &x, 30);
	x.stats.n = 30; /* one that has enough does not make up for it */
	pooling_gather(&g, &x, 31);
	assert_string_equal(pooling_decide(&g).own, "too few samples");
	/* up to one in twenty whose placements are equal are left out */
	g = many(38, 38, 3);
	x = figure(same, 3);
	for (size_t i = 0; i < 3; i++) {
		pooling_gather(&g, &x, 38 + i);
		struct gathered so_far = g;
		so_far.list = malloc(g.m * sizeof(*g.list));
		memcpy(so_far.list, g.list, g.m * sizeof(*g.list));
		struct pooling_family f = pooling_decide(&so_far);
		assert_int_equal(f.kin.prior.figures, i < 2 ? 38 : 0);
		if (i == 2)
			assert_string_equal(f.own, "the placements of a figure do not differ");
	}
	free(g.list);
	/* on average, to either side */
	for (int side = -1; side <= 1; side += 2)
		for (int i = 0; i < 2; i++) {
			g = many(30, 30, 3);
			x = figure(logs, 3);
			x.shape.skewness = side * (i ? 0.21 : 0.19) * 31;
			pooling_gather(&g, &x, 30);
			const char *own = pooling_decide(&g).own;
			assert_true(i ? own && !strcmp(own, "samples are lopsided") : !own);
		}
	/* a ratio has the samples of both, and the shape of the more lopsided */
	for (int over = 0; over < 2; over++) {
		struct estimate y = x = figure(logs, 3);

		g = (struct gathered){0};
		y.each[1] = 1;
		*(over ? &x.shape.skewness : &y.shape.skewness) = 0.5;
		for (size_t i = 0; i < 40; i++)
			pooling_gather_ratio(&g, &x, &y, i);
		struct pooling_family f = pooling_decide(&g);
		assert_int_equal(f.samples, 40 * 2 * 30);
		assert_string_equal(f.own, "samples are lopsided");
	}
	/* a figure without logarithms is none that shares */
	g = many(30, 30, 3);
	x = figure(logs, 3);
	x.each[0] = 0;
	pooling_gather(&g, &x, 30);
	assert_int_equal(pooling_decide(&g).figures, 30);
}

/* Figures of a run have the same effects, but for their sizes: the least numbers that share. */
static void least_numbers_cover(void **state)
{
	static const struct {
		size_t placements, runs;
	} cases[] = {{2, POOLING_RUNS_TWO}, {3, POOLING_RUNS}, {5, POOLING_RUNS}};
	enum { DOCUMENTS = 1000 };
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		size_t n = cases[i].placements, alike = POOLING_FIGURES / cases[i].runs;
		double covered = 0;

		for (int d = 0; d < DOCUMENTS; d++) {
			struct estimate x[POOLING_FIGURES];
			struct gathered g = {0};
			double effects[5], logs[5];

			for (size_t k = 0; k < POOLING_FIGURES; k++) {
				double size = exp(gsl_ran_gaussian(rng, 0.5));

				for (size_t p = 0; p < n; p++) {
					if (k % alike == 0)
						effects[p] = gsl_ran_gaussian(rng, 0.01);
					logs[p] = effects[p] * size;
				}
				x[k] = figure(logs, n);
				pooling_gather(&g, &x[k], k / alike);
			}
			struct pooling_family f = pooling_decide(&g);

			for (size_t k = 0; k < POOLING_FIGURES; k++) {
				struct amount a =
					interval_sharing(x[k].each, n, &f.kin.prior, 0.95);
				covered += a.low <= 1 && 1 <= a.high;
			}
		}
		covered *= 100.0 / DOCUMENTS / POOLING_FIGURES;
		print_message("# %zu placements, %zu runs: %.1f %%\n", n, cases[i].runs, covered);
		assert_true(covered > 92.5 && covered < 96);
	}
	gsl_rng_free(rng);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "enough figures of enough runs share their variances",
			.test_func = enough_figures_of_enough_runs_share},
		{.name = "figures whose samples show too little do not",
			.test_func = samples_that_show_too_little_do_not_share},
		{.name = "with the least numbers of figures and runs intervals cover",
			.test_func = least_numbers_cover},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
