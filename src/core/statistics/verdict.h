/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is one set of results above another, and how certain is that for many comparisons at once? */
#ifndef VERDICT_H
#define VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/amount.h"

/* Mean and sum of squared deviations from it of the logarithms of values[n], all above 0. */
struct log_figures {
	double mean, squares;
	size_t n;
};

struct log_figures verdict_logs(const double *values, size_t n);

/* With at least this many variances, their common size is known well enough to share it. */
#define VERDICT_MODERATE 30

/* One-sided p-value for a difference of logarithms above `limit`, by Student's t; se is its
 * standard error. Without spread (se 0) it is 0 or 1. */
double verdict_above(double difference, double limit, double se, double df);

/* Holm's procedure: marks which of p[m] are rejected when the probability of any wrong rejection
 * may be at most `alpha` (Holm, Scandinavian Journal of Statistics 6, 1979). */
void verdict_holm(const double *p, size_t m, double alpha, bool *rejected);

/* One figure in the runs before and after a change. */
struct verdict {
	struct log_figures before, after;
	struct log_figures history; /* of further runs without a change; n 0: there are none */
	/* filled in by verdict_judge() */
	struct amount ratio; /* after / before; its interval is of this figure alone */
	bool slower, faster;
	double found; /* the part by which it must become slower to be found in VERDICT_POWER of the
			 comparisons; NAN if it is not judged */
};

#define VERDICT_POWER      0.8
#define VERDICT_CONFIDENCE 0.95

/* Two runs a side tell enough if figures share their variances and if these are small: for a
 * standard deviation from run to run of 1 %, 4 in 100 comparisons of equals call a figure slower or
 * faster, for 3 % it would be 7. The limit is between them. */
#define VERDICT_TWO_RUNS 0.015

/* The fewest runs of each side with which m figures can be judged, 2 or 3. */
size_t verdict_runs(const struct verdict *list, size_t m);

/* Judges m figures, but for those with fewer runs than the others need: Student's t on logarithms
 * with the variance pooled over both sides and the history, from VERDICT_MODERATE figures on a
 * moderated one; slower and faster mean by more than `tolerance` (a fraction). `errors` is the
 * probability that any figure is wrongly called slower or faster, half of it each. Returns false if
 * there are too few runs; then ratios have no intervals, and nothing is judged. */
bool verdict_judge(struct verdict *list, size_t m, double tolerance, double errors);

/* The fewest runs of a history with which m figures can be listed: of costs that change by 1 % from
 * run to run, 80 % of those that became slower by 10 % are then found. */
size_t verdict_history(size_t m);

/* The same as verdict_judge() with any number of runs a side, and the history alone where that is
 * one. It may list what to measure again, and not judge: if the runs vary 1.5 times as much as
 * those of the history, 15 in 100 comparisons of equals call a figure slower or faster, and 32 if
 * one run in 20 is slow as a whole. Returns false if the history has fewer runs than
 * verdict_history(). */
bool verdict_list(struct verdict *list, size_t m, double tolerance, double errors);

#endif
