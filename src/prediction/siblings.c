/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads on the hardware threads of a core. */
#include "prediction/siblings.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "model/learn.h"

/* The threads on the core of one of them, itself included, into list. Returns how many. */
static size_t on_core(const struct scene_view *v, size_t thread, size_t *list)
{
	size_t n = 0;

	for (size_t i = 0; i < v->count; i++)
		if (v->cores[i] == v->cores[thread])
			list[n++] = i;
	return n;
}

static double cost_after_start(const struct model_thread *t, double end)
{
	return end - t->start;
}

void siblings_add(
	struct siblings *s, const struct scene_view *v, const double *ends, const double *alone)
{
	size_t *list = alloc_zeroed(v->count, sizeof(*list));

	for (size_t i = 0; i < v->count; i++) {
		const size_t n = on_core(v, i, list);

		if (n < 2 || list[0] != i)
			continue;
		size_t *kernels = alloc_zeroed(n, sizeof(*kernels));
		double *ratios = alloc_zeroed(n, sizeof(*ratios));

		for (size_t k = 0; k < n; k++) {
			const struct model_thread *t = &v->threads[list[k]];

			kernels[k] = t->kernel;
			ratios[k] = cost_after_start(t, ends[list[k]]) /
				    cost_after_start(t, alone[list[k]]);
		}
		s->runs = alloc_grow(s->runs, s->count, sizeof(*s->runs));
		s->of_run = alloc_grow(s->of_run, s->count, sizeof(*s->of_run));
		s->of_run[s->count] = s->views;
		s->runs[s->count++] = (struct core_run){kernels, ratios, n};
	}
	s->views++;
	free(list);
}

void siblings_fit(struct siblings *s, size_t kernels)
{
	s->model.kernels = kernels;
	s->model.extra = alloc_zeroed(kernels * kernels + 1, sizeof(double));
	s->errors = alloc_zeroed(kernels * kernels + 1, sizeof(double));
	core_fit(&s->model, s->runs, s->count, s->errors);
}

void siblings_free(struct siblings *s)
{
	for (size_t i = 0; i < s->count; i++) {
		free((void *)s->runs[i].kernels);
		free((void *)s->runs[i].ratios);
	}
	free(s->runs);
	free(s->of_run);
	free(s->model.extra);
	free(s->errors);
	*s = (struct siblings){0};
}

/* Kernels that were not measured, but are like others, were not measured beside any. */
static bool are_known(const struct core_model *m, const size_t *kernels, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (kernels[i] >= m->kernels)
			return false;
	return true;
}

char *siblings_slow(const struct siblings *s, const struct scene *scene, struct scene_view *v)
{
	size_t *list = alloc_zeroed(v->count, sizeof(*list));
	size_t *kernels = alloc_zeroed(v->count, sizeof(*kernels));
	char *why = NULL;

	for (size_t i = 0; i < v->count && !why; i++) {
		const size_t n = on_core(v, i, list);
		size_t own = 0;

		for (size_t k = 0; k < n; k++) {
			kernels[k] = v->threads[list[k]].kernel;
			own = list[k] == i ? k : own;
		}
		v->threads[i].slower = are_known(&s->model, kernels, n)
					       ? core_ratio(&s->model, kernels, n, own)
					       : NAN;
		if (isfinite(v->threads[i].slower))
			continue;
		char *name = scene_kind_name(scene, v->threads[i].kernel);

		why = alloc_format("the profile does not have what thread %zu shares its core "
				   "with, beside %s",
			i, name);
		free(name);
	}
	free(list);
	free(kernels);
	return why;
}

/* The residual of the thread of a core that is farthest off; NAN: one is not predicted. */
static double worst_on_core(const struct core_model *m, const struct core_run *r)
{
	double *ratios = alloc_zeroed(r->count, sizeof(*ratios));
	bool known = true;

	for (size_t k = 0; k < r->count; k++) {
		ratios[k] = core_ratio(m, r->kernels, r->count, k);
		known &= ratios[k] > 0;
	}
	const double worst = known ? learn_worst(r->ratios, ratios, r->count) : NAN;

	free(ratios);
	return worst;
}

static double worst_of_view(const struct siblings *s, const struct core_model *m, size_t view)
{
	double worst = 0;

	for (size_t i = 0; i < s->count; i++) {
		const double off = s->of_run[i] == view ? worst_on_core(m, &s->runs[i]) : 0;

		if (!(fabs(off) <= fabs(worst)))
			worst = off;
	}
	return worst;
}

size_t siblings_left_out(const struct siblings *s, double *out)
{
	struct core_run *rest = alloc_zeroed(s->count + 1, sizeof(*rest));
	struct core_model m = {s->model.kernels,
		alloc_zeroed(s->model.kernels * s->model.kernels + 1, sizeof(double))};
	size_t found = 0;

	for (size_t view = 0; view < s->views; view++) {
		size_t n = 0;

		for (size_t k = 0; k < s->count; k++)
			if (s->of_run[k] != view)
				rest[n++] = s->runs[k];
		if (n == s->count)
			continue;
		core_fit(&m, rest, n, NULL);
		const double worst = worst_of_view(s, &m, view);

		if (isfinite(worst))
			out[found++] = worst;
	}
	free(m.extra);
	free(rest);
	return found;
}
