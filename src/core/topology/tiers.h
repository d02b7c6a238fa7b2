/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For topo.c only: kinds of memory and how fast they are, from hwloc. */
#ifndef TOPO_TIERS_H
#define TOPO_TIERS_H

#include "topology/topo.h"

struct hwloc_topology;

/* Fills in the kinds and memory-side caches of t->nodes, and t->bandwidths and t->latencies. Nodes
 * and CPUs must be there. */
void topo_load_tiers(struct topo *t, struct hwloc_topology *hwloc);

void topo_free_tiers(struct topo *t);

#endif
