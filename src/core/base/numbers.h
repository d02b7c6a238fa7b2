/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures for people: units in which they have few digits, and as many digits as they are certain.
 */
#ifndef NUMBERS_H
#define NUMBERS_H

#include <stddef.h>

#include "base/amount.h"

struct scale {
	const char *unit; /* NULL: the figures are shown in the unit that they have */
	double factor;
};

/* The unit in which the smallest of these figures is 1 or more and the largest is not long. unit:
 * of the figures, such as "s" and "seconds per unit". */
struct scale numbers_scale(const char *unit, const struct amount *list, size_t n);

/* The decimals of a figure: those that its interval leaves certain; of one without an interval,
 * four digits. 0 for none. */
int numbers_decimals(struct amount a);

/* Those of figures in one column, if all figures are of one size, and so are their intervals: these
 * of the narrowest one. -1: each needs its own. */
int numbers_common_decimals(const struct amount *list, size_t n);

/* Half of the interval as it is shown: rounded up from .3 of the last decimal, and never 0 unless
 * it is 0 exactly. */
double numbers_half(struct amount a, int decimals);

#endif
