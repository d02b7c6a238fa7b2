/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Do intervals cover what they say? One simulation of all of them, with the project's own
 * functions: samples of several shapes, in placements that differ by 0, 1 and 3 %. The seed is
 * fixed, so the answer is always the same.
 *
 * Without an argument 500 draws and wide limits; with the argument `all` 5000 draws and narrow
 * limits (make coverage-of-intervals). `table` prints the manual's table without a simulation.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "analysis/derive.h"
#include "base/intervals.h"

/* As many as a run has by default; threads of the total; figures that share their variances; and
 * results a side of a comparison. */
enum { PLACEMENTS = 3, SAMPLES = 10, THREADS = 2, FIGURES = 30, RUNS = 3 };

enum { DRAWS = 5000, SHORT_DRAWS = 500, TRUTH = 200001 };

/* Shapes of samples around 1. */
struct shape {
	const char *name;
	double (*draw)(gsl_rng *rng, double *last);
};

static double normal(gsl_rng *rng, double *last)
{
	(void)last;
	return 1 + gsl_ran_gaussian_ziggurat(rng, 0.01);
}

static double lognormal(gsl_rng *rng, double *last)
{
	(void)last;
	return exp(gsl_ran_gaussian_ziggurat(rng, 0.08));
}

/* two in five are 5 to 20 % slower */
static double bimodal(gsl_rng *rng, double *last)
{
	double x = normal(rng, last);

	return gsl_rng_uniform(rng) < 0.4 ? x * gsl_ran_flat(rng, 1.05, 1.2) : x;
}

/* 3 in 100 take up to three times as long */
static double heavy(gsl_rng *rng, double *last)
{
	double x = normal(rng, last);

	return gsl_rng_uniform(rng) < 0.03 ? x * gsl_ran_flat(rng, 1, 3) : x;
}

/* each resembles the one before it */
static double correlated(gsl_rng *rng, double *last)
{
	*last = 0.5 * *last + gsl_ran_gaussian_ziggurat(rng, 0.01 * sqrt(0.75));
	return 1 + *last;
}

static const struct shape shapes[] = {{"normal, 1 %", normal}, {"lognormal, 8 %", lognormal},
	{"two in five slower", bimodal}, {"3 in 100 up to 3x", heavy}, {"correlated", correlated}};
enum { SHAPES = sizeof(shapes) / sizeof(*shapes) };

static const double effects[] = {0, 0.01, 0.03};
enum { EFFECTS = sizeof(effects) / sizeof(*effects) };

enum interval {
	SAMPLES_MEAN,
	SAMPLES_MEDIAN,
	SAMPLES_RATIO,
	PLACEMENTS_MEAN,
	PLACEMENTS_MEDIAN,
	SHARED_MEDIAN,
	RATIO_SAME,
	RATIO_OTHER,
	TOTAL,
	COMPARED,
	COMPARED_SHARED,
	INTERVALS
};

static const char *const names[INTERVALS] = {"mean, one placement", "median, one placement",
	"ratio, one placement", "mean, 3 placements", "median, 3 placements",
	"the same, 30 figures", "ratio, same placements", "ratio, other placements",
	"total of 2 threads", "comparison, 3 runs", "the same, 30 costs"};

#include "coverage_of_intervals.h"

/* The samples of one placement of one thread. */
static void draw(gsl_rng *rng, const struct shape *shape, double effect, double *samples)
{
	double last = 0;

	for (int i = 0; i < 10; i++) /* the chain forgets its first value */
		shape->draw(rng, &last);
	for (int i = 0; i < SAMPLES; i++)
		samples[i] = effect * shape->draw(rng, &last);
}

static double effect_of(gsl_rng *rng, double sd)
{
	return exp(gsl_ran_gaussian_ziggurat(rng, sd));
}

static struct stats sampled(gsl_rng *rng, const struct shape *shape, double effect)
{
	double samples[SAMPLES];
	struct stats s;

	draw(rng, shape, effect, samples);
	assert_int_equal(stats_of(samples, SAMPLES, 0.95, &s), 0);
	return s;
}

/* All threads of an operation together: the longest of each sample, and the median of these. */
static double total_of(gsl_rng *rng, const struct shape *shape, double effect)
{
	static const struct kernel kernel = {.unit = "access"};
	static struct request request = {.confidence = 0.95, .statistic = STATISTIC_MEDIAN};
	static struct plan_job jobs[THREADS] = {{.kernel = &kernel}, {.kernel = &kernel}};
	static struct plan_op op = {"a", jobs};
	static struct plan_thread places[THREADS];
	static const struct plan plan = {
		.request = &request, .threads = places, .nthreads = THREADS, .ops = &op, .nops = 1};
	struct thread_sample threads[SAMPLES][THREADS] = {0};
	struct sample samples[SAMPLES] = {0};
	struct op_result result = {.samples = samples, .count = SAMPLES};
	const struct samples all = {.plan = &plan, .ops = &result};
	struct totals totals;

	for (int t = 0; t < THREADS; t++) {
		double costs[SAMPLES];

		draw(rng, shape, effect, costs);
		for (int i = 0; i < SAMPLES; i++) {
			samples[i].threads = threads[i];
			threads[i][t].units = 1;
			threads[i][t].end_ns = (uint64_t)(costs[i] * 1e9);
		}
	}
	assert_int_equal(derive_totals(&all, 0, ALL_THREADS, &totals), 0);
	return totals.busy.value;
}

