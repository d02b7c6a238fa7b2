/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Can this machine give the pages that the vectors ask for? */
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

int plan_pages(const struct plan *p, struct errors *e)
{
	struct mem_taken *taken;
	int failed = 0;

	if (!p->topo->this_system)
		return 0;
	taken = alloc_zeroed(1, sizeof(*taken));
	for (int i = 0; i < p->nvectors; i++) {
		const struct plan_vector *v = &p->vectors[i];
		const struct mem_request r = {
			v->bytes, v->policy, v->nodes, v->pages, plan_huge_last(v)};
		char *what = alloc_format("vector %d", i);

		failed |= check_named(p, i, e);
		failed |= mem_check_pages(&r, taken, what, p->request->node_per_vector.at, e);
		free(what);
	}
	free(taken);
	return failed;
}
