/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What runs cost more than their baselines, and the levels of a TLB that this shows. */
#include "analysis/extra.h"

#include <stdlib.h>

#include "analysis/reach.h"
#include "base/alloc.h"
#include "base/text.h"

struct amount extra_of(const struct experiment *x, size_t run, int op, int thread)
{
	long base = derive_baseline_index(x, run);

	if (base < 0 || (size_t)base == run || !derive_comparable(x, (size_t)base, run, op, thread))
		return AMOUNT_NONE;
	return amount_difference(quantity_of(x, run, op, thread, QUANTITY_NS_PER_UNIT),
		quantity_of(x, (size_t)base, op, thread, QUANTITY_NS_PER_UNIT));
}

/* A point without runs has no figures. */
static struct reach_point reach_point_of(
	const struct experiment *x, const struct crossings_run *r, int thread)
{
	struct reach_point p = {.apart = AMOUNT_NONE, .near = AMOUNT_NONE};
	long base = r->op < 0 ? -1 : derive_baseline_index(x, (size_t)r->run);

	if (base < 0 || base == r->run ||
		!derive_comparable(x, (size_t)base, (size_t)r->run, r->op, thread))
		return p;
	p.apart = quantity_of(x, (size_t)r->run, r->op, thread, QUANTITY_NS_PER_UNIT);
	p.near = quantity_of(x, (size_t)base, r->op, thread, QUANTITY_NS_PER_UNIT);
	return p;
}

struct amount extra_along(const struct experiment *x, const struct view *v,
	const struct crossings_run *runs, int thread)
{
	const struct words *values = &x->sweep.variables[v->along].values;
	struct reach_point *points = alloc_zeroed(values->count + 1, sizeof(*points));
	const size_t level = v->quantity == QUANTITY_REACH_2;
	struct reach r;

	for (size_t i = 0; i < values->count; i++) {
		points[i] = reach_point_of(x, &runs[i], thread);
		text_position(values->word[i], &points[i].pages);
	}
	reach_find(points, values->count, &r);
	free(points);
	if (v->quantity == QUANTITY_WALK)
		return r.walk;
	if (level < r.levels)
		return r.pages[level];
	return r.most > 0 ? (struct amount){INFINITY, r.most, INFINITY} : AMOUNT_NONE;
}
