/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Can this machine give the pages that the vectors ask for, also where they are to move? */
#include <stdlib.h>

#include "base/alloc.h"
#include "memory/check.h"
#include "plan/parts.h"

/* The names say the sizes of huge pages, and local_2m_4k that of small ones too. A kernel without
 * huge pages is told of later. */
static int check_named(const struct plan *p, int vector, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];
	const bool half = v->placement == PLACEMENT_LOCAL_2M_4K;
	size_t huge = mem_huge_page(), base = mem_base_page();
	char larger[32], smaller[32];

	if (v->placement == PLACEMENT_BY_NODE || v->placement == PLACEMENT_LOCAL_4K || !huge)
		return 0;
	if (huge == 2 << 20 && (!half || base == 4096))
		return 0;
	error_add(e, STATUS_PLACEMENT, p->request->node_per_vector.at,
		"vector %d: %s, but this kernel's pages are of %s and %s", vector,
		placement_names[v->placement], text_size(huge, larger, sizeof(larger)),
		text_size(base, smaller, sizeof(smaller)));
	return error_hint(e,
		"pagesPerVector: %s takes what the kernel has, with nodePerVector: a node",
		half ? "thp+base" : "thp");
}

/* With an odd number of pages one node has one more: of 17 it has 53 %, of fewer a larger part. */
static int check_half_far(const struct plan *p, int vector, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];
	const size_t huge = 2 << 20, least = 16;
	char size[32];

	if (v->placement != PLACEMENT_INTERLEAVE_2M || v->bytes >= least * huge)
		return 0;
	error_add(e, STATUS_PLACEMENT, p->request->size_per_vector.at,
		"vector %d: interleave_2m: %s has too few huge pages to be half far", vector,
		text_size(v->bytes, size, sizeof(size)));
	return error_hint(e, "a larger tamPerVector: 32 MiB, %zu huge pages, at least", least);
}

static bool moves_to_target(const struct plan *p, int vector)
{
	for (int op = 0; op < p->nops; op++)
		for (int i = 0; i < p->nthreads; i++) {
			const struct plan_job *job = &p->ops[op].jobs[i];

			if (job->kernel->is_move && job->kernel->is_move(job->args) &&
				plan_uses(&p->threads[i], vector))
				return true;
		}
	return false;
}

/* Where its pool is empty, the kernel would make a page of free memory, which costs more, and the
 * pools of both nodes would change their sizes. */
static int check_target(const struct plan *p, int vector, struct mem_taken *taken, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];
	bool nodes[MEM_MAX_NODES] = {false};
	const struct mem_request r = {v->bytes, MEM_BIND, nodes, v->pages, false};

	if (v->target < 0 || v->nodes[v->target] || !mem_from_pool(v->pages) ||
		!moves_to_target(p, vector))
		return 0;
	nodes[v->target] = true;
	char *what = alloc_format("vector %d, which is to move to node %d", vector, v->target);
	int failed = mem_check_pages(&r, taken, what, p->request->target_per_vector.at, e);

	free(what);
	return failed;
}

static int check_vector(const struct plan *p, int vector, struct mem_taken *taken, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];
	const struct mem_request r = {v->bytes, v->policy, v->nodes, v->pages, plan_huge_last(v)};
	char *what = alloc_format("vector %d", vector);
	int failed = check_named(p, vector, e);

	failed |= mem_check_pages(&r, taken, what, p->request->node_per_vector.at, e);

	free(what);
	return failed;
}

int plan_pages(const struct plan *p, struct errors *e)
{
	struct mem_taken *taken;
	int failed = 0;

	for (int i = 0; i < p->nvectors; i++)
		failed |= check_half_far(p, i, e);
	if (!p->topo->this_system)
		return failed;
	taken = alloc_zeroed(1, sizeof(*taken));
	for (int i = 0; i < p->nvectors; i++)
		failed |= check_vector(p, i, taken, e);
	for (int i = 0; i < p->nvectors && !failed; i++)
		failed |= check_target(p, i, taken, e);
	free(taken);
	return failed;
}
