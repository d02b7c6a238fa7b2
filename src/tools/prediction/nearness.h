/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How near two CPUs are: on one core, under a cache of a level, or on nodes at a distance. */
#ifndef NEARNESS_H
#define NEARNESS_H

#include "topology/pairs.h"

struct nearness {
	int level; /* of the first cache that both are under, 0: one core, TOPO_LEVELS: none */
	struct topo_pair pair; /* clusters, dies and others are no caches */
	uint64_t distance;     /* of their nodes, if there is none */
};

struct nearness nearness_of(
	const struct topo *t, const struct topo_cpu *a, const struct topo_cpu *b);
bool nearness_is_same(struct nearness a, struct nearness b);

#endif
