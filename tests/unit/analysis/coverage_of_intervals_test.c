/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Do intervals cover what they say? One simulation of all of them, with the project's own
 * functions: samples of several shapes, in placements that differ by 0, 1 and 3 %. The seed is
 * fixed, so the answer is always the same.
 *
 * Without an argument 500 draws and wide limits; with the argument `all` 5000 draws and narrow
 * limits (make coverage-of-intervals). `table` prints the manual's table without a simulation,
 * `values` simulates and prints the values of coverage_of_intervals.h.
 */
#include <stdio.h>
#include <string.h>

#include "coverage_shapes.h"

#include "analysis/derive.h"
#include "statistics/intervals.h"
#include "coverage_of_intervals.h"
#include "coverage_watched.h"

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
	return (struct truth){s.mean, s.median, total.median, few_of(rng, shape)};
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
	count(t, SAMPLES_RATIO, amount_ratio(mean, over), 1);
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

/* ---- figures that know from each other */

static double cost(const struct sample *s, int thread)
{
	return (double)s->threads[thread].end_ns * 1e-9;
}

/* A figure that is measured in n placements with these effects. */
static struct estimate estimated(gsl_rng *rng, const struct shape *shape,
	const struct request *request, const double *effect, size_t n)
{
	struct thread_sample threads[PLACEMENTS * SAMPLES] = {0};
	struct sample list[PLACEMENTS * SAMPLES] = {0};
	const struct op_result result = {.samples = list, .count = n * SAMPLES};
	struct estimate x;

	for (size_t p = 0; p < n; p++) {
		double costs[SAMPLES];

		draw(rng, shape, effect[p], costs);
		for (size_t i = 0; i < SAMPLES; i++) {
			size_t k = p * SAMPLES + i;

			threads[k].end_ns = (uint64_t)(costs[i] * 1e9);
			list[k].threads = &threads[k];
			list[k].placement = p;
		}
	}
	assert_int_equal(estimate(request, &result, 0, cost, &x), 0);
	return x;
}

static const struct request of_median = {.confidence = 0.95, .statistic = STATISTIC_MEDIAN},
			    of_mean = {.confidence = 0.95, .statistic = STATISTIC_MEAN};

static void effects_of(gsl_rng *rng, double sd, double *effect)
{
	for (int p = 0; p < PLACEMENTS; p++)
		effect[p] = effect_of(rng, sd);
}

/* Figures of which so many of a run have the same effects but for their sizes. */
static void cover_shared(gsl_rng *rng, const struct shape *shape, double sd, size_t alike,
	double truth, enum interval which, struct coverage *t)
{
	struct estimate x[FIGURES];
	struct gathered all = {0};
	double common[PLACEMENTS], effect[PLACEMENTS];

	for (size_t i = 0; i < FIGURES; i++) {
		double size = effect_of(rng, 0.5);

		if (i % alike == 0)
			effects_of(rng, sd, common);
		for (int p = 0; p < PLACEMENTS; p++)
			effect[p] = pow(common[p], size);
		x[i] = estimated(rng, shape, &of_median, effect, PLACEMENTS);
		pooling_gather(&all, &x[i], i / alike);
	}
	struct pooling_family f = pooling_decide(&all);

	for (size_t i = 0; i < FIGURES; i++) {
		estimate_share(&of_median, &f.kin, &x[i]);
		count(t, which, estimate_amount(&x[i]), truth);
	}
}

/* Ratios of two figures of a run. */
static void cover_shared_ratios(
	gsl_rng *rng, const struct shape *shape, double sd, struct coverage *t)
{
	struct estimate a[FIGURES], b[FIGURES];
	struct gathered all = {0};
	double common[PLACEMENTS], effect[PLACEMENTS];

	for (size_t i = 0; i < FIGURES; i++) {
		double own = sd * effect_of(rng, 0.5) * M_SQRT1_2;
		struct estimate *both[] = {&a[i], &b[i]};

		effects_of(rng, own, common);
		for (int k = 0; k < 2; k++) {
			effects_of(rng, own, effect);
			for (int p = 0; p < PLACEMENTS; p++)
				effect[p] *= common[p];
			*both[k] = estimated(rng, shape, &of_median, effect, PLACEMENTS);
		}
		pooling_gather_ratio(&all, &a[i], &b[i], i);
	}
	struct pooling_family f = pooling_decide(&all);

	for (size_t i = 0; i < FIGURES; i++)
		count(t, RATIO_SHARED, estimate_ratio(&of_median, &a[i], &b[i], &f.kin.prior), 1);
}

