/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Can this machine give the pages that the vectors ask for, also where they are to move? */
#include <stdlib.h>

#include "base/alloc.h"
#include "memory/check.h"
#include "plan/parts.h"

/* local_2m_4k says the sizes that thp+base is to have. */
static int check_named(const struct plan *p, int vector, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];
	size_t huge = mem_huge_page(), base = mem_base_page();
	char larger[32], smaller[32];

	if (v->placement != PLACEMENT_LOCAL_2M_4K || !huge || (huge == 2 << 20 && base == 4096))
		return 0;
	error_add(e, STATUS_PLACEMENT, p->request->node_per_vector.at,
		"vector %d: %s, but this kernel's pages are of %s and %s", vector,
		placement_names[v->placement], text_size(huge, larger, sizeof(larger)),
		text_size(base, smaller, sizeof(smaller)));
	return error_hint(e, "pagesPerVector: thp+base takes what the kernel has");
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

	if (!p->topo->this_system)
		return 0;
	taken = alloc_zeroed(1, sizeof(*taken));
	for (int i = 0; i < p->nvectors; i++)
		failed |= check_vector(p, i, taken, e);
	for (int i = 0; i < p->nvectors && !failed; i++)
		failed |= check_target(p, i, taken, e);
	free(taken);
	return failed;
}
