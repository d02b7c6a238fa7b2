/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time of all samples, date by date. */
#include "programs/affinity-fleet/changes_held.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/robust.h"

/* Standard deviations from date to date. */
#define BEYOND 4
/* Of one date nobody knows whether the next is alike. */
#define DATES 2

/* ---- by how much longer samples took than their costs say */

/* What a figure costs the median node at each date, and what each node differs from that by. */
struct costs {
	double *centre; /* [dates * figures] */
	double *own;    /* [nodes * figures]; 0: it has no cost at any date */
};

static void find_centre(const struct fleet_series *s, double *centre)
{
	const size_t row = s->dates * s->layout->figures;
	double *all = alloc_zeroed(s->nodes, sizeof(*all));

	for (size_t i = 0; i < row; i++) {
		for (size_t n = 0; n < s->nodes; n++)
			all[n] = s->values[n * row + i];
		centre[i] = robust_median(all, s->nodes);
	}
	free(all);
}

static void find_own(const struct fleet_series *s, const double *centre, double *own)
{
	const size_t width = s->layout->figures;
	double *all = alloc_zeroed(s->dates, sizeof(*all));

	for (size_t i = 0; i < s->nodes * width; i++) {
		const double *x = s->values + i / width * s->dates * width + i % width;

		for (size_t t = 0; t < s->dates; t++)
			all[t] = x[t * width] - centre[t * width + i % width];
		const double usual = robust_median(all, s->dates);

		own[i] = isnan(usual) ? 0 : usual;
	}
	free(all);
}

/* A cost whose samples were all disturbed is taken as what it is at other dates. */
static double held_at(const struct fleet_series *s, const double *times, const struct costs *c,
	size_t node, size_t date)
{
	const size_t width = s->layout->figures, at = (node * s->dates + date) * width;
	double *all = alloc_zeroed(width, sizeof(*all));

	for (size_t f = 0; f < width; f++) {
		const double cost = isnan(s->values[at + f])
					    ? c->centre[date * width + f] + c->own[node * width + f]
					    : s->values[at + f];

		all[f] = times[at + f] - cost;
	}
	const double usual = robust_median(all, width);

	free(all);
	return usual;
}

/* held[nodes * dates], without what all nodes have at a date. */
static double *held_of(const struct fleet_series *s, const double *times)
{
	double *held = alloc_zeroed(s->nodes * s->dates + s->nodes, sizeof(*held)),
	       *all = held + s->nodes * s->dates;
	struct costs c = {
		alloc_zeroed(s->dates * s->layout->figures, sizeof(double)),
		alloc_zeroed(s->nodes * s->layout->figures, sizeof(double)),
	};

	find_centre(s, c.centre);
	find_own(s, c.centre, c.own);
	for (size_t t = 0; t < s->dates; t++) {
		for (size_t n = 0; n < s->nodes; n++)
			all[n] = held[n * s->dates + t] = held_at(s, times, &c, n, t);
		const double middle = robust_median(all, s->nodes);

		for (size_t n = 0; n < s->nodes; n++)
			held[n * s->dates + t] -= middle;
	}
	free(c.centre);
	free(c.own);
	return held;
}

/* ---- since when */

static double middle_of(const double *x, size_t n)
{
	double *all = alloc_zeroed(n + 1, sizeof(*all));

	for (size_t i = 0; i < n; i++)
		all[i] = x[i];
	const double middle = robust_median(all, n);

	free(all);
	return middle;
}

static double limit_of(const struct fleet_series *s, const double *held)
{
	const size_t count = s->nodes * s->dates;
	double *all = alloc_zeroed(count, sizeof(*all));

	for (size_t i = 0; i < count; i++) {
		const double *node = held + i / s->dates * s->dates;

		all[i] = held[i] - middle_of(node, s->dates);
	}
	const double spread = robust_spread(all, count, 0);

	free(all);
	return fmax(s->floor, BEYOND * spread);
}

/* Are all of x[n] above, and are there enough? */
static bool all_above(const double *x, size_t n, double least, size_t enough)
{
	size_t known = 0;

	for (size_t i = 0; i < n; i++) {
		if (isnan(x[i]))
			continue;
		if (!(x[i] > least))
			return false;
		known++;
	}
	return known >= enough;
}

struct sides {
	double before, after;
};

static struct sides sides_at(const struct fleet_series *s, const double *x, size_t split)
{
	return (struct sides){middle_of(x, split), middle_of(x + split, s->dates - split)};
}

static bool begins(const struct fleet_series *s, const double *x, size_t split, double limit)
{
	const size_t enough = s->least > DATES ? s->least : DATES;

	return all_above(
		       x + split, s->dates - split, sides_at(s, x, split).before + limit, enough) &&
	       all_above(x, split, -INFINITY, enough);
}

static bool ends(const struct fleet_series *s, const double *x, size_t split, double limit)
{
	const size_t enough = s->least > DATES ? s->least : DATES;

	return all_above(x, split, sides_at(s, x, split).after + limit, enough) &&
	       all_above(x + split, s->dates - split, -INFINITY, enough);
}

/* The first date of the longest time that is held up to its end, or behind the longest one from
 * the beginning; 0: neither is. */
static size_t split_of(const struct fleet_series *s, const double *x, double limit)
{
	for (size_t split = s->first; split <= s->last; split++)
		if (begins(s, x, split, limit))
			return split;
	for (size_t split = s->last; split >= s->first; split--)
		if (ends(s, x, split, limit))
			return split;
	return 0;
}

void changes_held(const struct fleet_series *s, const double *times, struct fleet_shifts *shifts)
{
	double *held = held_of(s, times);
	const double limit = limit_of(s, held);

	for (size_t n = 0; n < s->nodes; n++) {
		const double *x = held + n * s->dates;
		struct fleet_shift *v = &shifts->nodes[n];
		const size_t split = v->changed && v->effect > 0 ? 0 : split_of(s, x, limit);
		const struct sides sides = sides_at(s, x, split);

		if (!split || (v->changed && sides.after < sides.before))
			continue;
		*v = (struct fleet_shift){true, true, fleet_sets(s->layout), split,
			sides.after - sides.before, NAN, NAN};
		for (size_t t = 0; t < s->dates; t++)
			shifts->courses[n * s->dates + t] = x[t] - sides.before;
	}
	free(held);
}
