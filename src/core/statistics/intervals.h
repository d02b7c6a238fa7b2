/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Confidence intervals of costs and ratios that were measured in several placements: the same
 * vectors, mapped and touched anew. Each placement gives one value, above 0, such as the median of
 * its samples. Samples of one placement share its pages and are not independent; placements are.
 * All intervals are computed on logarithms, so that no end is below 0 (Kalibera and Jones, Rigorous
 * Benchmarking in Reasonable Time, ISMM 2013, for the levels of repetition). */
#ifndef INTERVALS_H
#define INTERVALS_H

#include <stddef.h>

#include "base/amount.h"
#include "statistics/prior.h"
#include "statistics/verdict.h"

/* The t within which, on both sides, Student's t with df degrees of freedom is with this
 * confidence. */
double interval_quantile(double df, double confidence);

/* exp(mean +- t(df) * se): mean and standard error of logarithms, the two-sided quantile of
 * Student's t for a confidence as in 0.95. se 0: the ends are the value. df NAN: no
 * interval. */
struct amount interval_of_logs(double mean, double se, double df, double confidence);

/* The geometric mean of values[n], with t(n - 1); n = 1: no interval. Values that are not above 0
 * and finite, or none: AMOUNT_NONE. */
struct amount interval_of_values(const double *values, size_t n, double confidence);

/* The same with the variance that figures share: t with the degrees of freedom of the moderated
 * variance (prior_moderate()). */
struct amount interval_sharing(
	const double *values, size_t n, const struct prior *p, double confidence);

/* The variance of the logarithms of values[n]; value NAN: there is none, because they are too few
 * or not all above 0. */
struct variance interval_variance(const double *values, size_t n, size_t group);

/* a / b, geometric means of na and nb values that have nothing in common: the difference of the
 * means of logarithms, with the degrees of freedom of Welch (Biometrika 34, 1947) and Satterthwaite
 * (Biometrics Bulletin 2, 1946). One value on a side: no interval. With shared variances it would
 * cover 91 to 94 % (simulated), so there is no such interval. The ratio of values of the same
 * placements is that of stats_paired_ratio(). */
struct amount interval_of_ratio(
	const double *a, size_t na, const double *b, size_t nb, double confidence);

#endif
