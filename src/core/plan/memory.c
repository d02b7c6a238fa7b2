/* SPDX-License-Identifier: GPL-3.0-or-later */
/* By how many times the vectors of each thread exceed its caches. */
#include "plan/memory.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "plan/held.h"

/* How the threads of one operation share vectors and caches. */
struct use {
	int *users;                /* [vector]: threads that work on it */
	int *sharers[TOPO_LEVELS]; /* [level][cache]: threads that work under it */
};

static bool works(const struct plan_op *op, int thread)
{
	return op->jobs[thread].kernel->min_vectors > 0;
}

static const struct topo_cpu *cpu_of(const struct plan *p, int thread)
{
	return topo_cpu(p->topo, p->threads[thread].cpu); /* NULL: not bound */
}

static void count_use(const struct plan *p, const struct plan_op *op, struct use *u)
{
	u->users = alloc_zeroed((size_t)p->nvectors + 1, sizeof(int));
	for (int level = 1; level < TOPO_LEVELS; level++)
		u->sharers[level] =
			alloc_zeroed((size_t)p->topo->caches[level].count + 1, sizeof(int));
	for (int i = 0; i < p->nthreads; i++) {
		const struct topo_cpu *cpu = cpu_of(p, i);

		if (!works(op, i))
			continue;
		for (int k = 0; k < p->threads[i].nvectors; k++)
			u->users[p->threads[i].vector_ids[k]]++;
		for (int level = 1; cpu && level < TOPO_LEVELS; level++)
			if (cpu->caches[level] >= 0)
				u->sharers[level][cpu->caches[level]]++;
	}
}

static void free_use(struct use *u)
{
	free(u->users);
	for (int level = 1; level < TOPO_LEVELS; level++)
		free(u->sharers[level]);
}

/* Bytes of caches that a thread has; a cache above n working threads counts 1/n. */
static double part_of_caches(const struct plan *p, const struct use *u, int thread)
{
	const struct topo_cpu *cpu = cpu_of(p, thread);
	double bytes = 0;

	if (!cpu)
		return topo_caches(p->topo, false);
	for (int level = 1; level < TOPO_LEVELS; level++) {
		const struct topo_one_cache *one = topo_cache_above(p->topo, cpu, level);

		if (one)
			bytes += (double)one->bytes / u->sharers[level][cpu->caches[level]];
		else
			bytes += (double)topo_cache_bytes(p->topo, cpu, level); /* hidden */
	}
	return bytes;
}

static bool lies_on(const struct plan *p, int thread, int node)
{
	const struct plan_thread *t = &p->threads[thread];

	for (int k = 0; k < t->nvectors; k++) {
		const struct plan_vector *v = &p->vectors[t->vector_ids[k]];

		if (v->policy == MEM_LOCAL ? t->node == node
					   : node < MEM_MAX_NODES && v->nodes[node])
			return true;
	}
	return false;
}

/* Bytes of the memory-side caches before the vectors of a thread; one before the vectors of n
 * working threads counts 1/n. */
static double part_of_side(const struct plan *p, const struct plan_op *op, int thread)
{
	double bytes = 0;

	for (int i = 0; i < p->topo->nnodes; i++) {
		const struct topo_node *n = &p->topo->nodes[i];
		int users = 0;

		if (!n->cache || !lies_on(p, thread, n->node))
			continue;
		for (int k = 0; k < p->nthreads; k++)
			users += works(op, k) && lies_on(p, k, n->node);
		bytes += (double)n->cache / users;
	}
	return bytes;
}

/* Bytes that the thread accesses; a vector shared by n threads counts 1/n. */
static double part_of_lines(
	const struct plan *p, const struct plan_op *op, const struct use *u, int thread)
{
	const struct plan_thread *t = &p->threads[thread];
	const struct plan_job *job = &op->jobs[thread];
	const struct worker w = plan_worker(p, op, thread);
	double bytes = 0;

	for (int k = 0; k < t->nvectors; k++)
		bytes += (double)p->vectors[t->vector_ids[k]].bytes / u->users[t->vector_ids[k]];
	return job->kernel->accesses.reach ? bytes * job->kernel->accesses.reach(&w) : bytes;
}

static bool shares_lines(const struct plan *p, const struct use *u, int thread)
{
	for (int k = 0; k < p->threads[thread].nvectors; k++)
		if (u->users[p->threads[thread].vector_ids[k]] > 1)
			return true;
	return false;
}

void plan_memory_judge(const struct plan *p, struct plan_op *op)
{
	struct use u;

	count_use(p, op, &u);
	for (int i = 0; i < p->nthreads; i++) {
		struct plan_job *job = &op->jobs[i];

		job->times_caches = job->times_cpu_caches = job->bytes = NAN;
		job->in_side_cache = false;
		job->shares_lines = false;
		if (!works(op, i))
			continue;
		double caches = part_of_caches(p, &u, i);
		double side = part_of_side(p, op, i), lines = part_of_lines(p, op, &u, i);
		job->bytes = lines;
		if (caches > 0) {
			job->times_cpu_caches = lines / caches;
			job->times_caches = lines / (caches + side);
		}
		job->in_side_cache = side > 0 && lines >= PLAN_FROM_MEMORY * caches &&
				     job->times_caches < PLAN_FROM_MEMORY;
		job->shares_lines = shares_lines(p, &u, i);
	}
	held_find(p, op);
	free_use(&u);
}
