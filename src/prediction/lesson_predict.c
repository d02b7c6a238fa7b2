/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predicts what a profile covers. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "prediction/lesson.h"

static char *why_not(int failed, size_t threads)
{
	if (failed == MODEL_UNKNOWN)
		return alloc_format("the profile lacks a kernel alone at a distance of its threads "
				    "(args/profile/03_alone.args)%s",
			threads > 1 ? ", or the latency or bandwidth of a pair of their nodes "
				      "(01_latency, 02_bandwidth)"
				    : "");
	return failed ? alloc_format("waits of its %zu threads do not settle", threads) : NULL;
}

static char *predict_learned(
	const struct lesson *l, const struct scene_view *v, bool steady, double *ends)
{
	const struct learn_run run = {v->threads, ends, v->count, 0, 0, steady};
	char *why = stairs_refuse(&l->stairs, &l->scene, v);

	return why ? why
		   : why_not(learn_predict(&l->scene.machine, &l->model, &run, ends), v->count);
}

static double end_of(const struct model_thread *t, bool steady, double cost)
{
	return steady ? cost : t->start + t->units * t->share * cost;
}

/* Each thread is a kernel of a model that knows it in its place only. Lines that caches do not
 * hold come from memory, where threads queue. */
static char *predict_queues(const struct lesson *l, const struct scene_view *v, bool steady,
	const double *costs, const double *missed, double *ends)
{
	struct model_machine m = l->scene.machine;
	struct model p = l->model;
	struct model_thread *threads = alloc_zeroed(v->count, sizeof(*threads));
	struct model_kernel *kernels = alloc_zeroed(v->count, sizeof(*kernels));
	const struct learn_run run = {threads, ends, v->count, 0, 0, steady};

	m.kernels = v->count;
	m.kernel = kernels;
	p.alone = alloc_zeroed(v->count * m.classes, sizeof(*p.alone));
	for (size_t i = 0; i < v->count * m.classes; i++)
		p.alone[i] = NAN;
	for (size_t i = 0; i < v->count; i++) {
		const struct model_thread *t = &v->threads[i];

		threads[i] = *t;
		threads[i].kernel = i;
		kernels[i] = l->scene.kernels[t->kernel];
		kernels[i].lines *= missed[i];
		p.alone[i * m.classes + m.pair_class[t->node * m.nodes + t->memory]] = costs[i];
	}
	char *why = why_not(learn_predict(&m, &p, &run, ends), v->count);

	free(threads);
	free(kernels);
	free(p.alone);
	return why;
}

static char *predict_held(
	const struct lesson *l, const struct scene_view *v, bool steady, double *ends)
{
	double *costs = alloc_zeroed(2 * v->count, sizeof(*costs)), *missed = costs + v->count;
	char *why = stairs_costs(&l->stairs, &l->scene, v, costs, missed);
	double most = 0;

	for (size_t i = 0; i < v->count && !why; i++) {
		const struct model_thread *t = &v->threads[i];

		most = fmax(most, missed[i]);
		ends[i] = end_of(t, steady, costs[i] * (t->slower > 0 ? t->slower : 1));
	}
	if (!why && most > 0 && v->count > 1)
		why = predict_queues(l, v, steady, costs, missed, ends);
	free(costs);
	return why;
}

static char *predict_meeting(
	const struct lesson *l, const struct scene_view *v, bool steady, double *ends)
{
	double cost;
	char *why = meetings_cost(&l->meetings, &l->scene, v, &cost);

	for (size_t i = 0; i < v->count && !why; i++)
		ends[i] = end_of(&v->threads[i], steady, cost);
	return why;
}

char *lesson_predict_apart(
	const struct lesson *l, const struct scene_view *v, bool steady, double *ends)
{
	return (v->held ? predict_held : predict_learned)(l, v, steady, ends);
}

static char *predict(const struct lesson *l, struct scene_view *v, bool steady, double *ends)
{
	char *why;

	if (v->kind == SCENE_MEETING)
		return predict_meeting(l, v, steady, ends);
	if (v->kind == SCENE_STATE)
		return states_cost(&l->states, &l->scene, v, ends);
	if (v->kind == SCENE_LOADED)
		return load_curves_cost(&l->curves, &l->scene, l->model.alone, v, ends);
	why = v->kind == SCENE_CORE ? siblings_slow(&l->siblings, &l->scene, v) : NULL;
	return why ? why : lesson_predict_apart(l, v, steady, ends);
}

/* All go on when the last one has come, so that they end together. */
static char *add_meetings(const struct lesson *l, const struct scene_view *v, double *ends)
{
	double each, last = 0;

	if (!(v->meetings.count > 0))
		return NULL;
	char *why = meetings_each(&l->meetings, &l->scene, v, &each);

	for (size_t i = 0; i < v->count; i++)
		last = fmax(last, ends[i]);
	for (size_t i = 0; i < v->count && !why; i++)
		ends[i] = last + v->meetings.count * each;
	return why;
}

static bool waits_in_memory(enum scene_kinds kind)
{
	return kind == SCENE_PRIVATE || kind == SCENE_SHARED || kind == SCENE_SPREAD;
}

char *lesson_predict(const struct lesson *l, struct scene_view *v, bool steady, double *ends)
{
	const enum scene_kinds needed = v->kind == SCENE_HELD_TOGETHER ? SCENE_HELD : v->kind;

	if (!l->of_kind[needed])
		return alloc_format("the profile has no run of %s: args/%s.args",
			scene_kind_names[needed], scene_kind_files[needed]);
	char *why = waits_in_memory(v->kind) ? seen_refuse(&l->seen, &l->scene, v) : NULL;

	if (!why)
		why = predict(l, v, steady, ends);
	if (!why)
		why = add_meetings(l, v, ends);
	/* what is fitted to noise may be no time */
	for (size_t i = 0; i < v->count && !why; i++)
		if (!(ends[i] > (steady ? 0 : v->threads[i].start)) || !isfinite(ends[i]))
			why = alloc_format("what the profile has of its threads is too noisy");
	return why;
}
