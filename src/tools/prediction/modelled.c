/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translates plans. */
#include "prediction/modelled_kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "plan/memory.h"

const char *const modelled_kind_files[MODELLED_KINDS] = {"profile/03_alone", "profile/04_private",
	"profile/06_shared", "profile/08_interleaved", "profile/07_sizes", "scaling/2_cache",
	"profile/09_siblings", "profile/11_meetings", "profile/20_loaded", "profile/26_states"};

const char *const modelled_kind_names[MODELLED_KINDS] = {"a thread alone",
	"several threads with a vector each", "several threads that share a vector",
	"threads with a vector on several nodes", "threads whose vectors caches hold",
	"several threads whose vectors caches hold", "threads that share a core",
	"threads that meet, or share lines that caches hold",
	"a thread that measures latency beside others, in mode: time", "lines in a given state"};

static int index_of_node(const struct topo *t, int node)
{
	for (int i = 0; i < t->nnodes; i++)
		if (t->nodes[i].node == node)
			return i;
	return -1;
}

/* Pairs of equal distance are a class. */
static void make_classes(struct modelled *s)
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

void modelled_begin(struct modelled *s, const struct topo *t)
{
	const size_t n = (size_t)t->nnodes;

	*s = (struct modelled){.topo = t, .machine.nodes = n};
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

void modelled_free(struct modelled *s)
{
	for (size_t i = 0; i < s->machine.kernels; i++)
		free(s->kinds[i].args);
	for (size_t i = 0; i < s->nparts; i++)
		free(s->parts[i]);
	free(s->parts);
	free(s->kinds);
	free(s->kernels);
	free(s->latency);
	free(s->bandwidth);
	free(s->pair_class);
	*s = (struct modelled){0};
}

/* Does another thread do something else? */
static bool has_others(const struct plan *p, const struct plan_op *op, int thread)
{
	for (int i = 0; i < p->nthreads; i++)
		if (op->jobs[i].kernel != op->jobs[thread].kernel && !modelled_idle(p, op, i))
			return true;
	return false;
}

/* Does another thread access a vector of which this one has a part? */
static bool is_disturbed(const struct plan *p, const struct plan_op *op, int thread)
{
	const int whole = p->vectors[p->threads[thread].vector_ids[0]].whole;

	for (int i = 0; i < p->nthreads; i++)
		for (int k = 0; k < p->threads[i].nvectors; k++)
			if (p->vectors[p->threads[i].vector_ids[k]].whole == whole &&
				!op->jobs[i].kernel->accesses.divides &&
				op->jobs[i].kernel->min_vectors)
				return true;
	return false;
}

/* What the model has no part for; NULL: nothing. */
static char *not_covered(
	const struct topo *topo, const struct plan *p, const struct plan_op *op, int thread)
{
	const struct plan_thread *t = &p->threads[thread];
	const struct plan_job *job = &op->jobs[thread];

	if (t->node == UNBOUND)
		return alloc_format("thread %d is not bound", thread);
	if (p->nleaves)
		return alloc_format("leaveHuge fragments memory; the model does not cover that");
	if (p->request->background.count)
		return alloc_format("a background load; the model does not cover that: "
				    "args/load measures it");
	if (t->nvectors != 1)
		return alloc_format("thread %d has %d vectors, and the model has one for each: "
				    "args/scaling/8_several.args measures several",
			thread, t->nvectors);
	const struct plan_vector *v = &p->vectors[t->vector_ids[0]];

	if (!(v->policy == MEM_BIND && v->node >= 0) && v->policy != MEM_INTERLEAVE &&
		!(v->policy == MEM_LOCAL && v->toucher >= 0))
		return alloc_format("vector %d is on no certain nodes", t->vector_ids[0]);
	if (v->backed.kind)
		return alloc_format("vector %d has pages of a %s; the model is of anonymous "
				    "memory: args/files measures files",
			t->vector_ids[0], backing_names[v->backed.kind]);
	if (plan_job_moves(job) != MOVES_NOTHING)
		return alloc_format(
			"%s moves pages; the model does not cover that: args/migration measures it",
			job->name);
	if (!(job->times_caches > 0))
		return topo_last_cache(topo) ? alloc_format("%s does not use its vector, and the "
							    "model is of memory: args/smt",
						       job->name)
					     : alloc_format("the machine shows no caches (--set "
							    "'caches=...' says them)");
	if ((job->kernel->meetings.together || job->kernel->meetings.transfers) &&
		has_others(p, op, thread))
		return alloc_format("the model does not cover line transfers beside other work: "
				    "args/coherence/7_barrier_beside_traffic.args measures it");
	if (job->calibrated && (has_others(p, op, thread) || job->common.sleep_ns > 0))
		return alloc_format("%s has no fixed work: threads of several kernels, or with a "
				    "sleep, need `passes`",
			job->name);
	if (job->kernel->accesses.divides && is_disturbed(p, op, thread))
		return alloc_format("vector %d is divided by some threads only", t->vector_ids[0]);
	if (p->request->window_ns && job->common.sleep_ns)
		return alloc_format("thread %d sleeps in mode: time", thread);
	return NULL;
}

/* How many threads access a line: a vector counts 1/n for n users, but all of it passes through the
 * caches of each who does not have a part of it. */
static int visitors(const struct plan *p, const struct plan_op *op, int thread)
{
	return op->jobs[thread].kernel->accesses.divides ? 1 : p->threads[thread].vectors[0].users;
}

static bool is_held(const struct plan *p, const struct plan_op *op, int thread)
{
	return op->jobs[thread].times_caches * visitors(p, op, thread) < PLAN_FROM_MEMORY;
}

static bool share_vectors(const struct modelled_view *v)
{
	for (size_t i = 0; i < v->count; i++)
		for (size_t k = 0; k < i; k++)
			if (v->threads[i].vector == v->threads[k].vector)
				return true;
	return false;
}

static bool share_cores(const struct modelled_view *v)
{
	for (size_t i = 0; i < v->count; i++)
		for (size_t k = 0; k < i; k++)
			if (v->cores[i] == v->cores[k])
				return true;
	return false;
}

static bool is_spread(const struct modelled_view *v)
{
	for (size_t i = 0; i < v->count; i++)
		if (v->threads[i].parts)
			return true;
	return false;
}

/* Sets the kind; NULL, or why there is none. */
static char *classify(
	const struct plan *p, const struct plan_op *op, size_t held, struct modelled_view *v)
{
	bool together = false;

	for (size_t i = 0; i < v->count; i++)
		together |= op->jobs[i].kernel->meetings.together ||
			    op->jobs[i].kernel->meetings.transfers;
	v->held = held == v->count;
	if (together || (v->held && v->count > 1 && share_vectors(v))) {
		v->kind = MODELLED_MEETING;
		return is_spread(v) ? alloc_format("threads that meet by words on several nodes")
				    : modelled_meetings_refuse(v);
	}
	if (held && !v->held)
		return alloc_format("caches hold a good part of some vectors, but not of all");
	if (held && is_spread(v))
		return alloc_format("caches hold a good part of a vector that is on several nodes");
	v->kind = share_cores(v)     ? MODELLED_CORE
		  : held             ? (v->count > 1 ? MODELLED_HELD_TOGETHER : MODELLED_HELD)
		  : is_spread(v)     ? MODELLED_SPREAD
		  : share_vectors(v) ? MODELLED_SHARED
		  : v->count > 1     ? MODELLED_PRIVATE
				     : MODELLED_ALONE;
	/* beside others that end, or begin later, a load is not one latency */
	if (v->kind == MODELLED_PRIVATE && p->request->window_ns && v->loads == 1)
		v->kind = MODELLED_LOADED;
	return v->kind == MODELLED_CORE && share_vectors(v)
		       ? alloc_format("threads on one core share a vector")
		       : NULL;
}

/* The parts of an interleaved vector by node; NULL: it is on one node. */
static const double *parts_of(struct modelled *s, const struct plan_vector *v)
{
	const struct topo *t = s->topo;
	double *parts, sum = 0;

	if (v->policy != MEM_INTERLEAVE)
		return NULL;
	parts = alloc_zeroed((size_t)t->nnodes, sizeof(*parts));
	for (int i = 0; i < t->nnodes; i++)
		if (v->nodes[t->nodes[i].node])
			sum += parts[i] = v->weights ? v->weights[t->nodes[i].node] : 1;
	for (int i = 0; i < t->nnodes; i++)
		parts[i] /= sum;
	s->parts = alloc_grow(s->parts, s->nparts, sizeof(*s->parts));
	return s->parts[s->nparts++] = parts;
}

static int node_of(const struct plan *p, const struct plan_vector *v)
{
	return v->policy == MEM_BIND    ? v->node
	       : v->policy == MEM_LOCAL ? p->threads[v->toucher].node
					: p->threads[0].node; /* its parts count */
}

static bool measures_latency(const struct plan *p, const struct plan_op *op, int thread)
{
	const struct kernel *k = op->jobs[thread].kernel;
	const struct worker w = plan_worker(p, op, thread);

	return k->accesses.latency && k->accesses.latency(&w);
}

char *modelled_look_at(struct modelled *s, const struct plan *p, const struct plan_op *op, int i,
	bool learn, struct modelled_view *out)
{
	const size_t at = out->count;
	const struct plan_job *job = &op->jobs[i];
	const int vector = p->threads[i].vector_ids[0];
	const struct plan_vector *v = &p->vectors[vector];
	const double *share = modelled_share(job->kernel, job->args);
	const int parts = job->kernel->accesses.divides ? p->threads[i].vectors[0].users : 1;
	const int cores = p->threads[i].kind;
	const long kernel = modelled_kernel(s, job, v, cores, learn);

	if (kernel < 0)
		return modelled_not_measured(s, job, v, cores);
	out->threads[at] =
		(struct model_thread){.node = (size_t)index_of_node(s->topo, p->threads[i].node),
			.memory = (size_t)index_of_node(s->topo, node_of(p, v)),
			.kernel = (size_t)kernel,
			.vector = (size_t)(parts > 1 ? p->nvectors + i : vector),
			.units = 1,
			.share = (share ? *share : 1) / parts,
			.start = (double)job->common.sleep_ns,
			.parts = parts_of(s, v)};
	out->bytes[at] = job->bytes * visitors(p, op, i);
	out->cpus[at] = p->threads[i].cpu;
	out->cores[at] = p->threads[i].core;
	out->loads += measures_latency(p, op, i);
	out->count++;
	return learn ? NULL : modelled_units(s, p, op, i, &out->threads[at]);
}

char *modelled_look_some(struct modelled *s, const struct plan *p, const struct plan_op *op,
	const bool *with, bool learn, struct modelled_view *v)
{
	const size_t n = (size_t)p->nthreads;
	size_t held = 0;

	*v = (struct modelled_view){.steady = p->request->window_ns > 0, .visitor = -1};
	v->threads = alloc_zeroed(n, sizeof(*v->threads));
	v->bytes = alloc_zeroed(n, sizeof(*v->bytes));
	v->cpus = alloc_zeroed(n, sizeof(*v->cpus));
	v->cores = alloc_zeroed(n, sizeof(*v->cores));
	for (int i = 0; i < p->nthreads; i++) {
		char *why = (!with || with[i]) && !modelled_states_idles(p, op, i)
				    ? not_covered(s->topo, p, op, i)
				    : NULL;

		if (why)
			return why;
	}
	char *meet = modelled_meetings_look(p, op, with, learn, v);

	if (meet)
		return meet;
	if (modelled_states_has(p))
		return modelled_states_look(s, p, op, with, learn, v);
	for (int i = 0; i < p->nthreads; i++) {
		char *why = !with || with[i] ? modelled_look_at(s, p, op, i, learn, v) : NULL;

		if (why)
			return why;
		held += (!with || with[i]) && is_held(p, op, i);
	}
	return classify(p, op, held, v);
}

char *modelled_look(struct modelled *s, const struct plan *p, const struct plan_op *op, bool learn,
	struct modelled_view *v)
{
	return modelled_look_some(s, p, op, NULL, learn, v);
}

void modelled_view_free(struct modelled_view *v)
{
	free(v->threads);
	free(v->bytes);
	free(v->cpus);
	free(v->cores);
	*v = (struct modelled_view){0};
}

size_t modelled_pair(const struct modelled *s, size_t pair_class)
{
	size_t i = 0;

	while (s->pair_class[i] != pair_class)
		i++;
	return i;
}

unsigned long long modelled_distance(const struct modelled *s, size_t pair_class)
{
	const size_t n = s->machine.nodes, i = modelled_pair(s, pair_class);

	return topo_distance(s->topo, s->topo->nodes[i / n].node, s->topo->nodes[i % n].node);
}
