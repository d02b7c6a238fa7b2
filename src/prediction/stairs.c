/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Staircases. */
#include "prediction/stairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "input/registry.h"

#define KIB 1024
#define MIB 1048576.0

static size_t class_of(const struct scene *scene, const struct model_thread *t)
{
	return scene->pair_class[t->node * scene->machine.nodes + t->memory];
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
		s->list[at].cpu = v->cpus[0];
	}
	struct staircase_of *own = &s->list[at];

	own->points = alloc_grow(own->points, own->count, sizeof(*own->points));
	own->points[own->count++] = (struct levels_point){v->bytes[0], cost};
	if (v->held)
		return;
	own->least = own->most > 0 ? fmin(own->least, v->bytes[0]) : v->bytes[0];
	own->most = fmax(own->most, v->bytes[0]);
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

static void add_step(struct staircase_of *s, double bytes, int level, double least, double most)
{
	size_t at = s->nsteps;

	/* what all sizes fit, or none, is no step of what was measured */
	if (!(bytes >= least) || !(bytes < most))
		return;
	for (; at && s->steps[at - 1].bytes > bytes; at--)
		s->steps[at] = s->steps[at - 1];
	s->steps[at] = (struct stairs_step){bytes, level};
	s->nsteps++;
}

/* The caches above the CPU and the reach of its TLB. */
static void set_steps(struct staircase_of *s, const struct scene *scene)
{
	const struct topo *t = scene->topo;
	double least, most;

	s->nsteps = 0;
	s->sizeless = 0;
	range(s, &least, &most);
	for (int level = 1; level < TOPO_LEVELS; level++) {
		const struct topo_one_cache *one = topo_cache_above(t, topo_cpu(t, s->cpu), level);

		if (one && one->bytes)
			add_step(s, (double)one->bytes, level, least, most);
		else if (level < topo_last_level(t))
			s->sizeless = level;
	}
	for (size_t i = 0; i < REACH_LEVELS; i++)
		add_step(s, scene->translations.bytes[scene->kinds[s->kernel].pages][i], 0, least,
			most);
}

static struct levels levels_of(
	const struct staircase_of *s, const struct scene *scene, double *room)
{
	for (size_t i = 0; i < s->nsteps; i++)
		room[i] = s->steps[i].bytes;
	return (struct levels){s->nsteps, room, scene->kinds[s->kernel].random};
}

static void drop(struct staircase_of *s, size_t step)
{
	s->nsteps--;
	for (size_t i = step; i < s->nsteps; i++)
		s->steps[i] = s->steps[i + 1];
}

/* Sizes are chosen for caches: where they do not show what a TLB adds, it stays in what the caches
 * do. */
static void drop_untold(struct staircase_of *s, const struct scene *scene)
{
	double room[STAIRS_MOST];

	for (size_t i = s->nsteps; i-- > 0;) {
		const struct levels l = levels_of(s, scene, room);

		if (levels_tell(&l, i, s->points, s->count) &&
			(i + 1 == s->nsteps || levels_tell(&l, i + 1, s->points, s->count)))
			continue;
		if (!s->steps[i].level)
			drop(s, i);
	}
}

/* The step whose misses seem to gain most; nsteps: none does. */
static size_t most_gaining(const struct staircase_of *s)
{
	size_t most = s->nsteps;
	double cost = 0;

	for (size_t i = 0; i < s->nsteps; i++)
		if (s->costs[i + 1] < cost) {
			cost = s->costs[i + 1];
			most = i;
		}
	return most;
}

/* No miss is a gain: a step that seems to be one is noise, and is left out. */
static void fit(struct staircase_of *s, const struct scene *scene)
{
	double room[STAIRS_MOST];

	set_steps(s, scene);
	drop_untold(s, scene);
	for (;;) {
		const struct levels l = levels_of(s, scene, room);

		s->fitted = !levels_fit(&l, s->points, s->count, s->costs, s->errors);
		if (!s->fitted || most_gaining(s) == s->nsteps)
			break;
		drop(s, most_gaining(s));
	}
	s->fitted = s->fitted && s->costs[0] > 0 && !s->sizeless;
}

void stairs_fit(struct stairs *s, const struct scene *scene)
{
	for (size_t i = 0; i < s->count; i++)
		fit(&s->list[i], scene);
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
		if (fabs(s->points[i].bytes / bytes - 1) < SCENE_SAME) {
			sum += s->points[i].cost;
			n++;
		}
	return n ? sum / (double)n : NAN;
}

/* What is left for a thread of a cache that others use, too; all of it where it has none. */
static double left_of_cache(
	const struct topo *t, const struct scene_view *v, size_t thread, int level, double bytes)
{
	const struct topo_one_cache *one = topo_cache_above(t, topo_cpu(t, v->cpus[thread]), level);
	double all = 0;

	for (size_t i = 0; i < v->count; i++)
		if (one && topo_cache_above(t, topo_cpu(t, v->cpus[i]), level) == one)
			all += v->bytes[i];
	return levels_shared(bytes, v->bytes[thread], all);
}

/* How much less of any cache is left for a thread, and the part of its visits that the last one
 * does not serve. */
struct squeezed {
	double less, missed;
};

static struct squeezed squeeze(const struct scene *scene, const struct scene_view *v, size_t thread)
{
	const struct topo *t = scene->topo;
	const bool random = scene->kinds[v->threads[thread].kernel].random;
	struct squeezed found = {1, 1};

