/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Vectors in parts: replicate, a copy for each node whose threads use the vector, and slices, one
 * for each of these threads. A part is a vector of the plan, bound, placed and proven as any other;
 * the first part takes the place of the vector in the file, the others follow behind all vectors.
 * Threads that share a vector still divide it among all of them where it has copies: users and rank
 * in struct vector are those of the file. A slice has one user.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "plan/parts.h"

/* The vector of a thread at this place in its list. */
struct use {
	struct plan_thread *thread;
	int place;
};

/* The uses of a vector by their ranks, to be freed. */
static struct use *find_uses(const struct plan *p, int vector, int *count)
{
	struct use *uses = alloc_zeroed((size_t)p->nthreads + 1, sizeof(*uses));

	*count = 0;
	for (int i = 0; i < p->nthreads; i++)
		for (int k = 0; k < p->threads[i].nvectors; k++)
			if (p->threads[i].vector_ids[k] == vector) {
				uses[p->threads[i].vectors[k].rank] =
					(struct use){&p->threads[i], k};
				++*count;
			}
	return uses;
}

/* Nodes without memory, and a GPU's, hold no part: the nearest other node does. */
static int nearest_memory(const struct plan *p, int node)
{
	int best = -1;

	for (int i = 0; i < p->memory.nnodes; i++) {
		const int other = p->memory.nodes[i];

		if (best < 0 ||
			topo_distance(p->topo, node, other) < topo_distance(p->topo, node, best))
			best = other;
	}
	return best;
}

static int refuse_unused(const struct plan *p, int vector, struct errors *e)
{
	error_add(e, STATUS_USAGE, p->request->node_per_vector.at,
		"vector %d: %s is by the nodes of its threads, and it has none", vector,
		division_names[p->vectors[vector].division]);
	return error_hint(e, "vectorPerThread: all gives it to every thread");
}

static int refuse_no_memory(const struct plan *p, int vector, struct errors *e)
{
	error_add(e, STATUS_PLACEMENT, p->request->node_per_vector.at,
		"vector %d: no node can hold vectors here", vector);
	return error_hint(e, "affinity --topology shows the nodes and what may be used");
}

/* Some CPUs are on no node: the machine's doing, not the file's. */
static int refuse_homeless(const struct plan *p, int vector, int thread, struct errors *e)
{
	error_add(e, STATUS_PLACEMENT, p->request->node_per_vector.at,
		"vector %d: %s is by the nodes of its threads, and CPU %d of thread %d is on no "
		"node",
		vector, division_names[p->vectors[vector].division], p->threads[thread].cpu,
		thread);
	return error_hint(e, "nodePerThread or cpuPerThread puts it elsewhere");
}

static int refuse_unbound(const struct plan *p, int vector, int thread, struct errors *e)
{
	if (p->threads[thread].cpu != UNBOUND)
		return refuse_homeless(p, vector, thread, e);
	error_add(e, STATUS_USAGE, p->request->node_per_vector.at,
		"vector %d: %s is by the nodes of its threads, and thread %d is not on a node of "
		"its own",
		vector, division_names[p->vectors[vector].division], thread);
	return error_hint(e, "nodePerThread binds it");
}

/* Room for so many vectors more. */
static void make_room(struct plan *p, int more)
{
	const size_t n = (size_t)p->nvectors;
	struct plan_vector *all = alloc_zeroed(n + (size_t)more + 1, sizeof(*all));

	memcpy(all, p->vectors, n * sizeof(*all));
	free(p->vectors);
	p->vectors = all;
}

/* Puts a part on a node: the first one is the vector itself, a further one is a vector like it.
 * Returns its number. */
static int put_part(struct plan *p, int whole, int node, int part)
{
	const int number = part ? p->nvectors++ : whole;
	struct plan_vector *v = &p->vectors[number];

	if (part) {
		*v = p->vectors[whole];
		v->nodes = alloc_zeroed(MEM_MAX_NODES, sizeof(*v->nodes));
		v->asked = NULL;
		v->memory = NULL;
	}
	v->nodes[node] = true;
	v->node = node;
	v->part = part;
	plan_describe_vector(p, v);
	return number;
}

