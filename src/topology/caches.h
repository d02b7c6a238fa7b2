/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For topo.c only: the caches of a machine out of hwloc's. */
#ifndef TOPO_CACHES_H
#define TOPO_CACHES_H

#include "topology/topo.h"

struct hwloc_topology;

/* Fills in t->caches and the caches of t->cpus, which must be there with what may be used. */
void topo_load_caches(struct topo *t, struct hwloc_topology *hwloc);

#endif
