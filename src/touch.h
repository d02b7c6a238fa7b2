/* SPDX-License-Identifier: GPL-3.0-or-later */
/* First touch: which threads write every page of a vector once, and where the kernel then put them.
 */
#ifndef TOUCH_H
#define TOUCH_H

#include "mem.h"
#include "plan.h"

/* The CPUs that touch a vector: all whole cores of its node for INIT_NODE (of the nearest node with
 * CPUs when it has none), else one thread's CPU, or -1 for the unbound initial thread. Returns how
 * many, at least 1; *cpus is to be freed. */
int touch_cpus(const struct plan *p, const struct plan_vector *v, int **cpus);

struct touched {
	struct mem_found pages;
	int cpu;     /* where the first of them ran, as found */
	int refused; /* a node ran out of memory: untouched pages remain */
};

/* Writes one byte of every base page, in as many blocks as there are CPUs, and asks for the pages'
 * nodes. Stops early rather than use up a node that the memory is bound to. 0, or -1 with a
 * message. */
int touch(const struct plan *p, const struct plan_vector *v, const struct mem *m, const int *cpus,
	int n, struct touched *result, struct errors *e);

/* Asks for the pages' nodes again, on the same CPUs. */
int touch_find(const struct plan *p, const struct mem *m, const int *cpus, int n,
	struct touched *result, struct errors *e);

#endif
