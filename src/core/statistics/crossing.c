/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Costs that pay, and curves that cross. */
#include "statistics/crossing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

static const struct amount never = {INFINITY, INFINITY, INFINITY};
static const struct amount always = {-INFINITY, -INFINITY, -INFINITY};
static const struct amount anywhere = {NAN, -INFINITY, INFINITY};
static const struct amount same_memory = {NAN, INFINITY, -INFINITY};

/* ---- once / (dear - cheap) */

/* The numbers u of uses for which M - u d is 0 within its interval begin at the smallest root above
 * 0 of (M - u d)^2 = (M - M.low)^2 + u^2 (d.high - d)^2, of which this is the form that also holds
 * where d is 0 or below. d.high > 0. */
static double fewest(struct amount m, struct amount d)
{
	double c = m.low * (2 * m.value - m.low), a = d.high * (2 * d.value - d.high),
	       both = m.value * d.value;

	return m.low > 0 ? c / (both + sqrt(both * both - a * c)) : 0;
}

/* They end at the largest root of the same with the other ends. d.low > 0. */
static double most(struct amount m, struct amount d)
{
	double c = m.high * (2 * m.value - m.high), a = d.low * (2 * d.value - d.low),
	       both = m.value * d.value;

	return (both + sqrt(both * both - a * c)) / a;
}

struct amount crossing_of_costs(struct amount once, struct amount dear, struct amount cheap)
{
	struct amount d = amount_difference(dear, cheap);

	if (isnan(once.value) || isnan(d.value))
		return AMOUNT_NONE;
	double value = d.value > 0 ? once.value / d.value : INFINITY;

	if (isnan(d.low) || isnan(d.high) || isnan(once.low) || isnan(once.high))
		return (struct amount){value, NAN, NAN};
	if (!(d.high > 0))
		return never;
	return (struct amount){value, fewest(once, d), d.low > 0 ? most(once, d) : INFINITY};
}

/* ---- curves */

/* The other curve less the base at a point. */
struct gap {
	double x;
	struct amount by;
	double base;
};

static int by_x(const void *a, const void *b)
{
	double x = ((const struct gap *)a)->x, y = ((const struct gap *)b)->x;

	return (x > y) - (x < y);
}

/* Points that exist, by x. *sure: all have intervals. Returns their number. */
static size_t take_gaps(const struct crossing_point *points, size_t n, struct gap *gaps, bool *sure)
{
	size_t count = 0;

	*sure = true;
	for (size_t i = 0; i < n; i++) {
		const struct amount r = points[i].ratio;
		const double base = points[i].base;

		if (isnan(r.value) || isnan(base))
			continue;
		*sure &= !isnan(r.low) && !isnan(r.high);
		gaps[count++] = (struct gap){points[i].x,
			{base * (r.value - 1), base * (r.low - 1), base * (r.high - 1)}, base};
	}
	qsort(gaps, count, sizeof(*gaps), by_x);
	return count;
}

/* Where the line between two points is 0. */
static double zero(double x, double y, double next_x, double next_y)
{
	return x + (next_x - x) * y / (y - next_y);
}

/* 1: dearer, -1: cheaper, 0: not known. */
static int side_of_gap(const struct gap *g, bool sure)
{
	if (!sure)
		return (g->by.value > 0) - (g->by.value < 0);
	return (g->by.low > 0) - (g->by.high < 0);
}

/* Where the points lie of which the side is known. */
struct sides {
	long last_dear, first_cheap; /* -1, n: none */
	long last_not_cheap;         /* dear or not known; -1: none */
	bool mixed;                  /* a cheaper point lies before a dearer one */
};

static struct sides find_sides(const struct gap *gaps, long n, bool sure)
{
	struct sides s = {-1, n, -1, false};

	for (long i = 0; i < n; i++) {
		int now = side_of_gap(&gaps[i], sure);

		if (now > 0)
			s.last_dear = i;
		if (now < 0 && s.first_cheap == n)
			s.first_cheap = i;
		if (now >= 0)
			s.last_not_cheap = i;
	}
	s.mixed = s.first_cheap < s.last_dear;
	return s;
}

/* From where on the other curve stays below the base until the last point. An infinity: it does all
 * along (-), or it is above at that point (+). */
static double value_between(const struct gap *gaps, long from, long n)
{
	if (gaps[n - 1].by.value > 0)
		return INFINITY;
	for (long i = n - 2; i >= from; i--)
		if (gaps[i].by.value > 0)
			return zero(
				gaps[i].x, gaps[i].by.value, gaps[i + 1].x, gaps[i + 1].by.value);
	return -INFINITY;
}

static struct amount cross(const struct gap *gaps, long n, bool sure)
{
	const struct sides s = find_sides(gaps, n, sure);
	const long from = s.last_dear, to = s.last_not_cheap;
	struct amount a;

