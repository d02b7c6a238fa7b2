/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translates plans. */
#include "prediction/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "plan/memory.h"

const char *const scene_kind_names[SCENE_KINDS] = {"a thread alone",
	"several threads with a vector each", "several threads that share a vector"};

enum scene_kinds scene_kind_of(const struct model_thread *t, size_t threads)
{
	for (size_t i = 0; i < threads; i++)
		for (size_t k = 0; k < i; k++)
			if (t[i].vector == t[k].vector)
				return SCENE_SHARED;
	return threads > 1 ? SCENE_PRIVATE : SCENE_ALONE;
}

static int index_of_node(const struct topo *t, int node)
{
	for (int i = 0; i < t->nnodes; i++)
		if (t->nodes[i].node == node)
			return i;
	return -1;
}

/* Pairs of equal distance are a class. */
static void make_classes(struct scene *s)
{
	const struct topo *t = s->topo;
	const size_t n = s->machine.nodes;
	uint64_t *distances = alloc_zeroed(n * n, sizeof(*distances));

	for (size_t i = 0; i < n * n; i++) {
		const uint64_t distance =
			topo_distance(t, t->nodes[i / n].node, t->nodes[i % n].node);
		size_t k = 0;

		while (k < s->machine.classes && distances[k] != distance)
			k++;
		distances[k] = distance;
		s->pair_class[i] = k;
		s->machine.classes += k == s->machine.classes;
	}
	free(distances);
}

void scene_begin(struct scene *s, const struct topo *t)
{
	const size_t n = (size_t)t->nnodes;

	*s = (struct scene){.topo = t, .machine.nodes = n};
	s->latency = alloc_zeroed(n * n, sizeof(*s->latency));
	s->bandwidth = alloc_zeroed(n * n, sizeof(*s->bandwidth));
	s->pair_class = alloc_zeroed(n * n, sizeof(*s->pair_class));
	for (size_t i = 0; i < n * n; i++)
		s->latency[i] = s->bandwidth[i] = NAN;
	s->machine.latency = s->latency;
	s->machine.bandwidth = s->bandwidth;
	s->machine.pair_class = s->pair_class;
	make_classes(s);
}

void scene_free(struct scene *s)
{
	for (size_t i = 0; i < s->machine.kernels; i++)
		free(s->kinds[i].args);
	free(s->kinds);
	free(s->kernels);
	free(s->latency);
	free(s->bandwidth);
	free(s->pair_class);
	*s = (struct scene){0};
}

static const struct param *param_of(const struct kernel *k, const char *name, enum param_type type)
{
	for (const struct param *p = k->params; p && p->name; p++)
		if (!strcmp(p->name, name) && p->type == type)
			return p;
	return NULL;
}

/* The part of its vector that a job visits. */
static double *share_in(const struct kernel *k, void *args)
{
	const struct param *p = param_of(k, "fraction", PARAM_FRACTION);

	return p ? (double *)((char *)args + p->offset) : NULL;
}

/* `order: random` has no stride. */
static bool is_random(const struct plan_job *job)
{
	const struct param *p = param_of(job->kernel, "order", PARAM_CHOICE);

	return p &&
	       !strcmp(p->choices[*(const int *)((const char *)job->args + p->offset)], "random");
}

/* Lines that a unit of work brings: those of its bytes where it moves any, else one, or less where
 * the next unit is in the same line. */
static double lines_of(const struct plan_job *job, enum element_type type)
{
	const struct work w = plan_work(job);
	const struct param *p = param_of(job->kernel, "stride", PARAM_EXTENT);

	if (w.bytes > 0)
		return (w.bytes + w.fills) / MODEL_LINE;
	if (!(w.loads + w.stores > 0))
		return 0;
	if (!p || is_random(job))
		return 1;
	const struct extent *stride = (const void *)((const char *)job->args + p->offset);
	const double bytes =
		(double)stride->value * (stride->bytes ? 1 : (double)element_bytes(type));

	return fmin(1, bytes / MODEL_LINE);
}

static struct scene_kind kind_of(const struct plan_job *job, const struct plan_vector *v, int cores)
{
	struct scene_kind k = {job->kernel, cores, NULL, v->type, v->pages, NAN, 0};

	k.args = alloc_zeroed(1, job->kernel->args_size + 1);
	if (job->args)
		memcpy(k.args, job->args, job->kernel->args_size);
	double *share = share_in(job->kernel, k.args);

	if (share)
		*share = 1;
	return k;
}

static bool is_same(const struct scene_kind *a, const struct scene_kind *b)
{
	return a->kernel == b->kernel && a->cores == b->cores && a->type == b->type &&
	       a->pages == b->pages && !memcmp(a->args, b->args, a->kernel->args_size);
}

/* The kernel's number; -1: the scene does not have it, and it is not to be learned. */
static long find(struct scene *s, const struct plan_job *job, const struct plan_vector *v,
	int cores, bool learn)
{
	struct scene_kind k = kind_of(job, v, cores);
	size_t n = s->machine.kernels, i = 0;

	while (i < n && !is_same(&s->kinds[i], &k))
		i++;
	if (i < n || !learn) {
		free(k.args);
		return i < n ? (long)i : -1;
	}
	s->kinds = alloc_grow(s->kinds, n, sizeof(*s->kinds));
	s->kernels = alloc_grow(s->kernels, n, sizeof(*s->kernels));
	s->kinds[n] = k;
	s->kernels[n] = (struct model_kernel){lines_of(job, v->type), plan_work(job).stores > 0};
	s->machine.kernel = s->kernels;
	s->machine.kernels++;
	return (long)n;
}

