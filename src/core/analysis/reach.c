/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the levels of a TLB. */
#include "analysis/reach.h"

#include <stdbool.h>
#include <stdlib.h>

#include "analysis/staircase.h"
#include "base/alloc.h"

/* More steps than levels: behind the last level the lines of page tables leave the caches, too, and
 * staircase_find() would take that for a part of the last step. */
#define STEPS (REACH_LEVELS + 2)

/* Where a TLB replaces at random, a quarter of the translations is still found with four times as
 * many pages as it holds; nearly none where it replaces the oldest. */
#define BEYOND 4

static struct amount difference_of(const struct reach_point *p)
{
	return amount_difference(p->apart, p->near);
}

/* The time of a load that hits in every cache. NAN: there is no point. */
static double quickest(const struct reach_point *points, size_t n)
{
	double least = NAN;

	for (size_t i = 0; i < n; i++)
		if (isfinite(difference_of(&points[i]).value))
			least = fmin(least, points[i].near.value);
	return least;
}

static size_t find_steps(
	const struct reach_point *points, size_t n, struct staircase_level *levels, double hit)
{
	struct staircase_point *s = alloc_zeroed(n + 1, sizeof(*s));

	for (size_t i = 0; i < n; i++)
		s[i] = (struct staircase_point){
			(uint64_t)points[i].pages, hit + fmax(difference_of(&points[i]).value, 0)};
	for (size_t i = 0; i < n; i++)
		if (!isfinite(difference_of(&points[i]).value))
			s[i].ns = NAN;
	size_t found = staircase_find(s, n, levels, STEPS);

	free(s);
	return found;
}

/* Does most of what lies behind the step, up to `end` pages, cost more than the plateau before it,
 * whatever the noise? A point without an interval is taken as exact. */
static bool certain(const struct reach_point *points, size_t n, const struct staircase_level *l,
	double hit, double end)
{
	size_t behind = 0, above = 0;

	for (size_t i = 0; i < n; i++) {
		struct amount a = difference_of(&points[i]);

		if (!isfinite(a.value) || points[i].pages < (double)l->high ||
			points[i].pages > end)
			continue;
		behind++;
		above += (isnan(a.low) ? a.value : a.low) > l->ns - hit;
	}
	return 2 * above > behind;
}

static const struct reach_point *last_point(const struct reach_point *points, size_t n)
{
	const struct reach_point *last = NULL;

	for (size_t i = 0; i < n; i++)
		if (isfinite(difference_of(&points[i]).value) &&
			(!last || points[i].pages > last->pages))
			last = &points[i];
	return last;
}

void reach_find(const struct reach_point *points, size_t n, struct reach *r)
{
	const struct reach_point *last = last_point(points, n);
	const double hit = quickest(points, n);
	struct staircase_level steps[STEPS];
	size_t found = find_steps(points, n, steps, hit);

	*r = (struct reach){.walk = AMOUNT_NONE, .most = last ? last->pages : 0};
	for (size_t i = 0; i < found && r->levels < REACH_LEVELS; i++) {
		const struct staircase_level *l = &steps[i];
		double end = i + 1 < found ? (double)steps[i + 1].low : r->most;

		if (certain(points, n, l, hit, end))
			r->pages[r->levels++] =
				(struct amount){(double)l->bytes, (double)l->low, (double)l->high};
	}
	if (r->levels == REACH_LEVELS && r->most >= BEYOND * r->pages[REACH_LEVELS - 1].high)
		r->walk = difference_of(last);
}