	if (s.mixed && !sure)
		return anywhere;
	if (s.mixed)
		return (struct amount){NAN, gaps[s.first_cheap].x, gaps[s.last_dear].x};
	if (s.last_dear < 0 && s.first_cheap == n)
		return anywhere;
	if (s.last_dear == n - 1)
		return never;
	if (s.last_not_cheap < 0)
		return always;
	a.value = value_between(gaps, from < 0 ? 0 : from, n);
	/* cheaper for certain at one point, and perhaps dearer at the last one */
	if (a.value > 0 && isinf(a.value) && s.first_cheap < n)
		return anywhere;
	a.low = from < 0 ? -INFINITY
			 : zero(gaps[from].x, gaps[from].by.low, gaps[from + 1].x,
				   gaps[from + 1].by.low);
	a.high = to == n - 1
			 ? INFINITY
			 : zero(gaps[to].x, gaps[to].by.high, gaps[to + 1].x, gaps[to + 1].by.high);
	if (!sure)
		a.low = a.high = NAN;
	return a;
}

struct amount crossing_of_curves(const struct crossing_point *points, size_t n)
{
	struct gap *gaps = alloc_zeroed(n + 1, sizeof(*gaps));
	bool sure;
	size_t count = take_gaps(points, n, gaps, &sure);
	struct amount a = count < 2 ? AMOUNT_NONE : cross(gaps, (long)count, sure);

	free(gaps);
	return a;
}

/* x lies between the first and the last point, or is not finite. */
static double base_at(const struct gap *gaps, size_t n, double x)
{
	if (!isfinite(x))
		return x;
	for (size_t i = 1; i < n; i++)
		if (x <= gaps[i].x && gaps[i].x > gaps[i - 1].x)
			return gaps[i - 1].base + (gaps[i].base - gaps[i - 1].base) *
							  (x - gaps[i - 1].x) /
							  (gaps[i].x - gaps[i - 1].x);
	return NAN;
}

/* Widens the finite ends of an interval by a cost; NAN and what is infinite are none. */
static void reach(struct amount *a, double cost)
{
	if (!isfinite(cost))
		return;
	if (isfinite(a->low))
		a->low = fmin(a->low, cost);
	if (isfinite(a->high))
		a->high = fmax(a->high, cost);
}

struct amount crossing_base(const struct crossing_point *points, size_t n, struct amount crossing)
{
	struct gap *gaps = alloc_zeroed(n + 1, sizeof(*gaps));
	bool sure;
	size_t count = take_gaps(points, n, gaps, &sure);
	const double low = base_at(gaps, count, crossing.low),
		     high = base_at(gaps, count, crossing.high);
	struct amount a = {base_at(gaps, count, crossing.value), low, high};

	reach(&a, low);
	reach(&a, high);
	reach(&a, a.value);
	for (size_t i = 0; i < count; i++)
		if (gaps[i].x > crossing.low && gaps[i].x < crossing.high)
			reach(&a, gaps[i].base);
	free(gaps);
	return a;
}

struct amount crossing_same_memory(void)
{
	return same_memory;
}

bool crossing_is_same_memory(struct amount a)
{
	return isnan(a.value) && a.low > a.high;
}

/* ---- words */

const char *crossing_word(struct amount a)
{
	if (isinf(a.value))
		return a.value > 0 ? "never" : "always";
	if (!isnan(a.value) || isnan(a.low))
		return NULL;
	if (crossing_is_same_memory(a))
		return "same memory";
	return isinf(a.low) ? "anywhere" : "mixed";
}

struct amount crossing_from_word(const char *word, struct amount a)
{
	if (word && !strcmp(word, "anywhere"))
		return anywhere;
	if (word && !strcmp(word, "same memory"))
		return same_memory;
	if (word && !strcmp(word, "never"))
		return (struct amount){INFINITY, a.low, INFINITY};
	if (word && !strcmp(word, "always"))
		return (struct amount){-INFINITY, -INFINITY, a.high};
	if (isnan(a.low) && !isnan(a.high))
		a.low = -INFINITY;
	if (isnan(a.high) && !isnan(a.low))
		a.high = INFINITY;
	return a;
}

bool crossing_known(struct amount a)
{
	return !isnan(a.value) || crossing_word(a);
}

/* Pages and uses are counts: 2048, not 2.05e+03. */
static char *number(double x, int digits, bool sizes)
{
	char size[32];

	if (sizes && isfinite(x) && x >= 0)
		return alloc_format("%s", text_size((uint64_t)(x + 0.5), size, sizeof(size)));
	return fabs(x) >= 1000 && fabs(x) < 1e15 ? alloc_format("%.0f", x)
						 : alloc_format("%.*g", digits, x);
}

static char *as_text(struct amount a, bool sizes)
{
	const char *word = crossing_word(a);
	char *value = word             ? alloc_format("%s", word)
		      : isnan(a.value) ? alloc_format("-")
				       : number(a.value, 4, sizes);
	char *low = number(a.low, 3, sizes), *high = number(a.high, 3, sizes), *text;

	if (isfinite(a.low) && isfinite(a.high))
		text = alloc_format("%s (%s .. %s)", value, low, high);
	else if (isfinite(a.low))
		text = alloc_format("%s (%s ..)", value, low);
	else if (isfinite(a.high))
		text = alloc_format("%s (.. %s)", value, high);
	else
		text = alloc_format("%s", value);
	free(value);
	free(low);
	free(high);
	return text;
}

char *crossing_text(struct amount a)
{
	return as_text(a, false);
}

char *crossing_text_of_sizes(struct amount a)
{
	return as_text(a, true);
}
