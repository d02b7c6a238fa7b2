/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carries what is known of costs between measured ones through the model. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "prediction/lesson.h"

/* Does a cost of its threads lie between others? */
static bool has_between(const struct lesson *l, const struct scene_view *v)
{
	const struct model_machine *m = &l->scene.machine;

	for (size_t i = 0; i < v->count; i++)
		for (size_t node = 0; node < m->nodes; node++) {
			const struct model_thread *t = &v->threads[i];

			if (model_part(t, node) > 0 &&
				isfinite(l->low[t->kernel * m->classes +
						m->pair_class[t->node * m->nodes + node]]))
				return true;
		}
	return false;
}

/* Costs at one end, those that were measured as they are. To be freed. */
static double *at_end(const struct lesson *l, const double *end)
{
	const size_t cells = l->scene.machine.kernels * l->scene.machine.classes;
	double *alone = alloc_zeroed(cells + 1, sizeof(*alone));

	for (size_t i = 0; i < cells; i++)
		alone[i] = isfinite(end[i]) ? end[i] : l->model.alone[i];
	return alone;
}

/* Widens the range by what is predicted with such costs and such a curve of latencies. */
static bool widen(const struct lesson *l, const double *end, enum load_end curve,
	struct scene_view *v, bool steady, double *low, double *high)
{
	struct lesson other = *l;
	double *ends = alloc_zeroed(v->count, sizeof(*ends));

	other.model.alone = at_end(l, end);
	other.curves.end = curve;
	char *why = lesson_predict(&other, v, steady, ends);
	const bool known = !why;

	for (size_t i = 0; known && i < v->count; i++) {
		low[i] = fmin(low[i], ends[i]);
		high[i] = fmax(high[i], ends[i]);
	}
	free(other.model.alone);
	free(ends);
	free(why);
	return known;
}

bool lesson_range(const struct lesson *l, struct scene_view *v, bool steady, const double *ends,
	double *low, double *high)
{
	static const enum load_end curves[] = {LOAD_BELOW, LOAD_ABOVE};
	bool known = true;

	for (size_t i = 0; i < v->count; i++)
		low[i] = high[i] = ends[i];
	if (!has_between(l, v))
		return true;
	for (size_t i = 0; i < 2; i++) {
		known = known && widen(l, l->low, curves[i], v, steady, low, high);
		known = known && widen(l, l->high, curves[i], v, steady, low, high);
	}
	return known;
}
