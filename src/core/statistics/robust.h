/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Middles and spreads that a few wild values do not move, and the quantiles that limits are made
 * of. NAN stands for a value that is missing. */
#ifndef ROBUST_H
#define ROBUST_H

#include <stddef.h>

/* The median of the values that are not missing; reorders values[n]. NAN: all are missing. */
double robust_median(double *values, size_t n);

/* The same of n values that are `stride` apart, which stay as they are. */
double robust_median_at(const double *values, size_t n, size_t stride);

/* Sorts the values that are not missing to the front of values[n]. Returns how many there are. */
size_t robust_sort(double *values, size_t n);

/* The median of sorted[n] without one of them, which is `value`. NAN: it is the only one. */
double robust_median_but(const double *sorted, size_t n, double value);

/* 1.4826 times the median of |x - middle|: the standard deviation, where values are normal
 * (Hampel, Journal of the American Statistical Association 69, 1974). Overwrites values[n]. */
double robust_spread(double *values, size_t n, double middle);

/* The k-th largest of values[n], k from 1; reorders them. None is missing. */
double robust_largest(double *values, size_t n, size_t k);

/* What a normal value of standard deviation 1 exceeds with this probability. */
double robust_normal_limit(double tail);

/* Half the width of a two-sided interval of Student's t, in standard errors. */
double robust_t_half(double confidence, double df);

/* By how much the median of variances of df degrees of freedom is below their mean: the median of
 * chi-square(df), divided by df. */
double robust_variance_bias(double df);

#endif
