/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far predictions are off for runs that the model has not seen. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "model/learn.h"

/* The first run of its group? */
static bool is_first(const struct learn *l, size_t run)
{
	for (size_t i = 0; i < run; i++)
		if (l->runs[i].group == l->runs[run].group)
			return false;
	return true;
}

/* All runs but those of a group. */
static struct learn without_group(const struct learn *l, size_t group, struct learn_run *room)
{
	struct learn rest = {l->machine, room, 0};

	for (size_t i = 0; i < l->count; i++)
		if (l->runs[i].group != group)
			room[rest.count++] = l->runs[i];
	return rest;
}

static bool has_kind(const struct learn *l, size_t group, size_t kind)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->runs[i].group == group && l->runs[i].kind == kind)
			return true;
	return false;
}

static size_t residuals_of(const struct learn *l, size_t group, size_t kind, const struct model *p,
	double *out, double *alone)
{
	size_t n = 0;

	for (size_t i = 0; i < l->count; i++) {
		const struct learn_run *r = &l->runs[i];

		if (r->group != group || r->kind != kind)
			continue;
		double *ends = alloc_zeroed(r->count, sizeof(*ends));

		if (!learn_predict(l->machine, p, r, ends)) {
			out[n] = learn_worst(r->ends, ends, r->count);
			if (alone && !learn_each(l->machine, p, r, ends))
				alone[n] = learn_worst(r->ends, ends, r->count);
			n++;
		}
		free(ends);
	}
	return n;
}

double learn_worst(const double *measured, const double *predicted, size_t threads)
{
	double worst = 0;

	for (size_t i = 0; i < threads; i++) {
		const double off = log(measured[i] / predicted[i]);

		worst = fabs(off) > fabs(worst) ? off : worst;
	}
	return worst;
}

static size_t groups_of(const struct learn *l, size_t kind)
{
	size_t n = 0;

	for (size_t i = 0; i < l->count; i++)
		n += is_first(l, i) && has_kind(l, l->runs[i].group, kind);
	return n;
}

size_t learn_left_out(
	const struct learn *l, size_t without, size_t kind, double *out, double *alone)
{
	struct learn_run *room = alloc_zeroed(l->count, sizeof(*room));
	const struct learn rest = without_group(l, without, room);
	struct model p = {
		.alone = alloc_zeroed(l->machine->kernels * l->machine->classes, sizeof(double))};
	size_t n = 0;

	const size_t groups = groups_of(&rest, kind), step = groups / LEARN_MOST + 1;
	size_t seen = 0;

	for (size_t i = 0; i < rest.count; i++) {
		const size_t group = rest.runs[i].group;

		if (!is_first(&rest, i) || !has_kind(&rest, group, kind) || seen++ % step)
			continue;
		if (learn_model(&rest, group, &p, NULL) > 0)
			n += residuals_of(
				&rest, group, kind, &p, &out[n], alone ? &alone[n] : NULL);
	}
	free(p.alone);
	free(room);
	return n;
}

static int by_size(const void *a, const void *b)
{
	const double x = fabs(*(const double *)a), y = fabs(*(const double *)b);

	return (x > y) - (x < y);
}

double learn_margin(double *residuals, size_t n, double confidence)
{
	const size_t rank = (size_t)ceil((double)(n + 1) * confidence);

	if (!rank || rank > n)
		return NAN;
	qsort(residuals, n, sizeof(*residuals), by_size);
	return fabs(residuals[rank - 1]);
}
