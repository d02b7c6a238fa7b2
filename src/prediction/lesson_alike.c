/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives the model what kernels cost that were not measured, but that others tell. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "prediction/alike.h"
#include "prediction/lesson.h"

static double *longer(double *list, size_t n, size_t more)
{
	double *made = alloc_zeroed(n + more + 1, sizeof(*made));

	if (n)
		memcpy(made, list, n * sizeof(*made));
	for (size_t i = n; i < n + more; i++)
		made[i] = NAN;
	free(list);
	return made;
}

static void tell_cell(struct lesson *l, size_t cell)
{
	const struct scene *s = &l->scene;
	const size_t kind = cell / s->machine.classes, pair_class = cell % s->machine.classes;
	double *alone = &l->model.alone[cell];

	*alone = alike_cost(s, s->alone, s->measured, &s->kinds[kind], pair_class, ALIKE_NONE);
	if (isfinite(*alone))
		return;
	const struct amount cost = between_cost(&l->between, s, &s->kinds[kind], pair_class);

	*alone = cost.value;
	l->low[cell] = cost.low;
	l->high[cell] = cost.high;
}

/* The cells from `from` on that were not measured. */
static void tell(struct lesson *l, size_t from)
{
	const size_t cells = l->scene.machine.kernels * l->scene.machine.classes;

	for (size_t i = from; i < cells; i++)
		if (isnan(l->model.alone[i]))
			tell_cell(l, i);
}

void lesson_learn_alike(struct lesson *l, double confidence)
{
	struct scene *s = &l->scene;
	const size_t cells = s->machine.kernels * s->machine.classes;
	double *residuals = alloc_zeroed(s->machine.kernels + 1, sizeof(*residuals));

	s->measured = s->machine.kernels;
	s->alone = alloc_zeroed(cells + 1, sizeof(*s->alone));
	memcpy(s->alone, l->model.alone, cells * sizeof(*s->alone));
	l->alike = learn_margin(
		residuals, alike_left_out(s, s->alone, s->measured, residuals), confidence);
	between_learn(&l->between, s, confidence);
	l->low = longer(NULL, 0, cells);
	l->high = longer(NULL, 0, cells);
	tell(l, 0);
	free(residuals);
}

char *lesson_look(struct lesson *l, const struct plan *p, const struct plan_op *op,
	const bool *with, struct scene_view *v)
{
	const struct scene *s = &l->scene;
	const size_t known = s->machine.kernels;
	char *why = scene_look_some(&l->scene, p, op, with, false, v);

	for (int i = 0; i < p->nthreads && !why && !l->states.idles; i++)
		if (scene_idle(p, op, i))
			why = alloc_format("the profile has no thread that does nothing: "
					   "args/profile/26_states.args");
	const size_t cells = known * s->machine.classes,
		     more = (s->machine.kernels - known) * s->machine.classes;

	if (more) {
		l->model.alone = longer(l->model.alone, cells, more);
		l->errors.alone = longer(l->errors.alone, cells, more);
		l->low = longer(l->low, cells, more);
		l->high = longer(l->high, cells, more);
		tell(l, cells);
	}
	return why;
}

bool lesson_is_told(const struct lesson *l, const struct model_thread *t)
{
	const struct model_machine *m = &l->scene.machine;

	for (size_t i = 0; i < m->nodes; i++) {
		const size_t cell = t->kernel * m->classes + m->pair_class[t->node * m->nodes + i];

		if (model_part(t, i) > 0 && isnan(l->low[cell]) &&
			(t->kernel >= l->scene.measured || isnan(l->scene.alone[cell])))
			return true;
	}
	return false;
}
