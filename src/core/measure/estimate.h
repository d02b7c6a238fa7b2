/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thread's cost from its samples, with its interval. */
#ifndef ESTIMATE_H
#define ESTIMATE_H

#include "base/amount.h"
#include "statistics/prior.h"
#include "statistics/stats.h"
#include "measure/samples.h"

/* A figure of one thread in one sample, such as sample_cost. */
typedef double sample_figure(const struct sample *s, int thread);

struct estimate {
	struct stats stats;   /* of the samples that count, without warm-up, of all placements */
	double value;         /* the statistic that the file asks for; of several placements, the
				 geometric mean of their statistics */
	double low, high;     /* its confidence interval. Several placements: Student's t over them
				 (statistics/intervals.h). One: of this placement only, of the mean
				 (Student's t) or of the median (order statistics); NAN for a minimum,
				 and where there are too few samples */
	double moved, unsure; /* what undisturbed samples cost over all, as a logarithm, and half
				 the interval of that (analysis/undisturbed.h), where the
				 interval reaches over both; else 0 */
	size_t placements;    /* that have samples that count */
	double each[PLACEMENTS_MAX]; /* [placements]: the statistic in each */
	struct deviations shape;     /* of the samples, as parts of the median of their placement */
	bool hidden; /* it has no interval because of rare slow samples: estimate_share(). Neither
			has a ratio of it */
};

/* 0, or -1 when there is no sample that counts. */
int estimate(const struct request *q, const struct op_result *result, int thread,
	sample_figure *figure, struct estimate *out);

/* The same, of the samples of one placement, which begin with the sample `first`. */
int estimate_placement(const struct request *q, const struct op_result *result, size_t first,
	int thread, sample_figure *figure, struct estimate *out);

/* The same, without the samples that have one of these flags (DISTURBED_*). */
int estimate_without(const struct request *q, const struct op_result *result, unsigned disturbed,
	int thread, sample_figure *figure, struct estimate *out);

/* The same, from values: one for each sample of the result that counts, in their order, but without
 * those of samples that have one of the flags `disturbed`. */
int estimate_values(const struct request *q, const struct op_result *result, const double *values,
	unsigned disturbed, struct estimate *out);

/* What figures of a kind know from each other. */
struct kin {
	struct prior prior; /* their variances, over placements */
	double rare;        /* the part by which rare slow samples raise their means, at most */
	double rare_error;  /* the standard error that they give to a mean of one sample; over
			       sqrt(n), to one of n */
};

/* Takes the interval over several placements with the variance that figures share. The interval of
 * a mean is left out if half of it is smaller both than what rare slow samples add and than the
 * error that they cause in a mean of so many samples: it met too few of them to know. */
void estimate_share(const struct request *q, const struct kin *k, struct estimate *x);

struct amount estimate_amount(const struct estimate *x);

/* a / b. paired: both were measured in the same placements, and the ratio is taken in each of them
 * (estimate_pair()), with the variance that such ratios share; NULL: interval_of_ratio(). With one
 * placement each: amount_ratio(). It reaches over what is not sure of a and b because of disturbed
 * samples. */
struct amount estimate_ratio(const struct request *q, const struct estimate *a,
	const struct estimate *b, const struct prior *paired);

/* Fills in ratios[a->placements] of the same placements. Returns their number; 0: a and b have
 * different numbers of placements. */
size_t estimate_pair(const struct estimate *a, const struct estimate *b, double *ratios);

/* Half the interval as a fraction of the value; NAN when there is no interval. */
double estimate_error(const struct estimate *x);

/* Largest cost of a placement / smallest - 1; 0 for a single one. */
double estimate_spread(const struct estimate *x);

#endif
