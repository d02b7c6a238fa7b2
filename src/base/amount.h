/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures with their confidence intervals. */
#ifndef AMOUNT_H
#define AMOUNT_H

#include <math.h>
#include <stddef.h>

/* All NAN: not measured; low and high NAN: no interval. */
struct amount {
	double value, low, high;
};

#define AMOUNT_NONE ((struct amount){NAN, NAN, NAN})

/* a / b, of independent errors. On the scale of logarithms, so that no end lies below 0: the
 * distance to an end is the root of the sum of squares of theirs on that side (Zou and Donner,
 * Construction of confidence limits about effect measures, Statistics in Medicine 27, 2008). */
struct amount amount_ratio(struct amount a, struct amount b);

/* Of the n amounts that are there, all above 0; NAN when none is. The same for a product of
 * independent factors, and its n-th root. Without an interval when one of them has none. */
struct amount amount_geometric_mean(const struct amount *a, size_t n);

/* A ratio of a figure with itself: 1, and nothing about it is uncertain. */
#define AMOUNT_ITSELF ((struct amount){1, NAN, NAN})

/* a times a factor that is exact. */
struct amount amount_times(struct amount a, double factor);

/* value, with half an interval that is this part of it. */
struct amount amount_within(double value, double error);

#endif