/* Means of n placements each: is the interval given, and does it cover? */
static void cover_means(gsl_rng *rng, const struct shape *shape, double sd, size_t n, double truth,
	enum interval given, struct coverage *t)
{
	struct estimate x[FIGURES];
	struct gathered all = {0};
	double effect[PLACEMENTS];

	for (size_t i = 0; i < FIGURES; i++) {
		effects_of(rng, sd * effect_of(rng, 0.5), effect);
		x[i] = estimated(rng, shape, &of_mean, effect, n);
		pooling_gather(&all, &x[i], i);
	}
	struct pooling_family f = pooling_decide(&all);

	for (size_t i = 0; i < FIGURES; i++) {
		estimate_share(&of_mean, &f.kin, &x[i]);
		t->draws[given]++;
		t->covered[given] += !x[i].hidden;
		if (!x[i].hidden)
			count(t, (enum interval)(given + 1), estimate_amount(&x[i]), truth);
	}
}

/* 30 figures at a time, the effects of each of its own size. */
static void cover_figures(gsl_rng *rng, const struct shape *shape, double sd,
	const struct truth *truth, struct coverage *t)
{
	struct verdict verdicts[FIGURES] = {0};

	for (int i = 0; i < FIGURES; i++) {
		double own = sd * effect_of(rng, 0.5);

		verdicts[i].before = runs_of(rng, shape, own);
		verdicts[i].after = runs_of(rng, shape, own);
		struct verdict alone = verdicts[i];
		assert_true(verdict_judge(&alone, 1, 0.01, 0.05));
		count(t, COMPARED, alone.ratio, 1);
	}
	assert_true(verdict_judge(verdicts, FIGURES, 0.01, 0.05));
	for (int i = 0; i < FIGURES; i++)
		count(t, COMPARED_SHARED, verdicts[i].ratio, 1);
	cover_shared(rng, shape, sd, 1, truth->median, SHARED_MEDIAN, t);
	cover_shared(rng, shape, sd, ALIKE, truth->median, SHARED_ALIKE, t);
	cover_shared_ratios(rng, shape, sd, t);
	cover_watched(rng, shape, sd, truth, t);
	cover_means(rng, shape, sd, PLACEMENTS, truth->mean, MEAN_GIVEN, t);
	cover_means(rng, shape, sd, 1, truth->mean, MEAN_GIVEN_HERE, t);
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

/* Four standard errors of a share, and one for what shared variances have in common; per cent.
 * Whether a mean is given depends on all figures at once, which are few in a short simulation. */
static double limit(enum interval w, double share)
{
	if (draws < DRAWS && w >= MEAN_GIVEN && w <= MEAN_COVERS_HERE)
		return 25;
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

				if (fabs(f - e) <= limit((enum interval)w, e))
					continue;
				print_message("# %s, %s, effects of %g %%: %.1f %%, not %.1f %%\n",
					names[w], shapes[i].name, effects[k] * 100, f, e);
				wrong = true;
			}
	assert_false(wrong);
}

static void exceptions_are_few(void **state)
{
	(void)state;
	for (int i = 0; i < SHAPES; i++)
		for (int w = 0; w < INTERVALS; w++)
			for (int k = 0; k < EFFECTS; k++)
				if (!is_exception((enum interval)w, &shapes[i], effects[k])) {
					assert_true(expected[i][w][k] > 92.95);
					assert_true(expected[i][w][k] <
						    most_of((enum interval)w, &shapes[i]));
				}
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

/* As coverage_of_intervals.h has them. */
static int print_values(void)
{
	draws = DRAWS;
	simulate();
	for (int i = 0; i < SHAPES; i++)
		for (int w = 0; w < INTERVALS; w++)
			printf("%s{%.1f, %.1f, %.1f}%s", w ? " " : "\t{", found[i][w][0],
				found[i][w][1], found[i][w][2], w + 1 < INTERVALS ? "," : "},\n");
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
	if (argc > 1 && !strcmp(argv[1], "values"))
		return print_values();
	if (argc > 1 && !strcmp(argv[1], "all"))
		draws = DRAWS;
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
