/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks the runs of a profile which threads ran together. */
#include "prediction/coverage.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "input/registry.h"

/* Profiles double the number of threads as far as the cores of a node go: what is below the next
 * step is covered. */
#define STEP 2

/* Of any parameters: lines that a unit of work moves are the model's. */
static const struct kernel *kernel_of(const struct training *t, const struct model_thread *thread)
{
	return t->modelled.kinds[thread->kernel].kernel;
}

static unsigned long long distance_of(const struct training *t, const struct model_thread *thread)
{
	const struct modelled *s = &t->modelled;

	return modelled_distance(
		s, s->pair_class[thread->node * s->machine.nodes + thread->memory]);
}

/* The most threads whose vectors are in one memory; a part of a vector counts as that. */
static double busiest(const struct training *t, const struct model_thread *threads, size_t count)
{
	double most = 0;

	for (size_t node = 0; node < t->modelled.machine.nodes; node++) {
		double n = 0;

		for (size_t i = 0; i < count; i++)
			n += model_part(&threads[i], node);
		most = fmax(most, n);
	}
	return most;
}

/* Vectors on one node and on several wait in the same queues. */
static double most_measured(const struct training *t, enum modelled_kinds kind)
{
	double most = 0;

	for (size_t i = 0; i < t->queues.count; i++) {
		const struct learn_run *r = &t->queues.runs[i];

		if (r->count > 1 && (r->kind == MODELLED_SHARED) == (kind == MODELLED_SHARED))
			most = fmax(most, busiest(t, r->threads, r->count));
	}
	return most;
}

static char *refuse_kernel(
	const struct training *t, enum modelled_kinds kind, const struct model_thread *thread)
{
	const struct kernel *kernel = kernel_of(t, thread);
	const unsigned long long distance = distance_of(t, thread);
	unsigned long long least = 0, most = 0;
	bool known = false;

	for (size_t i = 0; i < t->queues.count; i++)
		for (size_t k = 0; k < t->queues.runs[i].count; k++) {
			const struct learn_run *r = &t->queues.runs[i];

			if (r->kind != kind || r->count < 2 ||
				kernel_of(t, &r->threads[k]) != kernel)
				continue;
			const unsigned long long own = distance_of(t, &r->threads[k]);

			least = !known || own < least ? own : least;
			most = own > most ? own : most;
			known = true;
		}
	if (known && (thread->parts || (distance >= least && distance <= most)))
		return NULL;
	char *name = modelled_kind_name(&t->modelled, thread->kernel), *why;

	if (known)
		why = alloc_format("the profile has %s beside others at distances %llu .. %llu, "
				   "not %llu: args/%s.args, its sweeps with --set over such nodes",
			name, least, most, distance, modelled_kind_files[kind]);
	else
		why = alloc_format("the profile has %s only alone, not among %s: args/%s.args "
				   "with --set kernels=%s",
			name, modelled_kind_names[kind], modelled_kind_files[kind],
			registry_name(kernel));
	free(name);
	return why;
}

/* Did two kernels run on one vector? */
static bool has_pair(const struct training *t, const struct kernel *a, const struct kernel *b)
{
	for (size_t n = 0; n < t->queues.count; n++) {
		const struct learn_run *r = &t->queues.runs[n];

		for (size_t i = 0; i < r->count; i++)
			for (size_t k = 0; k < r->count; k++)
				if (i != k && r->threads[i].vector == r->threads[k].vector &&
					kernel_of(t, &r->threads[i]) == a &&
					kernel_of(t, &r->threads[k]) == b)
					return true;
	}
	return false;
}

static char *refuse_pairs(const struct training *t, const struct modelled_view *v)
{
	for (size_t i = 0; i < v->count; i++)
		for (size_t k = 0; k < i; k++) {
			const struct kernel *a = kernel_of(t, &v->threads[i]),
					    *b = kernel_of(t, &v->threads[k]);

			if (v->threads[i].vector == v->threads[k].vector && !has_pair(t, a, b))
				return alloc_format("the profile has no %s and %s on one vector: "
						    "args/scaling/6_shared.args, or "
						    "args/profile/06_shared.args with --set "
						    "kernels=%s+%s",
					registry_name(b), registry_name(a), registry_name(b),
					registry_name(a));
		}
	return NULL;
}

char *coverage_refuse(const struct training *t, const struct modelled_view *v)
{
	const double most = busiest(t, v->threads, v->count);
	char *why = NULL;

	if (v->count < 2)
		return NULL;
	for (size_t i = 0; i < v->count && !why; i++)
		why = refuse_kernel(t, v->kind, &v->threads[i]);
	if (!why)
		why = refuse_pairs(t, v);
	if (!why && most > 1 && most >= STEP * most_measured(t, v->kind))
		why = alloc_format("%.3g threads use the memory of a node; the profile has %.3g at "
				   "most: args/profile/05_threads.args, or "
				   "args/scaling/3_controller.args for those of several nodes",
			most, most_measured(t, v->kind));
	return why;
}
