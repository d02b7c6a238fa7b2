/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For topo.c only: the kinds of cores of a machine, from hwloc. */
#ifndef TOPO_KINDS_H
#define TOPO_KINDS_H

#include "topology/topo.h"

struct hwloc_topology;

/* Fills in t->kinds and the kinds of t->cpus, which must be there. */
void topo_load_kinds(struct topo *t, struct hwloc_topology *hwloc);

void topo_free_kinds(struct topo *t);

#endif
