/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units and digits. */
#include "base/numbers.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Figures that differ by more have no decimals in common. */
#define ONE_SIZE 10
/* A figure is not longer than this in its unit, if that has larger ones. */
#define LONG          1e6
#define MOST_DECIMALS 9

/* The units of a quantity, from the smallest; each has the same words behind it. */
static const struct family {
	const char *from; /* as documents have it */
	struct scale scales[5];
} families[] = {
	{"s", {{"ns", 1e9}, {"us", 1e6}, {"ms", 1e3}, {"s", 1}}},
	{"seconds", {{"ns", 1e9}, {"us", 1e6}, {"ms", 1e3}, {"s", 1}}},
	{"seconds per unit", {{"ns per unit", 1e9}, {"us per unit", 1e6}, {"ms per unit", 1e3},
				     {"s per unit", 1}}},
	{"ns", {{"ns", 1}, {"us", 1e-3}, {"ms", 1e-6}, {"s", 1e-9}}},
	{"ns/unit", {{"ns/unit", 1}, {"us/unit", 1e-3}, {"ms/unit", 1e-6}, {"s/unit", 1e-9}}},
	{"1/s", {{"1/s", 1}, {"thousand/s", 1e-3}, {"million/s", 1e-6}, {"billion/s", 1e-9}}},
};

static void range(const struct amount *list, size_t n, double *least, double *most)
{
	*least = INFINITY;
	*most = 0;
	for (size_t i = 0; i < n; i++) {
		double size = fabs(list[i].value);

		if (!isfinite(size) || size <= 0)
			continue;
		*least = fmin(*least, size);
		*most = fmax(*most, size);
	}
}

struct scale numbers_scale(const char *unit, const struct amount *list, size_t n)
{
	const struct family *f = NULL;
	double least, most;

	for (size_t i = 0; unit && i < sizeof(families) / sizeof(*families); i++)
		if (!strcmp(families[i].from, unit))
			f = &families[i];
	range(list, n, &least, &most);
	if (!f || most <= 0)
		return (struct scale){NULL, 1};
	const struct scale *s = f->scales;

	while (s[1].unit && (least * s[1].factor >= 1 || most * s->factor >= LONG))
		s++;
	return *s;
}

static int clamped(double decimals)
{
	return (int)fmax(0, fmin(decimals, MOST_DECIMALS));
}

static double half_of(struct amount a)
{
	return (a.high - a.low) / 2;
}

/* A whole number without an interval is exact. */
static bool is_whole(struct amount a)
{
	return isfinite(a.value) && !(a.high > a.low) && a.value == floor(a.value);
}

int numbers_decimals(struct amount a)
{
	double half = half_of(a), size = fabs(a.value);

	if (!isfinite(size) || is_whole(a))
		return 0;
	/* a figure of a wide interval keeps its first digit */
	double first = size > 0 ? -floor(log10(size)) : 0;

	if (!(half > 0) || !isfinite(half))
		return clamped(3 + first);
	return clamped(fmin(fmax(-floor(log10(half)), first), 5 + first));
}

int numbers_common_decimals(const struct amount *list, size_t n)
{
	double least, most;
	int common = MOST_DECIMALS, finest = 0, needed = 0;
	bool any = false;

	range(list, n, &least, &most);
	if (most > ONE_SIZE * least)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (isfinite(list[i].value) && !is_whole(list[i])) {
			common = (int)fmin(common, numbers_decimals(list[i]));
			finest = (int)fmax(finest, numbers_decimals(list[i]));
			any = true;
		}
	/* in the decimals of a much wider one, an interval would be shown as wider than it is */
	if (any && finest > common + 1)
		return -1;
	if (any)
		common = finest;
	/* the smallest keeps its first digit too */
	if (any && most > 0)
		needed = clamped(-floor(log10(least)));
	return any ? (int)fmax(common, needed) : 0;
}

double numbers_half(struct amount a, int decimals)
{
	double one = pow(10, -decimals);

	if (!(a.high > a.low))
		return 0;
	return fmax(1, floor(half_of(a) / one + 0.7 + 1e-9)) * one;
}
