/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Staircases. */
#include "prediction/stairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Sizes are whole elements, so that those that a file gives as the same differ by a little. */
#define SAME 1e-3
#define KIB  1024

static size_t class_of(const struct scene *scene, const struct model_thread *t)
{
	return scene->pair_class[t->node * scene->machine.nodes + t->memory];
}

/* The caches above a CPU, the first level first. */
static size_t reach_of(const struct topo *t, int cpu, double *reach)
{
	size_t n = 0;

	for (int level = 1; level < TOPO_LEVELS; level++) {
		const struct topo_one_cache *one = topo_cache_above(t, topo_cpu(t, cpu), level);

		if (one && one->bytes)
			reach[n++] = (double)one->bytes;
	}
	return n;
}

static const struct staircase_of *find(const struct stairs *s, size_t kernel, size_t pair_class)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->list[i].kernel == kernel && s->list[i].pair_class == pair_class)
			return &s->list[i];
	return NULL;
}

void stairs_add(
	struct stairs *s, const struct scene *scene, const struct scene_view *v, double cost)
{
	const size_t kernel = v->threads[0].kernel, pair_class = class_of(scene, v->threads);
	const struct staircase_of *known = find(s, kernel, pair_class);
	size_t at = known ? (size_t)(known - s->list) : s->count;

	if (!known) {
		s->list = alloc_grow(s->list, s->count, sizeof(*s->list));
		s->list[s->count++] =
			(struct staircase_of){.kernel = kernel, .pair_class = pair_class};
		s->list[at].nreach = reach_of(scene->topo, v->cpus[0], s->list[at].reach);
	}
	struct staircase_of *own = &s->list[at];

	own->points = alloc_grow(own->points, own->count, sizeof(*own->points));
	own->points[own->count++] = (struct levels_point){v->bytes[0], cost};
}

static void range(const struct staircase_of *s, double *least, double *most)
{
	*least = HUGE_VAL;
	*most = 0;
	for (size_t i = 0; i < s->count; i++) {
		*least = fmin(*least, s->points[i].bytes);
		*most = fmax(*most, s->points[i].bytes);
	}
}

/* Caches that all sizes fit, or none, are no steps of what was measured. */
static void fit(struct staircase_of *s)
{
	double least, most;
	size_t first = 0, end = s->nreach;

	range(s, &least, &most);
	while (first < end && s->reach[first] < least)
		first++;
	while (end > first && s->reach[end - 1] >= most)
		end--;
	s->levels = (struct levels){end - first, s->reach + first, false};
	s->fitted = !levels_fit(&s->levels, s->points, s->count, s->costs, s->errors);
}

void stairs_fit(struct stairs *s)
{
	for (size_t i = 0; i < s->count; i++)
		fit(&s->list[i]);
}

void stairs_free(struct stairs *s)
{
	for (size_t i = 0; i < s->count; i++)
		free(s->list[i].points);
	free(s->list);
	*s = (struct stairs){0};
}

/* The mean of what was measured with as many bytes; NAN: nothing was. */
static double measured(const struct staircase_of *s, double bytes)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < s->count; i++)
		if (fabs(s->points[i].bytes / bytes - 1) < SAME) {
			sum += s->points[i].cost;
			n++;
		}
	return n ? sum / (double)n : NAN;
}

/* What is left of each cache for a thread, and how much less that is of the last one. */
static double share_caches(
	const struct scene *scene, const struct scene_view *v, size_t thread, double *reach)
{
	const struct topo *t = scene->topo;
	const struct topo_cpu *own = topo_cpu(t, v->cpus[thread]);
	double less = 1;
	size_t n = 0;

	for (int level = 1; level < TOPO_LEVELS; level++) {
		const struct topo_one_cache *one = topo_cache_above(t, own, level);
		double all = 0;

		for (size_t i = 0; i < v->count; i++)
			if (one && topo_cache_above(t, topo_cpu(t, v->cpus[i]), level) == one)
				all += v->bytes[i];
		if (!one || !one->bytes)
			continue;
		reach[n] = levels_shared((double)one->bytes, v->bytes[thread], all);
		less = fmin(less, reach[n++] / (double)one->bytes);
	}
	return less;
}

static char *cost_of(const struct staircase_of *s, const struct scene *scene,
	const struct scene_view *v, size_t thread, double *cost, double *missed)
{
	double reach[TOPO_LEVELS], least, most;
	const double less = share_caches(scene, v, thread, reach), bytes = v->bytes[thread];
	const size_t first = (size_t)(s->levels.reach - s->reach);
	const struct levels all = {s->nreach, reach, false},
			    own = {s->levels.steps, reach + first, false};

	*missed = s->nreach ? levels_missed(&all, s->nreach - 1, bytes) : 1;
	*cost = less < 1 ? NAN : measured(s, bytes);
	if (isfinite(*cost))
		return NULL;
	range(s, &least, &most);
	if (!s->fitted)
		return alloc_format("it has no vectors of %.4g KiB, and its sizes do not tell the "
				    "caches apart",
			bytes / KIB);
	if (bytes < least * (1 - SAME) || bytes / less > most * (1 + SAME))
		return alloc_format("it has vectors of %.4g .. %.4g KiB for a thread alone, not as "
				    "these of %.4g KiB%s",
			least / KIB, most / KIB, bytes / KIB,
			less < 1 ? ", which share caches with others" : "");
	*cost = levels_cost(&own, s->costs, bytes);
	return NULL;
}

char *stairs_costs(const struct stairs *s, const struct scene *scene, const struct scene_view *v,
	double *cost, double *missed)
{
	for (size_t i = 0; i < v->count; i++) {
		const struct model_thread *t = &v->threads[i];
		const struct staircase_of *own = find(s, t->kernel, class_of(scene, t));
		char *why = own ? cost_of(own, scene, v, i, &cost[i], &missed[i])
				: alloc_format("it has none at this distance");

		if (!why)
			continue;
		char *whole =
			alloc_format("caches hold a good part of vector %zu; of the profile, %s",
				t->vector, why);

		free(why);
		return whole;
	}
	return NULL;
}

static size_t residuals_of(const struct staircase_of *s, double *out)
{
	struct staircase_of without = *s;
	double least, most;
	size_t n = 0;

	without.points = alloc_zeroed(s->count + 1, sizeof(*without.points));
	for (size_t i = 0; i < s->count; i++) {
		const struct levels_point *p = &s->points[i];

		without.count = 0;
		for (size_t k = 0; k < s->count; k++)
			if (fabs(s->points[k].bytes / p->bytes - 1) >= SAME)
				without.points[without.count++] = s->points[k];
		fit(&without);
		range(&without, &least, &most);
		const double cost = levels_cost(&without.levels, without.costs, p->bytes);

		if (without.fitted && p->bytes >= least && p->bytes <= most && cost > 0)
			out[n++] = log(p->cost / cost);
	}
	free(without.points);
	return n;
}

size_t stairs_left_out(const struct stairs *s, double *out)
{
	size_t n = 0;

	for (size_t i = 0; i < s->count; i++)
		n += residuals_of(&s->list[i], &out[n]);
	return n;
}
