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

/* The amount without its interval if half of that is more than a thousand times the value: it says
 * nothing, at length. Every interval that is made on logarithms or with Student's t goes through
 * here, as those of statistics/intervals.h and below do; that of a difference, which may be near 0,
 * does not. */
struct amount amount_said(struct amount a);

/* Distances from the value, above 0, to the ends on a logarithmic scale, to first order. They also
 * exist for an end below 0, which the interval of a mean can have. */
double amount_down(struct amount a);
double amount_up(struct amount a);

/* a / b with independent errors. It is computed on a logarithmic scale, so that no end is below 0:
 * the distance to an end is the root of the sum of the squares of the distances of a and b on that
 * side (Zou and Donner, Construction of confidence limits about effect measures, Statistics in
 * Medicine 27, 2008). */
struct amount amount_ratio(struct amount a, struct amount b);

/* a - b with independent errors; the distance to an end is that root of the distances themselves,
 * so that an end may be below 0. */
struct amount amount_difference(struct amount a, struct amount b);

/* Geometric mean of those of the n amounts that exist (all above 0); NAN when none exists. How they
 * depend on each other is not known: they may all have the same factor. So their errors add up,
 * and the mean is known no better than its parts are on average. When one of the amounts has no
 * interval, the result has none. */
struct amount amount_geometric_mean(const struct amount *a, size_t n);

/* The same of amounts of which those that follow each other with an equal `source` may depend on
 * each other; those of different sources have nothing in common, and the squares of their errors
 * add up. */
struct amount amount_mean_of_sources(const struct amount *a, const size_t *source, size_t n);

/* The ratio of a figure to itself: exactly 1, without uncertainty. */
#define AMOUNT_ONE ((struct amount){1, NAN, NAN})

/* a times an exact factor. */
struct amount amount_times(struct amount a, double factor);

/* The mean of both and of their ends, as the median of an even number of figures has it. */
struct amount amount_between(struct amount a, struct amount b);

/* The amount, above 0, with an interval that reaches over all figures by up to `down` below it and
 * `up` above it, each known to `unsure` beside its own errors; all on the scale of logarithms. */
struct amount amount_moved(struct amount a, double down, double up, double unsure);

/* 1 / a. An end of a that is not above 0 bounds nothing: the result then has no interval. */
struct amount amount_inverse(struct amount a);

#endif
