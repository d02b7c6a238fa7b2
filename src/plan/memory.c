/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Are vectors so large that memory serves them, and not a cache? */
#include "plan/memory.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "plan/parts.h"

/* Of one operation. */
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

/* Bytes of caches that a thread that works has. */
static double part_of_caches(const struct plan *p, const struct use *u, int thread)
{
	const struct topo_cpu *cpu = cpu_of(p, thread);
	double bytes = 0;

	if (!cpu)
		return topo_caches(p->topo, false);
	for (int level = 1; level < TOPO_LEVELS; level++)
		if (cpu->caches[level] >= 0)
			bytes += (double)p->topo->caches[level].bytes /
				 u->sharers[level][cpu->caches[level]];
	return bytes;
}

/* Bytes of the lines that it comes by, where others come by them too its part. */
static double part_of_lines(
	const struct plan *p, const struct plan_op *op, const struct use *u, int thread)
{
	const struct plan_thread *t = &p->threads[thread];
	const struct plan_job *job = &op->jobs[thread];
	const struct worker w = plan_worker(p, op, thread);
	double bytes = 0;

	for (int k = 0; k < t->nvectors; k++)
		bytes += (double)p->vectors[t->vector_ids[k]].bytes / u->users[t->vector_ids[k]];
	return job->kernel->reach ? bytes * job->kernel->reach(&w) : bytes;
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

		job->times_caches = NAN;
		job->shares_lines = false;
		if (!works(op, i))
			continue;
		double caches = part_of_caches(p, &u, i);
		if (caches > 0)
			job->times_caches = part_of_lines(p, op, &u, i) / caches;
		job->shares_lines = shares_lines(p, &u, i);
	}
	free_use(&u);
}

/* first: what thread 0 of the plan is in the file. */
static bool warn_small(const struct plan *p, const struct plan_op *op, int first, const char *how,
	struct errors *e)
{
	for (int i = 0; i < p->nthreads; i++) {
		if (!(op->jobs[i].times_caches < PLAN_FROM_MEMORY))
			continue;
		error_warn(e,
			"measures: memory, but what thread %d comes by in %s%s is %.4g times its "
			"part of the caches above it, less than %d times",
			first + i, op->label, how, op->jobs[i].times_caches, PLAN_FROM_MEMORY);
		error_hint(e,
			"tamPerVector: %dxcaches or more, or %dxcaches/core where all cores have "
			"vectors of their own; smaller ones measure the caches as well",
			PLAN_FROM_MEMORY, PLAN_FROM_MEMORY);
		return true; /* once is enough */
	}
	return false;
}

/* Whoever runs alone has the caches to itself. */
static bool warn_small_alone(const struct plan *p, struct errors *e)
{
	bool warned = false;

	for (int i = 0; p->request->solo && !warned && i < p->nthreads; i++) {
		struct plan alone;

		plan_alone(p, i, &alone);
		for (int op = 0; op < p->nops && !warned; op++)
			warned = warn_small(&alone, &alone.ops[op], i, " alone (solo)", e);
		plan_alone_free(&alone);
	}
	return warned;
}

static void warn(const struct plan *p, struct errors *e)
{
	if (!(topo_caches(p->topo, false) > 0)) {
		error_warn(e, "measures: memory, but the machine shows no caches: nobody knows "
			      "whether the vectors exceed them");
		error_hint(e, "look up what the processor has, and give every vector four times "
			      "that");
		return;
	}
	for (int op = 0; op < p->nops; op++)
		if (warn_small(p, &p->ops[op], 0, "", e))
			return;
	warn_small_alone(p, e);
}

void plan_memory(struct plan *p, struct errors *e)
{
	for (int op = 0; op < p->nops; op++)
		plan_memory_judge(p, &p->ops[op]);
	if (p->request->measures == MEASURES_MEMORY && p->nvectors)
		warn(p, e);
}
