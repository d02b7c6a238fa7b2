/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scale of an axis. */
#include "affinity-report/drawings/axis.h"

#include <math.h>

/* More names of doublings would touch each other. */
#define MOST_DOUBLINGS 8

double axis_at(const struct axis *a, double value)
{
	double part = a->log ? log(value / a->least) / log(a->most / a->least)
			     : (value - a->least) / (a->most - a->least);

	return a->from + part * (a->to - a->from);
}

double axis_mark(double most)
{
	double power = pow(10, floor(log10(most))), first = most / power;

	return first > 5 ? 2 * power : first > 2 ? power : power / 2;
}

void axis_round(struct axis *a)
{
	if (a->log) {
		a->least = exp2(floor(log2(a->least)));
		a->most = exp2(ceil(log2(a->most)));
		return;
	}
	a->mark = axis_mark(fmax(a->most, -a->least));
	a->least = fmin(0, floor(a->least / a->mark) * a->mark);
	a->most = fmax(0, ceil(a->most / a->mark) * a->mark);
}

double axis_next(const struct axis *a, double value)
{
	if (a->log)
		return log2(a->most / a->least) > MOST_DOUBLINGS ? 4 * value : 2 * value;
	return (round(value / a->mark) + 1) * a->mark;
}
