/* SPDX-License-Identifier: GPL-3.0-or-later */
/* First touch: which threads write every page of a vector once, and on which node the kernel then
 * put the pages. */
#ifndef TOUCH_H
#define TOUCH_H

#include <signal.h>

#include "memory/capacity.h"
#include "memory/mem.h"
#include "plan/plan.h"

/* The CPUs that touch a vector. */
struct touchers {
	int *cpus;   /* [MEM_MAX_NODES], to be freed; -1: the thread may run anywhere */
	int n;       /* at least 1 */
	size_t turn; /* bytes that they touch in turn, from the first; 0: each touches one block */
};

/* For INIT_NODE: all whole cores of its node (of the nearest node with CPUs if it has none), or one
 * of them if there is an order of touching.
 * Otherwise one thread's CPU, or -1 for the unbound initial thread. */
struct touchers touch_cpus(const struct plan *p, const struct plan_vector *v);

/* For a kernel without memory policies, where a page comes from the node of the thread that touches
 * it first: replaces the touchers of p's vector by threads on the nodes that it was asked for, if
 * they are elsewhere. A warning says so. 0, or -1 with a message (STATUS_PLACEMENT) when there is
 * no thread for a node. */
int touch_without_policy(const struct plan *p, int vector, const struct mem_rights *rights,
	struct touchers *who, struct errors *e);

/* The only node that may supply this vector's memory, or -1 if the kernel may use others. */
int touch_source(const struct plan_vector *v);

/* Do its pages take free memory when they are touched? */
bool touch_takes(const struct plan_vector *v);

/* How much more can be taken where the pages come from just now; of a set of nodes all together. */
struct capacity_left touch_left(const struct plan_vector *v);

struct touched {
	struct mem_found pages;
	int cpu;           /* the CPU on which the first toucher actually ran */
	int refused;       /* memory ran out: untouched pages remain */
	int policy_error;  /* the kernel refused the policy for page tables or pages of a file;
			      untouched */
	size_t mthp_bytes; /* that are shown to be in transparent huge pages of the size asked for,
			      if that is not the usual one */
	uint64_t touch_ns; /* of the slowest toucher, without the query of the pages' nodes */
	uint64_t minor_faults, major_faults; /* of all touchers */
};

/* Writes one byte of every base page, in as many blocks as there are CPUs or in turn, and queries
 * the nodes of the pages. Stops early if memory would run out, and when *stop is set. A kernel that
 * refuses the query is not asked again (*rights), and a warning says what shows the nodes instead.
 * 0, or -1 with a message when nothing does; with verify: warn that causes a warning, and no pages
 * are found. */
int touch(const struct plan *p, const struct plan_vector *v, const struct mem *m,
	const struct touchers *who, struct mem_rights *rights, const volatile sig_atomic_t *stop,
	struct touched *result, struct errors *e);

/* Queries the nodes of the pages again, with n threads; a thread with CPU -1 may run anywhere. */
int touch_find(const struct plan *p, const struct mem *m, const int *cpus, int n,
	struct mem_rights *rights, struct touched *result, struct errors *e);

#endif
