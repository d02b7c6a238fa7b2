/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the figures of many runs know from each other: variances, and rare slow samples. The runs
 * have the stage's two operations of two threads. */
#include "derive_stage.h"

#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "analysis/doubts.h"
#include "analysis/pooling.h"
#include "statistics/intervals.h"

enum { RUNS = 10, PLACEMENTS = 3, EACH = 10, SAMPLES = PLACEMENTS * EACH };

struct data {
	struct thread_sample threads[2][SAMPLES][2];
	struct sample samples[2][SAMPLES];
	struct op_result results[2];
};

static struct data *data;
static struct run runs[RUNS];
static struct experiment experiment = {.runs = runs, .nruns = RUNS};

/* Samples of about 1 ms, with different effects of placements. */
static int build(void **state)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	(void)all;
	fill(state);
	data = calloc(RUNS, sizeof(*data));
	for (int i = 0; i < RUNS; i++) {
		for (int op = 0; op < 2; op++) {
			for (int k = 0; k < SAMPLES; k++) {
				struct sample *s = &data[i].samples[op][k];

				*s = (struct sample){.threads = data[i].threads[op][k],
					.placement = (size_t)k / EACH};
				for (int t = 0; t < 2; t++)
					s->threads[t] = (struct thread_sample){.units = 1,
						.end_ns = (uint64_t)(1e6 * exp(gsl_ran_gaussian(
										   rng, 0.002)))};
			}
			for (int p = 0; p < PLACEMENTS; p++)
				for (int t = 0; t < 2; t++) {
					double effect = exp(gsl_ran_gaussian(rng, 0.01));

					for (int k = 0; k < EACH; k++)
						data[i].threads[op][p * EACH + k][t].end_ns *=
							effect;
				}
			data[i].results[op] = (struct op_result){
				.samples = data[i].samples[op], .count = SAMPLES};
		}
		runs[i] = (struct run){.label = "",
			.request = request,
			.plan = plan,
			.samples = {.plan = &plan, .ops = data[i].results}};
	}
	gsl_rng_free(rng);
	return 0;
}

static int clear(void **state)
{
	(void)state;
	free(data);
	return 0;
}

static double width(struct amount a)
{
	return log(a.high / a.low);
}

static void intervals_of_all_runs_share(void **state)
{
	struct pooling pooling;
	struct figures own, shared;
	double base;

	(void)state;
	request.statistic = STATISTIC_MEDIAN;
	derive_thread(&runs[3].samples, 1, 1, &own);
	struct amount ratio = derive_speedup(&runs[3].samples, 0, 1, &base),
		      total = derive_cost(&runs[3].samples, 1, ALL_THREADS);
	pooling_fit(&pooling, &experiment);
	assert_true(experiment.pooling == &pooling);
	derive_thread(&runs[3].samples, 1, 1, &shared);
	const struct pooling_family *f = &pooling.families[FAMILY_COST];

	/* 10 runs of 2 operations and 2 threads */
	assert_int_equal(f->figures, 4 * RUNS);
	assert_int_equal(f->runs, RUNS);
	assert_null(f->own);
	struct amount expected = interval_sharing(own.cost.each, PLACEMENTS, &f->kin.prior, 0.95);
	assert_true(shared.cost.value == own.cost.value && shared.cost.low == expected.low &&
		    shared.cost.high == expected.high && shared.cost.low != own.cost.low);
	assert_true(shared.busy.low != own.busy.low && shared.unit_s.low != own.unit_s.low);
	/* 20 speedups of threads and 20 totals are too few */
	assert_string_equal(pooling.families[FAMILY_SPEEDUP].own, "too few figures");
	struct amount again = derive_speedup(&runs[3].samples, 0, 1, &base);
	assert_true(again.low == ratio.low && again.high == ratio.high);
	again = derive_cost(&runs[3].samples, 1, ALL_THREADS);
	assert_true(again.low == total.low);
	/* the prior of a kind is what its figures take */
	pooling.families[FAMILY_SPEEDUP].kin.prior =
		pooling.families[FAMILY_COST_OF_ALL].kin.prior =
			(struct prior){30, 30, 1e-12, INFINITY, 60};
	again = derive_speedup(&runs[3].samples, 0, 1, &base);
	assert_true(width(again) < width(ratio) / 100);
	again = derive_cost(&runs[3].samples, 1, ALL_THREADS);
	assert_true(width(again) < width(total) / 100);
}

