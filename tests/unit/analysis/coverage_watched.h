/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures that end their sampling themselves: placements are added until the interval over them is
 * narrow. */
#ifndef COVERAGE_WATCHED_H
#define COVERAGE_WATCHED_H

#include "coverage_shapes.h"

#include "analysis/pooling.h"

static double cost_of_drawn(const struct sample *s, int thread)
{
	return (double)s->threads[thread].end_ns * 1e-9;
}

/* A placement's median, where it has few samples: a mixture's is between the modes. */
static double few_of(gsl_rng *rng, const struct shape *shape)
{
	double sum = 0, samples[SAMPLES];
	struct stats s;

	for (int i = 0; i < TRUTH / 10; i++) {
		draw(rng, shape, 1, samples);
		assert_int_equal(stats_of(samples, SAMPLES_EACH, 0.95, &s), 0);
		sum += log(s.median);
	}
	return exp(sum / (TRUTH / 10));
}

static const struct request until_narrow = {.confidence = 0.95,
				    .statistic = STATISTIC_MEDIAN,
				    .placements = PLACEMENTS_LEAST,
				    .placements_most = PLACEMENTS_ENOUGH,
				    .enough = PLACEMENTS_ERROR},
			    until_target = {.confidence = 0.95,
				    .statistic = STATISTIC_MEAN,
				    .placements = PLACEMENTS_LEAST,
				    .placements_most = PLACEMENTS_MAX,
				    .target_error = 0.05,
				    .enough = 0.05};

/* Placements are taken until the interval over them is narrow. */
static struct estimate watched(
	gsl_rng *rng, const struct shape *shape, double sd, const struct request *request)
{
	static struct thread_sample threads[PLACEMENTS_MAX * SAMPLES_EACH];
	static struct sample list[PLACEMENTS_MAX * SAMPLES_EACH];
	struct op_result result = {.samples = list};
	struct estimate x = {.value = NAN};

	for (size_t p = 0; p < request->placements_most; p++) {
		double costs[SAMPLES];

		draw(rng, shape, effect_of(rng, sd), costs);
		for (size_t i = 0; i < SAMPLES_EACH; i++) {
			size_t k = result.count++;

			threads[k].end_ns = (uint64_t)(costs[i] * 1e9);
			list[k].threads = &threads[k];
			list[k].placement = p;
		}
		if (p + 1 < request->placements)
			continue;
		assert_int_equal(estimate(request, &result, 0, cost_of_drawn, &x), 0);
		if (estimate_error(&x) <= request->enough)
			break;
	}
	return x;
}

static void cover_watched(gsl_rng *rng, const struct shape *shape, double sd,
	const struct truth *truth, struct coverage *t)
{
	struct estimate x[FIGURES];
	struct gathered all = {0};

	for (size_t i = 0; i < FIGURES; i++) {
		struct estimate mean = watched(rng, shape, sd, &until_target);

		count(t, WATCHED_MEAN, estimate_amount(&mean), truth->mean);
		x[i] = watched(rng, shape, sd * effect_of(rng, 0.5), &until_narrow);
		count(t, WATCHED_MEDIAN, estimate_amount(&x[i]), truth->of_few);
		pooling_gather(&all, &x[i], i);
	}
	struct pooling_family f = pooling_decide(&all);

	for (size_t i = 0; i < FIGURES; i++) {
		estimate_share(&until_narrow, &f.kin, &x[i]);
		count(t, WATCHED_SHARED, estimate_amount(&x[i]), truth->of_few);
	}
}

#endif
