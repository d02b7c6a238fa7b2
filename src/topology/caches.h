/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For topo.c only: the caches of a machine, from hwloc. */
#ifndef TOPO_CACHES_H
#define TOPO_CACHES_H

#include "topology/topo.h"

struct hwloc_topology;

/* Fills in t->caches and the caches of t->cpus. t->cpus must be filled in, with the CPUs that may
 * be used. */
void topo_load_caches(struct topo *t, struct hwloc_topology *hwloc);

#endif