/* Each kind has the figures of its own: with `solo` costs of threads alone, too, and two ratios. */
static void each_kind_has_its_figures(void **state)
{
	static const struct {
		enum family family;
		size_t of_run;
	} cases[] = {{FAMILY_COST, 8}, {FAMILY_BUSY, 8}, {FAMILY_UNIT, 8}, {FAMILY_COST_OF_ALL, 6},
		{FAMILY_BANDWIDTH, 6}, {FAMILY_TRAFFIC, 6}, {FAMILY_SPEEDUP, 2},
		{FAMILY_SPEEDUP_OF_ALL, 1}, {FAMILY_SLOWDOWN, 4}, {FAMILY_OVERHEAD, 2}};
	struct samples solos[RUNS][2];
	struct plan one = plan;
	struct pooling pooling;

	(void)state;
	one.nthreads = 1;
	for (int i = 0; i < RUNS; i++) {
		for (int k = 0; k < 2; k++)
			solos[i][k] = (struct samples){
				.plan = &one, .ops = data[(i + 1 + k) % RUNS].results};
		runs[i].solos = solos[i];
	}
	pooling_fit(&pooling, &experiment);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (pooling.families[cases[i].family].figures != cases[i].of_run * RUNS)
			fail_msg("%s: %zu figures", family_names[cases[i].family],
				pooling.families[cases[i].family].figures);
	assert_null(pooling.families[FAMILY_SLOWDOWN].own);
	/* a run that was left out has none */
	runs[2].skipped = true;
	pooling_fit(&pooling, &experiment);
	assert_int_equal(pooling.families[FAMILY_SLOWDOWN].figures, 4 * (RUNS - 1));
	assert_int_equal(pooling.families[FAMILY_COST].runs, RUNS - 1);
}

/* One sample in 100 takes three times as long. */
static void make_rarely_slow(void)
{
	for (int i = 0; i < RUNS; i++)
		data[i].threads[0][i][0].end_ns *= 3;
}

static void a_mean_without_its_rare_slow_samples_has_no_interval(void **state)
{
	struct pooling pooling;
	struct figures met, not_met;
	struct errors e = {0};
	double base;

	(void)state;
	make_rarely_slow();
	pooling_fit(&pooling, &experiment);
	/* 10 samples of 1200 add 2 / 120 to the mean; 10 may be 16 */
	double rare = pooling.families[FAMILY_COST].kin.rare;
	assert_true(rare > 0.95 * 2 / 120 * (1 + 2 / sqrt(10)) &&
		    rare < 1.05 * 2 / 120 * (1 + 2 / sqrt(10)));
	/* the interval of the figure that met one is wide */
	derive_thread(&runs[3].samples, 0, 0, &met);
	assert_true(!met.cost.hidden && estimate_error(&met.cost) > rare);
	runs[3].samples.pooling = NULL;
	derive_thread(&runs[3].samples, 1, 0, &not_met);
	assert_true(estimate_error(&not_met.cost) > 0 && estimate_error(&not_met.cost) < rare);
	runs[3].samples.pooling = &pooling;
	derive_thread(&runs[3].samples, 1, 0, &not_met);
	assert_true(not_met.cost.hidden && isnan(not_met.cost.low) && isnan(not_met.cost.high));
	/* nor has its ratio to the one that has an interval */
	assert_true(isnan(derive_speedup(&runs[3].samples, 0, 0, &base).low));
	doubts_tell(&experiment, &e);
	bool told = false;
	for (size_t i = 0; i < e.count; i++)
		told |= strstr(e.list[i].text, "a: the mean of thread 1 has no interval: rare slow "
					       "samples add up to 2.7 % to means, and it may have "
					       "met too few of them (20 operations)") &&
			strstr(e.list[i].hint, "statistic: median");
	if (!told)
		errors_print(&e, 0, stderr);
	assert_true(told);
	errors_free(&e);
	/* a median has one in any case */
	request.statistic = STATISTIC_MEDIAN;
	for (int i = 0; i < RUNS; i++)
		runs[i].request = request;
	pooling_fit(&pooling, &experiment);
	derive_thread(&runs[3].samples, 1, 0, &not_met);
	assert_true(!not_met.cost.hidden && isfinite(not_met.cost.low));
}