static bool has_calibrated_others(const struct plan *p, const struct plan_op *op, int thread)
{
	for (int i = 0; i < p->nthreads; i++)
		if (op->jobs[i].kernel != op->jobs[thread].kernel)
			return true;
	return op->jobs[thread].common.sleep_ns > 0;
}

/* What the model has no part for; NULL: nothing. */
static char *not_covered(const struct plan *p, const struct plan_op *op, int thread)
{
	const struct plan_thread *t = &p->threads[thread];
	const struct plan_job *job = &op->jobs[thread];

	if (t->node == UNBOUND)
		return alloc_format("thread %d is not bound", thread);
	if (t->shares_core)
		return alloc_format("thread %d shares its core with another", thread);
	if (t->nvectors != 1)
		return alloc_format("thread %d has %d vectors, not one", thread, t->nvectors);
	const struct plan_vector *v = &p->vectors[t->vector_ids[0]];

	if (v->policy != MEM_BIND || v->node < 0)
		return alloc_format("vector %d is not on one node", t->vector_ids[0]);
	if (v->state)
		return alloc_format("vector %d has a state of lines", t->vector_ids[0]);
	/* a vector counts 1/n for n users; all of it passes through the caches of each */
	if (!(job->times_caches * t->vectors[0].users >= PLAN_FROM_MEMORY))
		return alloc_format("caches hold a good part of vector %d", t->vector_ids[0]);
	if (plan_job_moves(job) != MOVES_NOTHING || plan_job_together(job))
		return alloc_format(
			"%s moves pages, or its threads wait for each other", job->name);
	if (job->calibrated && has_calibrated_others(p, op, thread))
		return alloc_format("%s has no fixed work: threads of several kernels, or with a "
				    "sleep, need `passes`",
			job->name);
	if (p->request->window_ns && job->common.sleep_ns)
		return alloc_format("thread %d sleeps in mode: time", thread);
	return NULL;
}

static char *units_of(const struct scene *s, const struct plan *p, const struct plan_op *op,
	int thread, struct model_thread *out)
{
	const struct plan_vector *v = &p->vectors[p->threads[thread].vector_ids[0]];
	const struct plan_job *job = &op->jobs[thread];
	const struct scene_kind *k = &s->kinds[out->kernel];

	if (p->request->window_ns)
		return NULL;
	/* a round of some kernels is so many accesses, whatever the vector */
	if (k->elements && k->elements != v->elements && fabs(k->units - 1) > 1e-3)
		return alloc_format(
			"%s was measured with vectors of %llu elements only, and a round "
			"of it need not visit all of them",
			job->name, (unsigned long long)k->elements);
	out->units =
		k->units * (double)v->elements * (job->calibrated ? 1 : (double)job->common.passes);
	return isfinite(out->units) ? NULL
				    : alloc_format("%s was measured in mode: time only", job->name);
}

static char *not_measured(const struct scene *s, const struct plan_job *job, int cores)
{
	const char *name = topo_kind_name(s->topo, cores);

	return alloc_format("the profile has no %s with these parameters, elements and pages%s%s",
		job->name, name ? ", on cores of the kind " : "", name ? name : "");
}

char *scene_threads(struct scene *s, const struct plan *p, const struct plan_op *op, bool learn,
	struct model_thread *out)
{
	for (int i = 0; i < p->nthreads; i++) {
		char *why = not_covered(p, op, i);

		if (why)
			return why;
	}
	for (int i = 0; i < p->nthreads; i++) {
		const struct plan_job *job = &op->jobs[i];
		const int vector = p->threads[i].vector_ids[0];
		const struct plan_vector *v = &p->vectors[vector];
		const double *share = share_in(job->kernel, job->args);
		const int cores = p->threads[i].kind;
		const long kernel = find(s, job, v, cores, learn);

		if (kernel < 0)
			return not_measured(s, job, cores);
		out[i] = (struct model_thread){(size_t)index_of_node(s->topo, p->threads[i].node),
			(size_t)index_of_node(s->topo, v->node), (size_t)kernel, (size_t)vector, 1,
			share ? *share : 1, (double)job->common.sleep_ns};
		char *why = learn ? NULL : units_of(s, p, op, i, &out[i]);

		if (why)
			return why;
	}
	return NULL;
}

void scene_take_units(struct scene *s, const struct plan *p, const struct model_thread *t,
	int thread, double units)
{
	const struct plan_vector *v = &p->vectors[p->threads[thread].vector_ids[0]];
	struct scene_kind *k = &s->kinds[t->kernel];
	const double each = units / ((double)v->elements * t->share);

	if (isnan(k->units)) {
		k->units = each;
		k->elements = v->elements;
	} else if (k->elements != v->elements && fabs(k->units / each - 1) < 1e-3) {
		k->elements = 0;
	}
}
