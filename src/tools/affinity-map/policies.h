/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the memory of a candidate goes. */
#ifndef MAP_POLICIES_H
#define MAP_POLICIES_H

#include <stdbool.h>

#include "base/linux.h"
#include "topology/topo.h"

#include <linux/mempolicy.h>

/* Linux 6.9; headers may be older. */
#define POLICY_WEIGHTED 6

#define POLICY_NODE_WORDS (LINUX_NODES / (8 * sizeof(unsigned long)))

/* Nodes of a policy, and its name for numactl; mode MPOL_DEFAULT: the system's own. */
struct policy {
	int mode;
	const char *option;
	unsigned long nodes[POLICY_NODE_WORDS];
	int count;
	unsigned char weights[LINUX_NODES]; /* pages of each node in a turn; all 0: alike */
};

bool policy_has(const unsigned long *nodes, int node);

/* All nodes whose memory may be taken, and those of these CPUs. */
struct policy policy_of_all(const struct topo *t, int mode, const char *option);
struct policy policy_of_cpus(
	const struct topo *t, const int *cpus, int ncpus, int mode, const char *option);

/* The kernel's weighted interleave over all nodes. NULL, or why there is none, to be freed. */
char *policy_of_kernel(const struct topo *t, struct policy *p);

/* All nodes by the bandwidth at which these CPUs read their memory (ncpus 0: all CPUs), as the
 * topology's rates have it; mode is MPOL_DEFAULT, because no policy of the kernel does it for one
 * program. part: how much of what the other nodes would have the nodes of the CPUs have, too. NULL,
 * or why there are no such weights, to be freed. */
char *policy_of_rates(
	const struct topo *t, const int *cpus, int ncpus, double part, struct policy *p);

/* "0=3,1=1", to be freed. */
char *policy_weights(const struct policy *p);

#endif
