/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What topo.c reads from /sys and /proc of this system because hwloc does not provide it. */
#ifndef TOPO_SYSTEM_H
#define TOPO_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/linux.h"

/* Checks beforehand that the kernel answers what hwloc asks with ever larger masks until it does.
 * 0, or -1 with a message. */
int topo_system_check(struct errors *e);

/* The nodes whose memory the process may use, as the kernel says; all when it does not say. */
void topo_system_mems(bool nodes[LINUX_NODES]);

/* The nodes that are there, with or without CPUs and memory; none when the kernel does not say. */
void topo_system_nodes(bool nodes[LINUX_NODES]);

/* Sets the CPUs of cpus[0..ncpus) that the kernel would let this thread run on, and no others:
 * those of the cpuset, whose files a container may hide. The thread may change its CPU meanwhile.
 * False: a sandbox forbids to ask. */
bool topo_system_cpuset(bool *cpus, int ncpus);

/* Is the CPU there, and switched off? */
bool topo_system_offline(int cpu);

/* Writes the node of each CPU that has one into home[0..ncpus) and leaves the others alone: of
 * several that list the CPU its own, or the first. Returns how many it found: 0 where the kernel
 * shows no nodes. */
int topo_system_homes(int *home, int ncpus);

/* The firmware's distances from a node to all n that are there, in the order of their numbers. 0,
 * or -1 when the kernel does not say. */
int topo_system_distances(int node, uint64_t *distances, int n);

/* The weight of a node in the kernel's weighted interleave; 0: the kernel has none. */
unsigned topo_system_weight(int node);

#endif
