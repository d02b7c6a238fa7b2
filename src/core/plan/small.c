/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Are vectors so large that memory serves them, and not a cache? */
#include "plan/alone.h"
#include "plan/memory.h"
#include "plan/parts.h"

/* first: the number in the file of the plan's thread 0. */
static bool warn_small(const struct plan *p, const struct plan_op *op, int first, const char *how,
	struct errors *e)
{
	for (int i = 0; i < p->nthreads; i++) {
		if (!(op->jobs[i].times_cpu_caches < PLAN_FROM_MEMORY))
			continue;
		error_warn(e,
			"measures: memory, but what thread %d accesses in %s%s is %.4g times its "
			"share of the caches above it, less than %d times",
			first + i, op->label, how, op->jobs[i].times_cpu_caches, PLAN_FROM_MEMORY);
		error_hint(e,
			"sizePerVector: %dxcaches or more, or %dxcaches/core where all cores have "
			"vectors of their own; smaller ones measure the caches as well",
			PLAN_FROM_MEMORY, PLAN_FROM_MEMORY);
		return true; /* once is enough */
	}
	return false;
}

/* A thread that runs alone has the caches to itself, so vectors may be too small only then. */
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

static void warn_of_small_vectors(const struct plan *p, struct errors *e)
{
	if (!(topo_caches(p->topo, false) > 0)) {
		error_warn(e, "measures: memory, but the machine shows no caches: whether the "
			      "vectors exceed them is unknown");
		error_hint(e, "look up the caches of the processor, and make every vector four "
			      "times as large");
		return;
	}
	for (int op = 0; op < p->nops; op++)
		if (warn_small(p, &p->ops[op], 0, "", e))
			return;
	warn_small_alone(p, e);
}

/* With and without measures: memory, since vectors past the caches of the CPUs are meant for it. */
static void warn_side_cache(const struct plan *p, const struct plan_op *op, struct errors *e)
{
	for (int i = 0; i < p->nthreads; i++) {
		if (!op->jobs[i].in_side_cache)
			continue;
		error_warn(e,
			"what thread %d accesses in %s exceeds the caches of the CPUs, but a "
			"memory-side cache holds a good part of it: the figures are those of that "
			"cache",
			i, op->label);
		error_hint(e, "sizePerVector: %dxmemcache measures the memory behind it",
			PLAN_FROM_MEMORY + 1);
		return;
	}
}

void plan_small(struct plan *p, struct errors *e)
{
	for (int op = 0; op < p->nops; op++)
		plan_memory_judge(p, &p->ops[op]);
	for (int op = 0; op < p->nops; op++)
		warn_side_cache(p, &p->ops[op], e);
	if (p->request->measures == MEASURES_MEMORY && p->nvectors)
		warn_of_small_vectors(p, e);
}
