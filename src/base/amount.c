/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arithmetic with intervals. */
#include "base/amount.h"

#include <math.h>

static double relative_half_width(struct amount a)
{
	return (a.high - a.low) / 2 / a.value;
}

struct amount amount_ratio(struct amount a, struct amount b)
{
	double ratio = a.value / b.value;
	double half = ratio * hypot(relative_half_width(a), relative_half_width(b));

	return (struct amount){ratio, ratio - half, ratio + half};
}

struct amount amount_times(struct amount a, double factor)
{
	return (struct amount){a.value * factor, a.low * factor, a.high * factor};
}

struct amount amount_within(double value, double error)
{
	return (struct amount){value, value * (1 - error), value * (1 + error)};
}
