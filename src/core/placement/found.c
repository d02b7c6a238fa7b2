/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The placement that is mapped: what was found, and what is wrong with it. */
#include "placement/found.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "placement/backed.h"

const struct placement *prepare_found(const struct prepared *r, size_t placement, int vector)
{
	return &r->placements[placement * (size_t)r->plan->nvectors + (size_t)vector];
}

struct placement *found_now(const struct prepared *r, int vector)
{
	return &r->placements[(r->made - 1) * (size_t)r->plan->nvectors + (size_t)vector];
}

int found_wrong(const struct plan *p, int vector, const char *why, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];

	if (p->request->verify == VERIFY_WARN || v->policy == MEM_PREFERRED) {
		error_warn(e, "vector %d, asked for node %s: %s", vector, v->asked, why);
		backed_hint(p, vector, e);
		return 0;
	}
	error_add(e, STATUS_PLACEMENT, p->request->node_per_vector.at,
		"vector %d, asked for node %s: %s", vector, v->asked, why);
	if (backed_hint(p, vector, e))
		return -1;
	return error_hint(e, "free memory on that node (numactl -H, numastat) or choose another; "
			     "verify: warn measures anyway and adds a warning");
}

int found_again(const struct prepared *r, const struct plan *p, int vector, struct touched *now,
	struct errors *e)
{
	int *cpus = alloc_zeroed((size_t)p->nthreads, sizeof(*cpus));

	for (int i = 0; i < p->nthreads; i++)
		cpus[i] = p->threads[i].cpu;
	int failed = touch_find(r->plan, &r->mems[vector], cpus, p->nthreads, r->rights, now, e);

	free(cpus);
	return failed;
}

void found_note(struct prepared *r, struct errors *e)
{
	for (int i = 0; i < r->plan->nvectors; i++)
		r->last[i] = (struct proof){found_now(r, i)->pages, found_now(r, i)->sizes};
	physical_find(&r->physical, r->plan, r->mems, e);
}
