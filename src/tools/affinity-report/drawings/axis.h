/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An axis of a picture: where values are on it, and which of them it names. */
#ifndef AXIS_H
#define AXIS_H

#include <stdbool.h>

struct axis {
	double least, most; /* the values at its ends */
	bool log;           /* to the base of 2 */
	double from, to;    /* its ends in the picture */
	double mark;        /* from one mark to the next; of axis_round(), unless logarithmic */
};

double axis_at(const struct axis *a, double value);

/* From one mark to the next, where values go up to `most`: 1, 2 or 5 times a power of ten, and few
 * marks. */
double axis_mark(double most);

/* Moves the ends outwards to marks, and to 0 where the axis is not logarithmic. */
void axis_round(struct axis *a);

/* The mark after `value`; the first one is a->least. */
double axis_next(const struct axis *a, double value);

#endif