static void one_placement_hides_such_means_too(void **state)
{
	struct pooling pooling;
	struct figures f;

	(void)state;
	make_rarely_slow();
	for (int i = 0; i < RUNS; i++)
		for (int op = 0; op < 2; op++)
			data[i].results[op].count = EACH;
	pooling_fit(&pooling, &experiment);
	derive_thread(&runs[3].samples, 0, 0, &f);
	assert_true(!f.cost.hidden && isfinite(f.cost.low));
	derive_thread(&runs[3].samples, 1, 0, &f);
	assert_true(f.cost.placements == 1 && f.cost.hidden && isnan(f.cost.low));
	assert_int_equal(pooling.families[FAMILY_COST].figures, 0);
}

/* So many samples have met the rare ones, and the interval shows it. */
static void means_of_many_samples_have_an_interval(void **state)
{
	const struct kin kin = {.rare = 0.01, .rare_error = 0.1};
	const struct request of_mean = {.statistic = STATISTIC_MEAN, .confidence = 0.95};
	const struct estimate narrow = {
		.value = 1, .low = 0.995, .high = 1.005, .placements = 1, .stats.n = 30};
	struct estimate x = narrow;

	(void)state;
	estimate_share(&of_mean, &kin, &x);
	assert_true(x.hidden && isnan(x.low) && isnan(x.high));
	x = narrow;
	x.stats.n = 1000;
	estimate_share(&of_mean, &kin, &x);
	assert_true(!x.hidden && x.low == narrow.low && x.high == narrow.high);
}

/* One interrupt makes an empty call many times as long. */
static void kernels_that_do_nothing_share_nothing(void **state)
{
	static struct kernel nothing;
	static struct plan_job empty[2];
	struct pooling pooling, without;
	struct figures f;

	(void)state;
	request.statistic = STATISTIC_MEDIAN;
	nothing = *plan.ops[1].jobs[0].kernel;
	nothing.nothing = true;
	pooling_fit(&pooling, &experiment);
	struct plan_job *before = plan.ops[1].jobs;
	for (int t = 0; t < 2; t++) {
		empty[t] = before[t];
		empty[t].kernel = &nothing;
	}
	plan.ops[1].jobs = empty;
	pooling_fit(&without, &experiment);
	derive_thread(&runs[3].samples, 1, 1, &f);
	plan.ops[1].jobs = before;
	assert_int_equal(
		without.families[FAMILY_COST].samples, pooling.families[FAMILY_COST].samples / 2);
	assert_int_equal(without.families[FAMILY_COST_OF_ALL].samples,
		pooling.families[FAMILY_COST_OF_ALL].samples / 2);
	assert_int_equal(without.families[FAMILY_SPEEDUP].samples, 0);
	struct amount own = interval_sharing(f.cost.each, PLACEMENTS, &PRIOR_NONE, 0.95);
	assert_true(f.cost.low == own.low && f.cost.high == own.high);
}

#define BUILT(name, function)                      \
	{                                          \
		name, function, build, clear, NULL \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BUILT("the intervals of all runs share variances, each kind its own",
			intervals_of_all_runs_share),
		BUILT("each kind has the figures of its own, with threads alone",
			each_kind_has_its_figures),
		BUILT("a mean that may lack rare slow samples has no interval, and is told",
			a_mean_without_its_rare_slow_samples_has_no_interval),
		BUILT("with one placement it has none either", one_placement_hides_such_means_too),
		{.name = "of many samples it has one",
			.test_func = means_of_many_samples_have_an_interval},
		BUILT("kernels that do nothing share nothing",
			kernels_that_do_nothing_share_nothing),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
