/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares places of CPUs. */
#include "prediction/nearness.h"

struct nearness nearness_of(
	const struct topo *t, const struct topo_cpu *a, const struct topo_cpu *b)
{
	struct nearness found = {a->core == b->core ? 0 : 1, topo_pair(t, a, b), 0};

	while (found.level && found.level < TOPO_LEVELS &&
		(a->caches[found.level] < 0 || a->caches[found.level] != b->caches[found.level]))
		found.level++;
	if (found.level == TOPO_LEVELS && a->node != b->node)
		found.distance = topo_distance(t, a->node, b->node);
	return found;
}

bool nearness_is_same(struct nearness a, struct nearness b)
{
	return a.level == b.level && topo_pair_is(a.pair, b.pair) && a.distance == b.distance;
}
