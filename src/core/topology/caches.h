/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The caches of a machine: from hwloc, from the processor itself, or as somebody else knows them.
 */
#ifndef TOPO_CACHES_H
#define TOPO_CACHES_H

#include "topology/topo.h"

struct hwloc_topology;

/* For topo.c only. Fills in t->caches and the caches of t->cpus, from hwloc's topology; where that
 * has no sizes and is this machine, from the processor. t->cpus must be filled in, with the CPUs
 * that may be used. */
void topo_load_caches(struct topo *t, struct hwloc_topology *hwloc);
void topo_free_caches(struct topo *t);

/* A level of caches as a user or a measurement gives it. */
struct topo_given_cache {
	uint64_t bytes;
	int cores; /* that share one, in the order of their numbers; at least 1 */
};

/* Makes `out` the machine t with these caches from level 1 on, and no others. t must outlive it;
 * topo_drop_caches(), not topo_free(), releases it. from: CACHES_USER or CACHES_MEASURED; note: as
 * the field of struct topo, copied. */
void topo_with_caches(struct topo *out, const struct topo *t, const struct topo_given_cache *list,
	int levels, enum topo_caches_from from, const char *note);
void topo_drop_caches(struct topo *t);

#endif
