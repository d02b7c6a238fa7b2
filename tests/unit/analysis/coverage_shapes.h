/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is simulated to see what intervals cover: samples of several shapes around 1, and counts of
 * intervals that contain the truth. */
#ifndef COVERAGE_SHAPES_H
#define COVERAGE_SHAPES_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "base/amount.h"
#include "statistics/stats.h"

/* Placements that are fixed, and as many samples as one has alone; threads of the total; figures
 * that share their variances; and results a side of a comparison. */
enum { PLACEMENTS = 3, SAMPLES = 10, THREADS = 2, FIGURES = 30, RUNS = 3 };

/* Figures of a run that depend on each other, where there are 30 figures of 10 runs. */
enum { ALIKE = 3 };

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

/* one in ten is */
static double tenth(gsl_rng *rng, double *last)
{
	double x = normal(rng, last);

	return gsl_rng_uniform(rng) < 0.1 ? x * gsl_ran_flat(rng, 1.05, 1.2) : x;
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
	{"two in five slower", bimodal}, {"one in ten slower", tenth}, {"3 in 100 up to 3x", heavy},
	{"correlated", correlated}};
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
	SHARED_ALIKE,
	WATCHED_MEDIAN,
	WATCHED_SHARED,
	WATCHED_MEAN,
	MEAN_GIVEN,
	MEAN_COVERS,
	MEAN_GIVEN_HERE,
	MEAN_COVERS_HERE,
	RATIO_SAME,
	RATIO_SHARED,
	RATIO_OTHER,
	TOTAL,
	COMPARED,
	COMPARED_SHARED,
	INTERVALS
};

static const char *const names[INTERVALS] = {"mean, one placement", "median, one placement",
	"ratio, one placement", "mean, 3 placements", "median, 3 placements",
	"the same, 30 runs share", "the same, 10 runs of 3 alike share",
	"median, 5 to 10 placements until +-5 %", "the same, 30 runs share of their own lengths",
	"mean, targetError: 5%", "mean, 3 placements, 30 runs: given", "the given ones",
	"mean, one placement, 30 runs: given", "the given ones of one placement",
	"ratio, same placements", "the same, 30 runs share", "ratio, other placements",
	"total of 2 threads", "comparison, 3 runs", "the same, 30 costs"};

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

struct truth {
	double mean, median, total;
	double of_few; /* of SAMPLES_EACH samples, the median in the long run */
};

/* What is covered, by interval. */
struct coverage {
	size_t draws[INTERVALS], covered[INTERVALS];
};

static void count(struct coverage *t, enum interval which, struct amount a, double truth)
{
	t->draws[which]++;
	t->covered[which] += a.low <= truth && truth <= a.high;
}

#endif
