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

	memcpy(made, list, n * sizeof(*made));
	for (size_t i = n; i < n + more; i++)
		made[i] = NAN;
	free(list);
	return made;
}

/* The cells from `from` on that were not measured. */
static void tell(struct lesson *l, size_t from)
{
	const struct scene *s = &l->scene;
	const size_t classes = s->machine.classes, cells = s->machine.kernels * classes;

	for (size_t i = from; i < cells; i++)
		if (isnan(l->model.alone[i]))
			l->model.alone[i] = alike_cost(s, s->alone, s->measured,
				&s->kinds[i / classes], i % classes, ALIKE_NONE);
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
	tell(l, 0);
	free(residuals);
}

char *lesson_look(struct lesson *l, const struct plan *p, const struct plan_op *op,
	const bool *with, struct scene_view *v)
{
	const struct scene *s = &l->scene;
	const size_t known = s->machine.kernels;
	char *why = scene_look_some(&l->scene, p, op, with, false, v);
	const size_t cells = known * s->machine.classes,
		     more = (s->machine.kernels - known) * s->machine.classes;

	if (more) {
		l->model.alone = longer(l->model.alone, cells, more);
		l->errors.alone = longer(l->errors.alone, cells, more);
		tell(l, cells);
	}
	return why;
}

bool lesson_is_told(const struct lesson *l, const struct model_thread *t)
{
	const struct model_machine *m = &l->scene.machine;

	for (size_t i = 0; i < m->nodes; i++)
		if (model_part(t, i) > 0 &&
			(t->kernel >= l->scene.measured ||
				isnan(l->scene.alone[t->kernel * m->classes +
						     m->pair_class[t->node * m->nodes + i]])))
			return true;
	return false;
}
