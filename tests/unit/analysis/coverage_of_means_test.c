/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Do intervals of means over cells cover what they say? Simulated with the project's own functions:
 * rows of a table, each a run of its own or a thread of one run, whose placements differ by 1 %.
 * The seed is fixed.
 *
 * Arguments as those of coverage_of_intervals_test: `all` takes 5000 draws and narrow limits,
 * `table` prints the manual's table, `values` the values of `expected`.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "analysis/factors.h"
#include "statistics/intervals.h"
#include "statistics/stats.h"

enum { DRAWS = 5000, SHORT_DRAWS = 500, SAMPLES = 10, MOST_ROWS = 64 };

static const size_t rows[] = {2, 8, 64}, placements[] = {1, 2, 3, 5, 8};
enum { ROWS = sizeof(rows) / sizeof(*rows), PLACED = sizeof(placements) / sizeof(*placements) };

enum kind { SPEEDUPS, UNEQUAL, COSTS, THREADS, CELLS, KINDS };

static const char *const names[KINDS] = {"speedups over one baseline",
	"the same, of runs that vary unlike", "costs of runs", "threads of a run, half alike",
	"speedups of which only the cells are known"};

static const double expected[KINDS][PLACED][ROWS] = {
	{{96.7, 96.2, 94.9}, {98.3, 97.4, 95.4}, {96.9, 96.5, 95.3}, {96.0, 95.3, 95.2},
		{94.9, 94.5, 95.0}},
	{{96.6, 96.0, 95.3}, {97.9, 98.4, 95.7}, {96.1, 96.1, 94.9}, {95.3, 95.7, 95.0},
		{95.3, 95.5, 95.3}},
	{{96.6, 97.7, 97.5}, {97.5, 97.8, 96.0}, {96.5, 95.4, 95.2}, {95.6, 95.7, 95.0},
		{95.0, 95.4, 95.1}},
	{{99.5, 100.0, 100.0}, {95.0, 95.0, 95.1}, {94.9, 94.6, 95.3}, {95.0, 95.4, 95.4},
		{94.6, 95.0, 95.4}},
	{{98.2, 99.5, 99.7}, {99.5, 100.0, 100.0}, {98.8, 99.8, 99.9}, {98.3, 99.4, 99.7},
		{97.3, 99.2, 99.6}},
};

static double normal(gsl_rng *rng, double sd)
{
	return gsl_ran_gaussian_ziggurat(rng, sd);
}

/* A figure of which the truth is 1, with effects of placements beside its own. One placement: the
 * interval is that of its samples. */
static struct estimate figure(gsl_rng *rng, const double *effects, double sd, size_t n)
{
	struct estimate x = {.placements = n};
	double samples[SAMPLES];
	struct amount a;
	struct stats s;

	for (size_t p = 0; p < n; p++)
		x.each[p] = exp(effects[p] + normal(rng, sd));
	a = interval_of_values(x.each, n, 0.95);
	if (n == 1) {
		for (int i = 0; i < SAMPLES; i++)
			samples[i] = 1 + effects[0] + normal(rng, sd);
		assert_int_equal(stats_of(samples, SAMPLES, 0.95, &s), 0);
		a = (struct amount){s.mean, s.mean - s.ci_mean, s.mean + s.ci_mean};
	}
	x.value = a.value;
	x.low = a.low;
	x.high = a.high;
	return x;
}

/* In one placement samples tell nothing of the placement. */
static void draw_effects(gsl_rng *rng, double sd, double *effects, size_t n)
{
	for (size_t p = 0; p < n; p++)
		effects[p] = n > 1 ? normal(rng, sd) : 0;
}

struct sheet {
	struct amount cells[MOST_ROWS];
	struct factor factors[MOST_ROWS * FACTORS];
};

static void fill_row(gsl_rng *rng, enum kind kind, struct sheet *s, size_t i, size_t n,
	const struct estimate *base, const double *common)
{
	static const struct samples samples; /* one place for each kind of figure is enough */
	const double sd = kind == UNEQUAL ? 0.01 * exp(normal(rng, 0.5)) : 0.01;
	const double none[PLACEMENTS_MAX] = {0};
	const bool threads = kind == THREADS;
	struct estimate own = figure(rng, threads ? common : none, threads ? sd / 2 : sd, n);
	struct factor *f = &s->factors[i * FACTORS];

	f[1] = (struct factor){0};
	if (kind == COSTS || threads) {
		s->cells[i] = (struct amount){own.value, own.low, own.high};
		f[0] = (struct factor){1, threads ? 0 : i, &samples, 0, (int)i, own};
		return;
	}
	f[0] = (struct factor){1, MOST_ROWS, &samples, 0, 0, *base};
	f[1] = (struct factor){-1, i, &samples, 0, 0, own};
	s->cells[i] = n > 1 ? interval_of_ratio(base->each, n, own.each, n, 0.95)
			    : amount_ratio((struct amount){base->value, base->low, base->high},
				      (struct amount){own.value, own.low, own.high});
}