	for (int level = 1; level < TOPO_LEVELS; level++) {
		const struct topo_one_cache *one =
			topo_cache_above(t, topo_cpu(t, v->cpus[thread]), level);

		if (!one || !one->bytes)
			continue;
		const double left = left_of_cache(t, v, thread, level, (double)one->bytes);
		const struct levels last = {1, &left, random};

		found.less = fmin(found.less, left / (double)one->bytes);
		found.missed = levels_missed(&last, 0, v->bytes[thread]);
	}
	return found;
}

static char *cost_of(const struct staircase_of *s, const struct scene *scene,
	const struct scene_view *v, size_t thread, double *cost, double *missed)
{
	const struct squeezed q = squeeze(scene, v, thread);
	const double bytes = v->bytes[thread], less = q.less;
	double reach[STAIRS_MOST], least, most;
	const struct levels own = levels_of(s, scene, reach);

	*missed = q.missed;
	*cost = less < 1 ? NAN : measured(s, bytes);
	if (isfinite(*cost))
		return NULL;
	range(s, &least, &most);
	if (s->sizeless)
		return alloc_format("it has no vectors of %.4g KiB, and the machine does not show "
				    "how large its L%d cache is (--set 'caches=...' says it)",
			bytes / KIB, s->sizeless);
	if (!s->fitted)
		return alloc_format("it has no vectors of %.4g KiB, and its sizes do not tell the "
				    "caches apart",
			bytes / KIB);
	if (bytes < least * (1 - SCENE_SAME) || bytes / less > most * (1 + SCENE_SAME))
		return alloc_format("it has vectors of %.4g .. %.4g KiB for a thread alone, not as "
				    "these of %.4g KiB%s",
			least / KIB, most / KIB, bytes / KIB,
			less < 1 ? ", which share caches with others" : "");
	for (size_t i = 0; i < s->nsteps; i++)
		if (s->steps[i].level)
			reach[i] =
				left_of_cache(scene->topo, v, thread, s->steps[i].level, reach[i]);
	*cost = levels_cost(&own, s->costs, bytes);
	return NULL;
}

/* A part of the visits that is as good as another. */
#define ALIKE 0.05

/* Does a TLB reach as much of these bytes as of those that were measured from memory? */
static bool reaches_alike(const struct staircase_of *s, const struct scene *scene, double bytes)
{
	const struct scene_kind *k = &scene->kinds[s->kernel];

	for (size_t i = 0; i < REACH_LEVELS && s->most > 0; i++) {
		const double reach = scene->translations.bytes[k->pages][i];
		const struct levels l = {1, &reach, k->random};

		if (isfinite(reach) &&
			(levels_missed(&l, 0, bytes) > levels_missed(&l, 0, s->most) + ALIKE ||
				levels_missed(&l, 0, bytes) <
					levels_missed(&l, 0, s->least) - ALIKE))
			return false;
	}
	return true;
}

char *stairs_refuse(const struct stairs *s, const struct scene *scene, const struct scene_view *v)
{
	for (size_t i = 0; i < v->count; i++) {
		const struct model_thread *t = &v->threads[i];
		const struct staircase_of *own = find(s, t->kernel, class_of(scene, t));

		if (own && !reaches_alike(own, scene, v->bytes[i]))
			return alloc_format(
				"a TLB reaches another part of vector %zu, of %.4g "
				"MiB, than of those of the profile, of %.4g .. %.4g MiB",
				t->vector, v->bytes[i] / MIB, own->least / MIB, own->most / MIB);
	}
	return NULL;
}

char *stairs_costs(const struct stairs *s, const struct scene *scene, const struct scene_view *v,
	double *cost, double *missed)
{
	for (size_t i = 0; i < v->count; i++) {
		const struct model_thread *t = &v->threads[i];
		const struct staircase_of *own = find(s, t->kernel, class_of(scene, t));
		char *why =
			own ? cost_of(own, scene, v, i, &cost[i], &missed[i])
			    : alloc_format(
				      "it has none at this distance "
				      "(args/profile/07_sizes.args with --set 'kernels=read %s')",
				      registry_name(scene->kinds[t->kernel].kernel));

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

static size_t residuals_of(const struct staircase_of *s, const struct scene *scene, double *out)
{
	struct staircase_of without = *s;
	double room[STAIRS_MOST];
	double least, most;
	size_t n = 0;

	without.points = alloc_zeroed(s->count + 1, sizeof(*without.points));
	for (size_t i = 0; i < s->count; i++) {
		const struct levels_point *p = &s->points[i];

		without.count = 0;
		for (size_t k = 0; k < s->count; k++)
			if (fabs(s->points[k].bytes / p->bytes - 1) >= SCENE_SAME)
				without.points[without.count++] = s->points[k];
		fit(&without, scene);
		range(&without, &least, &most);
		const struct levels l = levels_of(&without, scene, room);
		const double cost = levels_cost(&l, without.costs, p->bytes);

		if (without.fitted && p->bytes >= least && p->bytes <= most)
			out[n++] = log(p->cost / cost);
	}
	free(without.points);
	return n;
}

size_t stairs_left_out(const struct stairs *s, const struct scene *scene, double *out)
{
	size_t n = 0;

	for (size_t i = 0; i < s->count; i++)
		n += residuals_of(&s->list[i], scene, &out[n]);
	return n;
}
