/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Page tables on a node of their own: counts them around the touch, and judges the counts. */
#include "placement/tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct tables_before {
	uint64_t count[MEM_MAX_NODES];
	bool only_node;
};

struct tables_before *tables_before(const struct plan_vector *v, const struct mem_rights *rights)
{
	struct tables_before *b = v->tables < 0 ? NULL : alloc_zeroed(1, sizeof(*b));

	if (!b)
		return NULL;
	mem_tables_count(b->count);
	b->only_node = mem_only_node(rights) == v->tables;
	return b;
}

void tables_found(const struct plan_vector *v, const struct mem *m, const struct tables_before *b,
	struct mem_tables *found)
{
	uint64_t *now;

	if (!b)
		return;
	now = alloc_zeroed(MEM_MAX_NODES, sizeof(*now));
	mem_tables_count(now);
	*found = (struct mem_tables){
		.needed = mem_tables_needed(m->base, m->bytes), .only_node = b->only_node};
	for (int node = 0; node < MEM_MAX_NODES; node++) {
		int64_t more = (int64_t)now[node] - (int64_t)b->count[node];

		if (node == v->tables)
			found->there = more;
		else
			found->elsewhere += more;
	}
	free(now);
}

int tables_refused(const struct plan *p, int vector, int error, struct errors *e)
{
	const int node = p->vectors[vector].tables;

	if (node < 0)
		error_add(e, STATUS_PLACEMENT, p->request->backing_per_vector.at,
			"vector %d: the kernel refuses the policy under which its file is read in "
			"(set_mempolicy: %s)",
			vector, strerror(error));
	else
		error_add(e, STATUS_PLACEMENT, p->request->tables_per_vector.at,
			"vector %d: the kernel refuses the policy that puts its page tables on "
			"node %d (set_mempolicy: %s)",
			vector, node, strerror(error));
	return error_hint(e,
		"in a container: docker run or podman run --cap-add SYS_NICE gives the "
		"right to it");
}

static const char hint[] =
	"other programs' page tables count as well: measure when they are quiet; "
	"a full node gives no tables; verify: warn measures anyway and adds a "
	"warning";

int tables_judge(const struct plan *p, int vector, const struct mem_tables *found, struct errors *e)
{
	static const char text[] = "vector %d: page tables on node %d grew by %lld while it was "
				   "touched, it has %zu; elsewhere by %lld";
	const int node = p->vectors[vector].tables;

	if (node < 0 || mem_tables_there(found))
		return 0;
	if (found->needed < MEM_TABLES_SHOWN || p->request->verify == VERIFY_WARN) {
		error_warn(e, text, vector, node, (long long)found->there, found->needed,
			(long long)found->elsewhere);
		error_hint(e, "%s", hint);
		return 0;
	}
	error_add(e, STATUS_PLACEMENT, p->request->tables_per_vector.at, text, vector, node,
		(long long)found->there, found->needed, (long long)found->elsewhere);
	return error_hint(e, "%s", hint);
}
