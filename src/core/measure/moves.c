/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Refuses to move pages whose places cannot be proven. */
#include "measure/moves.h"

#include <stdio.h>

static int check_vector(const struct prepared *r, const struct plan *p, const char *kernel,
	int vector, struct errors *e)
{
	const struct placement *found = prepare_found(r, r->made - 1, vector);
	const char *proof = mem_proof_names[found->pages.proof];
	char seen[64] = "";

	/* pages that NUMA balancing hides (placement/touch.c) are found by the kernel that moves */
	if (found->pages.proof == MEM_BY_MOVE_PAGES ||
		(found->pages.proof == MEM_BY_NUMA_MAPS && !r->rights->move_pages))
		return 0;
	if (proof)
		snprintf(seen, sizeof(seen), ": all there is to see is %s", proof);
	return plan_refuse_moves(p, kernel, vector, seen, e);
}

int moves_check(
	const struct prepared *r, const struct plan *p, const struct plan_op *op, struct errors *e)
{
	for (int i = 0; i < p->nthreads; i++) {
		const struct plan_thread *t = &p->threads[i];

		if (!plan_job_moves(&op->jobs[i]))
			continue;
		for (int k = 0; k < t->nvectors; k++)
			if (check_vector(r, p, op->jobs[i].name, t->vector_ids[k], e))
				return -1;
	}
	return 0;
}