/* The copy on a node, or -1. */
static int find_copy(const struct plan *p, int whole, int node)
{
	for (int i = 0; i < p->nvectors; i++)
		if (p->vectors[i].whole == whole && p->vectors[i].node == node)
			return i;
	return -1;
}

static void give(const struct plan *p, const struct use *u, int vector)
{
	struct vector *seen = &u->thread->vectors[u->place];

	u->thread->vector_ids[u->place] = vector;
	seen->node = p->vectors[vector].node;
	if (p->vectors[vector].division == DIVISION_SLICES) {
		seen->users = 1;
		seen->rank = 0;
	}
}

static void count_sharers(const struct use *uses, int count)
{
	for (int a = 0; a < count; a++) {
		int *sharers = &uses[a].thread->vectors[uses[a].place].sharers;

		*sharers = 0;
		for (int b = 0; b < count; b++)
			*sharers += uses[a].thread->vector_ids[uses[a].place] ==
				    uses[b].thread->vector_ids[uses[b].place];
	}
}

static void divide_among(struct plan *p, int vector, const struct use *uses, int count)
{
	const bool copies = p->vectors[vector].division == DIVISION_REPLICATE;
	int parts = 0;

	make_room(p, count);
	for (int rank = 0; rank < count; rank++) {
		const int node = nearest_memory(p, uses[rank].thread->node);
		int part = copies ? find_copy(p, vector, node) : -1;

		if (part < 0)
			part = put_part(p, vector, node, parts++);
		give(p, &uses[rank], part);
	}
	for (int i = 0; i < p->nvectors; i++)
		if (p->vectors[i].whole == vector)
			p->vectors[i].parts = parts;
	count_sharers(uses, count);
}

static int divide(struct plan *p, int vector, struct errors *e)
{
	int count, failed = 0;
	struct use *uses = find_uses(p, vector, &count);

	if (!count)
		failed = refuse_unused(p, vector, e);
	else if (!plan_users_placed(p, vector))
		failed = -1; /* threads.c has said why */
	for (int i = 0; i < count && !failed; i++)
		if (uses[i].thread->node < 0)
			failed = refuse_unbound(p, vector, (int)(uses[i].thread - p->threads), e);
	if (!failed && !p->memory.nnodes)
		failed = refuse_no_memory(p, vector, e);
	if (!failed)
		divide_among(p, vector, uses, count);
	free(uses);
	return failed;
}

int plan_divided(struct plan *p, struct errors *e)
{
	int failed = 0;

	for (int i = 0; i < p->nwhole; i++)
		if (p->vectors[i].division && !p->vectors[i].refused && divide(p, i, e)) {
			p->vectors[i].refused = true;
			failed = -1;
		}
	return failed;
}

/* ---- kernels */

static int refuse_division(const struct plan *p, const struct plan_job *job, int vector,
	const char *what, const char *hint, struct errors *e)
{
	error_add(e, STATUS_USAGE, p->request->ops.at, "%s %s, and its vector %d has %s", job->name,
		what, p->vectors[vector].whole,
		p->vectors[vector].division == DIVISION_SLICES ? "slices" : "copies");
	return error_hint(e, "%s", hint);
}

static int check_kernel(
	const struct plan *p, const struct plan_job *job, int vector, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];

	if (v->division == DIVISION_NONE)
		return 0;
	if (v->division == DIVISION_REPLICATE && plan_work(job).stores > 0)
		return refuse_division(p, job, vector, "stores",
			"copies would no longer be equal; nodePerVector: replicate is for kernels "
			"that only read",
			e);
	if (plan_job_moves(job))
		return refuse_division(p, job, vector, "moves pages",
			"nodePerVector: a node, whose pages may move", e);
	if (job->kernel->meetings.together || (job->kernel->share && !job->kernel->meetings.meets))
		return refuse_division(p, job, vector, "works in common with other threads",
			"nodePerVector: a node, or interleave, for these threads", e);
	return 0;
}

int plan_divided_kernels(const struct plan *p, struct errors *e)
{
	for (int o = 0; o < p->nops; o++)
		for (int i = 0; i < p->nthreads; i++)
			for (int k = 0; k < p->threads[i].nvectors; k++)
				if (check_kernel(
					    p, &p->ops[o].jobs[i], p->threads[i].vector_ids[k], e))
					return -1;
	return 0;
}
