/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What topo.c needs of /sys and /proc on this system because hwloc does not tell it. */
#ifndef TOPO_SYSTEM_H
#define TOPO_SYSTEM_H

#include <stdbool.h>

#define SYSTEM_MAX_NODES 1024 /* CONFIG_NODES_SHIFT is at most 10 */

/* The nodes whose memory the process may use, as the kernel says; all when it does not say. */
void topo_system_mems(bool nodes[SYSTEM_MAX_NODES]);

/* The nodes that are there, with or without CPUs and memory; none when the kernel does not say. */
void topo_system_nodes(bool nodes[SYSTEM_MAX_NODES]);

/* Writes the node of each CPU that has one into home[0..ncpus) and leaves the others alone. Returns
 * how many it found: 0 where the kernel shows no nodes. */
int topo_system_homes(int *home, int ncpus);

#endif
