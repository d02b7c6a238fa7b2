/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares places of CPUs. */
#include "prediction/nearness.h"

#include "base/alloc.h"

struct nearness nearness_of(const struct topo *t, size_t a, size_t b)
{
	const struct topo_cpu *x = &t->cpus[a], *y = &t->cpus[b];
	struct nearness found = {x->core == y->core ? 0 : 1, 0};

	while (found.level && found.level < TOPO_LEVELS &&
		(x->caches[found.level] < 0 || x->caches[found.level] != y->caches[found.level]))
		found.level++;
	if (found.level == TOPO_LEVELS && x->node != y->node)
		found.distance = topo_distance(t, x->node, y->node);
	return found;
}

bool nearness_is_same(struct nearness a, struct nearness b)
{
	return a.level == b.level && a.distance == b.distance;
}

char *nearness_text(struct nearness n)
{
	return n.level == 0            ? alloc_format("on the same core")
	       : n.level < TOPO_LEVELS ? alloc_format("under the same L%d", n.level)
	       : n.distance ? alloc_format("at distance %llu", (unsigned long long)n.distance)
			    : alloc_format("on the same node");
}
