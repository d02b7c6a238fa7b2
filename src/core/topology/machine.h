/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For topo.c only: hwloc's view of the machine. */
#ifndef TOPO_MACHINE_H
#define TOPO_MACHINE_H

#include <hwloc.h>

#include "base/error.h"
#include "topology/topo.h"

/* Loads this machine, or what hwloc's variables name, and sets t->source and t->this_system. The
 * caller destroys hwloc. -1 with a message, and nothing to destroy, if it cannot. */
int topo_read_machine(struct topo *t, hwloc_topology_t *hwloc, struct errors *e);

#endif
