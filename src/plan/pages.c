/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Can this machine give the pages that the vectors ask for? */
#include <stdlib.h>

#include "base/alloc.h"
#include "memory/check.h"
#include "plan/parts.h"

int plan_pages(const struct plan *p, struct errors *e)
{
	struct mem_taken *taken;
	int failed = 0;

	if (!p->topo->this_system)
		return 0;
	taken = alloc_zeroed(1, sizeof(*taken));
	for (int i = 0; i < p->nvectors; i++) {
		const struct plan_vector *v = &p->vectors[i];
		const struct mem_request r = {v->bytes, v->policy, v->nodes, v->pages};
		char *what = alloc_format("vector %d", i);

		failed |= mem_check_pages(&r, taken, what, p->request->node_per_vector.at, e);
		free(what);
	}
	free(taken);
	return failed;
}
