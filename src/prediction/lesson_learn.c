/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits the parts of the model to a profile, and finds how far they are off. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "prediction/lesson.h"

/* What threads on a core cost beyond what the rest of the model says, and latencies under load. */
static void learn_beside(struct lesson *l)
{
	for (size_t i = 0; i < l->nbeside; i++) {
		struct lesson_beside *b = &l->beside[i];

		if (b->view.kind == SCENE_LOADED) {
			load_curves_add(&l->curves, &l->scene, l->model.alone, &b->view, b->ends);
			continue;
		}
		double *alone = alloc_zeroed(b->view.count, sizeof(*alone));
		char *why = lesson_predict_apart(l, &b->view, b->steady, alone);

		if (!why && b->view.kind == SCENE_CORE)
			siblings_add(&l->siblings, &b->view, b->ends, alone);
		free(why);
		free(alone);
	}
	siblings_fit(&l->siblings, l->scene.machine.kernels);
	load_curves_fit(&l->curves);
}

/* Nothing is fitted to threads that share caches: all of them are left out. */
static size_t shared_caches(const struct lesson *l, double *out)
{
	size_t found = 0;

	for (size_t i = 0; i < l->nbeside; i++) {
		const struct lesson_beside *b = &l->beside[i];
		double *ends = alloc_zeroed(b->view.count, sizeof(*ends));
		char *why = b->view.kind == SCENE_HELD_TOGETHER
				    ? lesson_predict_apart(l, &b->view, b->steady, ends)
				    : alloc_format("of another kind");

		if (!why)
			out[found++] = learn_worst(b->ends, ends, b->view.count);
		free(why);
		free(ends);
	}
	return found;
}

static size_t left_out(const struct lesson *l, const struct learn *all, size_t kind, double *out)
{
	if (kind == SCENE_HELD)
		return stairs_left_out(&l->stairs, &l->scene, out);
	if (kind == SCENE_HELD_TOGETHER)
		return shared_caches(l, out);
	if (kind == SCENE_CORE)
		return siblings_left_out(&l->siblings, out);
	if (kind == SCENE_LOADED)
		return load_curves_left_out(&l->curves, out);
	if (kind == SCENE_STATE)
		return states_left_out(&l->states, out);
	if (kind == SCENE_MEETING)
		return meetings_left_out(&l->meetings, out);
	return learn_left_out(all, LEARN_NONE, kind, out);
}

/* Room for all residuals of a kind. */
static size_t most_figures(const struct lesson *l)
{
	size_t n = l->figures + l->learned;

	for (size_t i = 0; i < l->nbeside; i++)
		n += l->beside[i].view.count;
	return n;
}

static bool has_several(const struct learn *l)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->runs[i].count > 1)
			return true;
	return false;
}

void lesson_learn(struct lesson *l, double confidence)
{
	const size_t cells = l->scene.machine.kernels * l->scene.machine.classes;
	const struct learn all = {&l->scene.machine, l->runs, l->count};

	l->model.alone = alloc_zeroed(cells + 1, sizeof(double));
	l->errors.alone = alloc_zeroed(cells + 1, sizeof(double));
	for (size_t i = 0; i < cells; i++)
		l->errors.alone[i] = NAN;
	for (size_t i = 0; i < LEARN_COMMON; i++)
		*learn_common(&l->errors, i) = NAN;
	l->parameters = learn_model(&all, LEARN_NONE, &l->model, &l->errors);
	l->fitted = l->parameters > 0 && has_several(&all);
	if (l->parameters <= 0)
		l->parameters = learn_alone(&all, &l->model);
	stairs_fit(&l->stairs, &l->scene);
	meetings_fit(&l->meetings, l->scene.topo);
	learn_beside(l);
	double *residuals = alloc_zeroed(most_figures(l) + 1, sizeof(*residuals));

	for (size_t kind = 0; kind < SCENE_KINDS; kind++)
		l->margins[kind] =
			learn_margin(residuals, left_out(l, &all, kind, residuals), confidence);
	free(residuals);
	lesson_learn_alike(l, confidence);
}
