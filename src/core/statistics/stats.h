/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a list of samples says about the quantity sampled. This room alone uses GSL. */
#ifndef STATS_H
#define STATS_H

#include <stddef.h>

#include "base/amount.h"

/* All in the unit of the samples. x(k) is the k-th smallest of them, k from 1. */
struct stats {
	size_t n;
	double mean;
	double sd; /* of a sample: sqrt(sum (x - mean)^2 / (n - 1)); 0 for n = 1 */
	/* Middle sample, or the mean of the two middle ones. */
	double median;
	/* Median of |x - median|, not scaled to a standard deviation: R's mad(x, constant = 1). */
	double mad;
	double min, max;
	/* Half-width of the confidence interval of the mean, t(n - 1) * sd / sqrt(n) with the
	 * two-sided quantile of Student's t; 0 for n = 1. Assumes approximately normal samples:
	 * Jain, The Art of Computer Systems Performance Analysis, 1991, section 13.2. */
	double ci_mean;
	/* Confidence interval of the median, x(l) to x(n - l + 1) with the largest l for which it
	 * covers the median at least with the confidence asked for: B(l - 1) <= (1 - confidence) /
	 * 2, B the distribution function of binomial(n, 1/2). Assumes only independent samples:
	 * David and Nagaraja, Order Statistics, 3rd ed., 2003, section 7.1. NAN when even min to
	 * max covers it less often (0.95: n < 6). */
	double median_low, median_high;
	double cv; /* coefficient of variation, sd / mean */
	/* Samples whose modified z-score 0.6745 * |x - median| / mad is above 3.5: Iglewicz and
	 * Hoaglin, How to Detect and Handle Outliers, 1993. They are counted, never dropped. 0 when
	 * mad is 0, as it also is where it is nothing but rounding. */
	size_t outliers;
};

/* Computes *out from samples[n] without reordering them; confidence as in 0.95. Returns 0, or -1
 * with *out unchanged: no samples, one that is not finite, or a confidence outside of 0..1 (both
 * exclusive). */
int stats_of(const double *samples, size_t n, double confidence, struct stats *out);

/* What the quartiles of deviations from a middle, such as a median, say about their shape. */
struct deviations {
	/* How far the middle of the quartiles is from 0, as a part of half their distance: 0 for a
	 * symmetric sample, towards 1 for one whose upper half is the wider one (Bowley, Elements
	 * of Statistics, 1901; Groeneveld and Meeden, The Statistician 33, 1984). */
	double skewness;
	/* Those above the third quartile by more than three times the distance of the quartiles,
	 * their sum and the sum of their squares ("far out": Tukey, Exploratory Data
	 * Analysis, 1977, section 2D). */
	size_t far;
	double far_sum, far_squares;
};

/* Reorders deviations[n], n > 0. */
struct deviations stats_deviations(double *deviations, size_t n);

/* Ratio a / b of n pairs of samples that were taken under the same conditions: exp(d), d the mean
 * of log a[i] - log b[i], and the interval exp(d +- t(n - 1) * sd / sqrt(n)) with the two-sided
 * quantile of Student's t. The interval never goes below 0; an effect that changes both samples of
 * a pair alike does not widen it. The value is a ratio of geometric means. low and high are NAN for
 * n = 1. Returns 0, or -1 with *out unchanged: no samples, one that is not above 0 and finite, or a
 * confidence as above. */
int stats_paired_ratio(
	const double *a, const double *b, size_t n, double confidence, struct amount *out);

#endif
