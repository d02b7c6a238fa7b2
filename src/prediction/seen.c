/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Remembers threads that ran together. */
#include "prediction/seen.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "input/registry.h"

/* Profiles double the number of threads as far as the cores of a node go: what is below the next
 * step is covered. */
#define STEP 2

static const struct kernel *kernel_of(const struct scene *scene, const struct model_thread *t)
{
	return scene->kinds[t->kernel].kernel;
}

static unsigned long long distance_of(const struct scene *scene, const struct model_thread *t)
{
	return scene_distance(scene, scene->pair_class[t->node * scene->machine.nodes + t->memory]);
}

/* Of any parameters: lines that a unit of work moves are the model's. */
static struct seen_kernel *find(
	const struct seen *s, enum scene_kinds kind, const struct kernel *kernel)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->list[i].kind == kind && s->list[i].kernel == kernel)
			return &s->list[i];
	return NULL;
}

static bool has_pair(const struct seen *s, const struct kernel *a, const struct kernel *b)
{
	for (size_t i = 0; i < s->npairs; i++)
		if ((s->pairs[i].kernels[0] == a && s->pairs[i].kernels[1] == b) ||
			(s->pairs[i].kernels[0] == b && s->pairs[i].kernels[1] == a))
			return true;
	return false;
}

/* The most threads whose vectors are in one memory; a part of a vector counts as that. */
static double busiest(const struct scene *scene, const struct scene_view *v)
{
	double most = 0;

	for (size_t node = 0; node < scene->machine.nodes; node++) {
		double n = 0;

		for (size_t i = 0; i < v->count; i++)
			n += model_part(&v->threads[i], node);
		most = fmax(most, n);
	}
	return most;
}

/* Vectors on one node and on several wait in the same queues. */
static double most_seen(const struct seen *s, enum scene_kinds kind)
{
	return kind == SCENE_SHARED ? s->most[kind]
				    : fmax(s->most[SCENE_PRIVATE], s->most[SCENE_SPREAD]);
}

static void add_kernel(struct seen *s, const struct scene *scene, enum scene_kinds kind,
	const struct model_thread *t)
{
	const unsigned long long distance = distance_of(scene, t);
	struct seen_kernel *known = find(s, kind, kernel_of(scene, t));

	if (!known) {
		s->list = alloc_grow(s->list, s->count, sizeof(*s->list));
		known = &s->list[s->count++];
		*known = (struct seen_kernel){kind, kernel_of(scene, t), distance, distance};
	}
	known->least = distance < known->least ? distance : known->least;
	known->most = distance > known->most ? distance : known->most;
}

static void add_pairs(struct seen *s, const struct scene *scene, const struct scene_view *v)
{
	for (size_t i = 0; i < v->count; i++)
		for (size_t k = 0; k < i; k++) {
			const struct kernel *a = kernel_of(scene, &v->threads[i]),
					    *b = kernel_of(scene, &v->threads[k]);

			if (v->threads[i].vector != v->threads[k].vector || has_pair(s, a, b))
				continue;
			s->pairs = alloc_grow(s->pairs, s->npairs, sizeof(*s->pairs));
			s->pairs[s->npairs++] = (struct seen_pair){{a, b}};
		}
}

void seen_add(struct seen *s, const struct scene *scene, const struct scene_view *v)
{
	const double most = busiest(scene, v);

	if (v->count < 2)
		return;
	for (size_t i = 0; i < v->count; i++)
		add_kernel(s, scene, v->kind, &v->threads[i]);
	add_pairs(s, scene, v);
	s->most[v->kind] = fmax(s->most[v->kind], most);
}

void seen_free(struct seen *s)
{
	free(s->list);
	free(s->pairs);
	*s = (struct seen){.list = NULL};
}

static char *refuse_kernel(const struct seen *s, const struct scene *scene, enum scene_kinds kind,
	const struct model_thread *t)
{
	const struct seen_kernel *known = find(s, kind, kernel_of(scene, t));
	const unsigned long long distance = distance_of(scene, t);

	if (known && (t->parts || (distance >= known->least && distance <= known->most)))
		return NULL;
	char *name = scene_kind_name(scene, t->kernel), *why;

	if (known)
		why = alloc_format("the profile has %s beside others at distances %llu .. %llu, "
				   "not %llu: args/%s.args, its sweeps with --set over such nodes",
			name, known->least, known->most, distance, scene_kind_files[kind]);
	else
		why = alloc_format("the profile has %s only alone, not among %s: args/%s.args "
				   "with --set kernels=%s",
			name, scene_kind_names[kind], scene_kind_files[kind],
			registry_name(kernel_of(scene, t)));
	free(name);
	return why;
}

static char *refuse_pairs(
	const struct seen *s, const struct scene *scene, const struct scene_view *v)
{
	for (size_t i = 0; i < v->count; i++)
		for (size_t k = 0; k < i; k++) {
			const struct kernel *a = kernel_of(scene, &v->threads[i]),
					    *b = kernel_of(scene, &v->threads[k]);

			if (v->threads[i].vector == v->threads[k].vector && !has_pair(s, a, b))
				return alloc_format("the profile has no %s and %s on one vector: "
						    "args/scaling/6_shared.args, or "
						    "args/profile/06_shared.args with --set "
						    "kernels=%s+%s",
					registry_name(b), registry_name(a), registry_name(b),
					registry_name(a));
		}
	return NULL;
}

char *seen_refuse(const struct seen *s, const struct scene *scene, const struct scene_view *v)
{
	const double most = busiest(scene, v);
	char *why = NULL;

	if (v->count < 2)
		return NULL;
	for (size_t i = 0; i < v->count && !why; i++)
		why = refuse_kernel(s, scene, v->kind, &v->threads[i]);
	if (!why)
		why = refuse_pairs(s, scene, v);
	if (!why && most > 1 && most >= STEP * most_seen(s, v->kind))
		why = alloc_format("%.3g threads use the memory of a node; the profile has %.3g at "
				   "most: args/profile/05_threads.args, or "
				   "args/scaling/3_controller.args for those of several nodes",
			most, most_seen(s, v->kind));
	return why;
}
