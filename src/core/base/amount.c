/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arithmetic with intervals. */
#include "base/amount.h"

#include <math.h>
#include <stdbool.h>

/* So wide are intervals of two values with one degree of freedom, or of confidences near 1. */
#define NOTHING_SAID 1000

struct amount amount_said(struct amount a)
{
	if (a.high - a.low > 2 * NOTHING_SAID * fabs(a.value))
		a.low = a.high = NAN;
	return a;
}

double amount_down(struct amount a)
{
	return (a.value - a.low) / a.value;
}

double amount_up(struct amount a)
{
	return (a.high - a.value) / a.value;
}

struct amount amount_ratio(struct amount a, struct amount b)
{
	double ratio = a.value / b.value;

	return amount_said((struct amount){ratio, ratio * exp(-hypot(amount_down(a), amount_up(b))),
		ratio * exp(hypot(amount_up(a), amount_down(b)))});
}

struct amount amount_difference(struct amount a, struct amount b)
{
	double d = a.value - b.value;

	return (struct amount){d, d - hypot(a.value - a.low, b.high - b.value),
		d + hypot(a.high - a.value, b.value - b.low)};
}

struct amount amount_mean_of_sources(const struct amount *a, const size_t *source, size_t n)
{
	double logs = 0, down = 0, up = 0, own_down = 0, own_up = 0;
	size_t there = 0;

	for (size_t i = 0; i < n; i++) {
		if (i && source && source[i] != source[i - 1]) {
			down = hypot(down, own_down);
			up = hypot(up, own_up);
			own_down = own_up = 0;
		}
		if (!(a[i].value > 0))
			continue;
		there++;
		logs += log(a[i].value);
		own_down += amount_down(a[i]);
		own_up += amount_up(a[i]);
	}
	if (!there)
		return (struct amount){NAN, NAN, NAN};
	double mean = exp(logs / (double)there);

	return amount_said((struct amount){mean, mean * exp(-hypot(down, own_down) / (double)there),
		mean * exp(hypot(up, own_up) / (double)there)});
}

struct amount amount_geometric_mean(const struct amount *a, size_t n)
{
	return amount_mean_of_sources(a, NULL, n);
}

struct amount amount_times(struct amount a, double factor)
{
	return (struct amount){a.value * factor, a.low * factor, a.high * factor};
}

struct amount amount_between(struct amount a, struct amount b)
{
	return (struct amount){(a.value + b.value) / 2, (a.low + b.low) / 2, (a.high + b.high) / 2};
}

struct amount amount_moved(struct amount a, double down, double up, double unsure)
{
	return amount_said(
		(struct amount){a.value, a.value * exp(-hypot(log(a.value / a.low), unsure) - down),
			a.value * exp(hypot(log(a.high / a.value), unsure) + up)});
}

struct amount amount_inverse(struct amount a)
{
	bool bounded = a.low > 0;

	return amount_said((struct amount){
		1 / a.value, bounded ? 1 / a.high : NAN, bounded ? 1 / a.low : NAN});
}