struct truth {
	double mean, median, total;
};

static struct truth truth_of(gsl_rng *rng, const struct shape *shape)
{
	static double all[TRUTH], longest[TRUTH];
	double last[THREADS] = {0};
	struct stats s, total;

	for (int i = 0; i < TRUTH; i++) {
		all[i] = shape->draw(rng, &last[0]);
		longest[i] = fmax(all[i], shape->draw(rng, &last[1]));
	}
	assert_int_equal(stats_of(all, TRUTH, 0.95, &s), 0);
	assert_int_equal(stats_of(longest, TRUTH, 0.95, &total), 0);
	return (struct truth){s.mean, s.median, total.median};
}

/* What is covered, by interval. */
struct coverage {
	size_t draws[INTERVALS], covered[INTERVALS];
};

static void count(struct coverage *t, enum interval which, struct amount a, double truth)
{
	t->draws[which]++;
	t->covered[which] += a.low <= truth && truth <= a.high;
	assert_true(a.low > 0);
}

static void cover_samples(gsl_rng *rng, const struct shape *shape, double sd,
	const struct truth *truth, struct coverage *t)
{
	struct stats a = sampled(rng, shape, effect_of(rng, sd)),
		     b = sampled(rng, shape, effect_of(rng, sd));
	const struct amount mean = {a.mean, a.mean - a.ci_mean, a.mean + a.ci_mean},
			    over = {b.mean, b.mean - b.ci_mean, b.mean + b.ci_mean};

	count(t, SAMPLES_MEAN, mean, truth->mean);
	count(t, SAMPLES_MEDIAN, (struct amount){a.median, a.median_low, a.median_high},
		truth->median);
	count(t, SAMPLES_RATIO, derive_ratio(mean, over), 1);
}

/* Two figures that are measured in the same placements share half of the effects' variance. */
static void cover_placements(gsl_rng *rng, const struct shape *shape, double sd,
	const struct truth *truth, struct coverage *t)
{
	double means[PLACEMENTS], medians[PLACEMENTS], same[PLACEMENTS], other[PLACEMENTS],
		totals[PLACEMENTS];
	struct amount ratio;

	for (int p = 0; p < PLACEMENTS; p++) {
		double shared = effect_of(rng, sd * M_SQRT1_2);
		struct stats s = sampled(rng, shape, shared * effect_of(rng, sd * M_SQRT1_2));

		means[p] = s.mean;
		medians[p] = s.median;
		same[p] = sampled(rng, shape, shared * effect_of(rng, sd * M_SQRT1_2)).median;
		other[p] = sampled(rng, shape, effect_of(rng, sd)).median;
		totals[p] = total_of(rng, shape, effect_of(rng, sd));
	}
	count(t, PLACEMENTS_MEAN, interval_of_values(means, PLACEMENTS, 0.95), truth->mean);
	count(t, PLACEMENTS_MEDIAN, interval_of_values(medians, PLACEMENTS, 0.95), truth->median);
	count(t, TOTAL, interval_of_values(totals, PLACEMENTS, 0.95), truth->total);
	count(t, RATIO_OTHER, interval_of_ratio(medians, PLACEMENTS, other, PLACEMENTS, 0.95), 1);
	assert_int_equal(stats_paired_ratio(medians, same, PLACEMENTS, 0.95, &ratio), 0);
	count(t, RATIO_SAME, ratio, 1);
}

/* The median of each placement, and the cost of a run: their geometric mean. */
static double run_of(gsl_rng *rng, const struct shape *shape, double sd, double *medians)
{
	double product = 1;

	for (int p = 0; p < PLACEMENTS; p++) {
		medians[p] = sampled(rng, shape, effect_of(rng, sd)).median;
		product *= medians[p];
	}
	return pow(product, 1.0 / PLACEMENTS);
}

static struct log_figures runs_of(gsl_rng *rng, const struct shape *shape, double sd)
{
	double costs[RUNS], medians[PLACEMENTS];

	for (int r = 0; r < RUNS; r++)
		costs[r] = run_of(rng, shape, sd, medians);
	return verdict_logs(costs, RUNS);
}

