/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures with their confidence intervals. */
#ifndef AMOUNT_H
#define AMOUNT_H

#include <math.h>

/* All NAN: not measured; low and high NAN: no interval. */
struct amount {
	double value, low, high;
};

#define AMOUNT_NONE ((struct amount){NAN, NAN, NAN})

/* a / b. Error propagation, to first order and for independent errors: the relative half-width is
 * the root of the sum of squares of theirs (JCGM 100:2008, 5.1.2). */
struct amount amount_ratio(struct amount a, struct amount b);

/* a times a factor that is exact. */
struct amount amount_times(struct amount a, double factor);

/* value, with half an interval that is this part of it. */
struct amount amount_within(double value, double error);

#endif