static bool covers(gsl_rng *rng, enum kind kind, size_t m, size_t n)
{
	static struct sheet sheet;
	double common[PLACEMENTS_MAX], weights[MOST_ROWS];
	const double none[PLACEMENTS_MAX] = {0};
	struct estimate base = figure(rng, none, 0.01, n);

	draw_effects(rng, 0.005, common, n);
	for (size_t i = 0; i < m; i++) {
		fill_row(rng, kind, &sheet, i, n, &base, common);
		weights[i] = 1;
	}
	struct amount a = factors_mean(
		&(struct cells){sheet.cells, m, kind == CELLS ? NULL : sheet.factors, 0.95},
		weights);

	return a.low <= 1 && 1 <= a.high;
}

static size_t draws = SHORT_DRAWS;
static double found[KINDS][PLACED][ROWS];

static void simulate(void)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	for (int k = 0; k < KINDS; k++)
		for (int p = 0; p < PLACED; p++)
			for (int r = 0; r < ROWS; r++) {
				size_t covered = 0;

				for (size_t i = 0; i < draws; i++)
					covered +=
						covers(rng, (enum kind)k, rows[r], placements[p]);
				found[k][p][r] = 100.0 * (double)covered / (double)draws;
			}
	gsl_rng_free(rng);
}

/* As coverage_of_intervals_test: four standard errors and one. */
static double limit(double share)
{
	return 1 + 4 * sqrt(share * (100 - share) / (double)draws);
}

static void means_cover_what_the_manual_says(void **state)
{
	bool wrong = false;

	(void)state;
	simulate();
	for (int k = 0; k < KINDS; k++)
		for (int p = 0; p < PLACED; p++)
			for (int r = 0; r < ROWS; r++) {
				double e = expected[k][p][r], f = found[k][p][r];

				if (fabs(f - e) <= limit(e))
					continue;
				print_message("# %s, %zu placements, %zu rows: %.1f %%, not %.1f "
					      "%%\n",
					names[k], placements[p], rows[r], f, e);
				wrong = true;
			}
	assert_false(wrong);
}

/* With two placements a variance is hardly known, samples of threads are taken at the same time,
 * and of cells alone nothing is known: all of these may cover more. */
static void that_is_never_too_narrow(void **state)
{
	(void)state;
	for (int k = 0; k < KINDS; k++)
		for (int p = 0; p < PLACED; p++)
			for (int r = 0; r < ROWS; r++) {
				bool cautious = k == CELLS || placements[p] == 2 ||
						(k == THREADS && placements[p] == 1);

				assert_true(expected[k][p][r] > 94);
				assert_true(cautious || expected[k][p][r] < 98);
			}
}

/* Markdown: a row for each kind and number of placements, a column for each number of rows. */
static int print_table(void)
{
	printf("| mean over |");
	for (int p = 0; p < PLACED; p++)
		printf(" %zu placement%s |", placements[p], placements[p] == 1 ? "" : "s");
	printf("\n| --- |");
	for (int p = 0; p < PLACED; p++)
		printf(" --- |");
	for (int k = 0; k < KINDS; k++) {
		printf("\n| %s |", names[k]);
		for (int p = 0; p < PLACED; p++)
			for (int r = 0; r < ROWS; r++)
				printf("%s %.0f%s", r ? "," : "", expected[k][p][r],
					r + 1 < ROWS ? "" : " |");
	}
	printf("\n");
	return 0;
}

static int print_values(void)
{
	draws = DRAWS;
	simulate();
	for (int k = 0; k < KINDS; k++) {
		printf("\t{");
		for (int p = 0; p < PLACED; p++)
			for (int r = 0; r < ROWS; r++)
				printf("%s%.1f%s", r ? ", " : "{", found[k][p][r],
					r + 1 < ROWS     ? ""
					: p + 1 < PLACED ? "}, "
							 : "}},\n");
	}
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		{.name = "intervals of means over cells cover what the manual says",
			.test_func = means_cover_what_the_manual_says},
		{.name = "that is 94 to 98 %, and more where too little is known",
			.test_func = that_is_never_too_narrow},
	};

	if (argc > 1 && !strcmp(argv[1], "table"))
		return print_table();
	if (argc > 1 && !strcmp(argv[1], "values"))
		return print_values();
	if (argc > 1 && !strcmp(argv[1], "all"))
		draws = DRAWS;
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
