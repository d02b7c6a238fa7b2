/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the steps of a staircase of latencies. */
#include "analysis/staircase.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* A step is judged from point to point, so points must be about so far apart: in steps of sqrt(2).
 * Of finer ones some are left out. */
#define SPACING M_SQRT2

/* What a plateau may rise and still be one: noise, and the last lines that its sets do not hold. */
#define PLATEAU 1.2
/* From point to point: the rise goes on. Behind a cache of C bytes the time goes up as 1 - C/size,
 * so even the end of a rise to ten times the time has larger steps. */
#define RISING 1.1
/* The least rise of a step: the next level of every processor takes twice as long, and missing
 * translations cost less than half of a load. */
#define STEP 1.5

static int by_size(const void *a, const void *b)
{
	const struct staircase_point *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? -1 : 1;
	return (x->ns > y->ns) - (x->ns < y->ns);
}

/* Which of the larger points is nearest to SPACING times this one, by their ratio. */
static size_t next_apart(const struct staircase_point *p, size_t n, size_t from)
{
	const double wanted = SPACING * (double)p[from].bytes;
	size_t i = from + 1;

	while (i + 1 < n &&
		fabs(log((double)p[i + 1].bytes / wanted)) < fabs(log((double)p[i].bytes / wanted)))
		i++;
	return i;
}

static size_t thin(struct staircase_point *p, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i = next_apart(p, n, i))
		p[kept++] = p[i];
	return kept;
}

/* Sorts, keeps the quickest point of each size and sizes SPACING apart, and takes away what is
 * slower than a larger size: a disturbance. Returns how many are left. */
static size_t clean(struct staircase_point *p, size_t n)
{
	size_t kept = 0;

	qsort(p, n, sizeof(*p), by_size);
	for (size_t i = 0; i < n; i++)
		if (isfinite(p[i].ns) && p[i].ns > 0 && (!kept || p[kept - 1].bytes != p[i].bytes))
			p[kept++] = p[i];
	for (size_t i = kept; i-- > 1;)
		if (p[i - 1].ns > p[i].ns)
			p[i - 1].ns = p[i].ns;
	return thin(p, kept);
}

static size_t end_of_plateau(const struct staircase_point *p, size_t n, size_t first)
{
	size_t i = first;

	while (i + 1 < n && p[i + 1].ns <= p[first].ns * PLATEAU)
		i++;
	return i;
}

static size_t end_of_rise(const struct staircase_point *p, size_t n, size_t last)
{
	size_t i = last + 1;

	while (i + 1 < n && p[i + 1].ns > p[i].ns * RISING)
		i++;
	return i;
}

/* A further step counts for the last level that there is room for: a cache that others use too has
 * several. It ends somewhere from the first of them to the last. */
static void add_level(
	struct staircase_level *levels, size_t *found, size_t most, struct staircase_level l)
{
	if (*found == most) {
		l.low = levels[most - 1].low;
		l.ns = levels[most - 1].ns;
		--*found;
	}
	levels[(*found)++] = l;
}

static size_t find_staircase_levels(
	const struct staircase_point *p, size_t n, struct staircase_level *levels, size_t most)
{
	size_t found = 0, base = 0, last;

	while (most && (last = end_of_plateau(p, n, base)) + 1 < n) {
		size_t next = end_of_rise(p, n, last);
		double low = (double)p[last].bytes, high = (double)p[last + 1].bytes;

		if (p[next].ns >= p[base].ns * STEP)
			add_level(levels, &found, most,
				(struct staircase_level){p[last].bytes, p[last + 1].bytes,
					(uint64_t)sqrt(low * high), p[base].ns});
		base = next;
	}
	return found;
}

size_t staircase_find(
	const struct staircase_point *points, size_t n, struct staircase_level *levels, size_t most)
{
	struct staircase_point *copy = alloc_zeroed(n + 1, sizeof(*copy));
	size_t found;

	if (n)
		memcpy(copy, points, n * sizeof(*copy));
	found = find_staircase_levels(copy, clean(copy, n), levels, most);
	free(copy);
	return found;
}
