/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is one set of results above another, and how certain is that for many comparisons at once? */
#ifndef VERDICT_H
#define VERDICT_H

#include <stdbool.h>
#include <stddef.h>

/* Mean and sum of squared deviations from it of the logarithms of values[n], all above 0. */
struct log_figures {
	double mean, squares;
	size_t n;
};

struct log_figures verdict_logs(const double *values, size_t n);

/* With at least this many variances, their common size is known well enough to share it. */
#define VERDICT_MODERATE 30

/* Moderated variances of m figures, in place: variances[m], each with df degrees of freedom, are
 * moved towards their common size (Smyth, Statistical Applications in Genetics and Molecular
 * Biology 3, 2004). Returns the degrees of freedom of the moderated variances. */
double verdict_moderate(double *variances, size_t m, double df);

/* One-sided p-value for a difference of logarithms above `limit`, by Student's t; se is its
 * standard error. Without spread (se 0) it is 0 or 1. */
double verdict_above(double difference, double limit, double se, double df);

/* Holm's procedure: marks which of p[m] are rejected when the probability of any wrong rejection
 * may be at most `alpha` (Holm, Scandinavian Journal of Statistics 6, 1979). */
void verdict_holm(const double *p, size_t m, double alpha, bool *rejected);

#endif