/* 30 figures at a time, the effects of each of its own size. */
static void cover_figures(gsl_rng *rng, const struct shape *shape, double sd,
	const struct truth *truth, struct coverage *t)
{
	double medians[FIGURES][PLACEMENTS];
	struct verdict verdicts[FIGURES] = {0};
	struct amount shared[FIGURES];

	for (int i = 0; i < FIGURES; i++) {
		double own = sd * effect_of(rng, 0.5);

		run_of(rng, shape, own, medians[i]);
		verdicts[i].before = runs_of(rng, shape, own);
		verdicts[i].after = runs_of(rng, shape, own);
		struct verdict alone = verdicts[i];
		assert_true(verdict_judge(&alone, 1, 0.01, 0.05));
		count(t, COMPARED, alone.ratio, 1);
	}
	interval_of_figures(medians[0], PLACEMENTS, FIGURES, 0.95, shared);
	assert_true(verdict_judge(verdicts, FIGURES, 0.01, 0.05));
	for (int i = 0; i < FIGURES; i++) {
		count(t, SHARED_MEDIAN, shared[i], truth->median);
		count(t, COMPARED_SHARED, verdicts[i].ratio, 1);
	}
}

static size_t draws = SHORT_DRAWS;
static double found[SHAPES][INTERVALS][EFFECTS];

static void simulate(void)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	for (int i = 0; i < SHAPES; i++) {
		const struct truth truth = truth_of(rng, &shapes[i]);

		for (int k = 0; k < EFFECTS; k++) {
			struct coverage t = {0};

			for (size_t n = 0; n < draws; n++) {
				cover_samples(rng, &shapes[i], effects[k], &truth, &t);
				cover_placements(rng, &shapes[i], effects[k], &truth, &t);
				if (n % FIGURES == 0)
					cover_figures(rng, &shapes[i], effects[k], &truth, &t);
			}
			for (int w = 0; w < INTERVALS; w++)
				found[i][w][k] = 100.0 * (double)t.covered[w] / (double)t.draws[w];
		}
	}
	gsl_rng_free(rng);
}

/* Four standard errors of a share, and one for what shared variances have in common; per cent. */
static double limit(double share)
{
	return 1 + 4 * sqrt(share * (100 - share) / (double)draws);
}

static void covers_what_the_manual_says(void **state)
{
	bool wrong = false;

	(void)state;
	simulate();
	for (int i = 0; i < SHAPES; i++)
		for (int w = 0; w < INTERVALS; w++)
			for (int k = 0; k < EFFECTS; k++) {
				double e = expected[i][w][k], f = found[i][w][k];

				if (fabs(f - e) <= limit(e))
					continue;
				print_message("# %s, %s, effects of %g %%: %.1f %%, not %.1f %%\n",
					names[w], shapes[i].name, effects[k] * 100, f, e);
				wrong = true;
			}
	assert_false(wrong);
}

/* The exceptions are those that the manual names. */
static bool is_exception(enum interval w, const struct shape *shape, double effect)
{
	if (w == PLACEMENTS_MEAN)
		return shape->draw == heavy;
	if (w == SHARED_MEDIAN)
		return shape->draw == bimodal;
	if (w == SAMPLES_MEDIAN || w == SAMPLES_MEAN || w == SAMPLES_RATIO)
		return effect > 0 || shape->draw == correlated ||
		       (w == SAMPLES_MEAN && (shape->draw == heavy || shape->draw == bimodal));
	return false;
}

static void exceptions_are_few(void **state)
{
	(void)state;
	for (int i = 0; i < SHAPES; i++)
		for (int w = 0; w < INTERVALS; w++)
			for (int k = 0; k < EFFECTS; k++)
				if (!is_exception((enum interval)w, &shapes[i], effects[k]))
					assert_true(expected[i][w][k] > 92.95 &&
						    expected[i][w][k] < 98.5);
}

/* Markdown: a row for each interval, a column for each shape, a number for each effect. */
static int print_table(void)
{
	printf("| interval of 95 %% |");
	for (int i = 0; i < SHAPES; i++)
		printf(" %s |", shapes[i].name);
	printf("\n| --- |");
	for (int i = 0; i < SHAPES; i++)
		printf(" --- |");
	for (int w = 0; w < INTERVALS; w++) {
		printf("\n| %s |", names[w]);
		for (int i = 0; i < SHAPES; i++)
			printf(" %.0f, %.0f, %.0f |", expected[i][w][0], expected[i][w][1],
				expected[i][w][2]);
	}
	printf("\n");
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		{.name = "intervals of means, medians, ratios, totals and comparisons cover what "
			 "the manual says",
			.test_func = covers_what_the_manual_says},
		{.name = "that is 93 to 98 %, but for the exceptions that the manual names",
			.test_func = exceptions_are_few},
	};

	if (argc > 1 && !strcmp(argv[1], "table"))
		return print_table();
	if (argc > 1 && !strcmp(argv[1], "all"))
		draws = DRAWS;
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
