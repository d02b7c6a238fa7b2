/* SPDX-License-Identifier: GPL-3.0-or-later */
/* First touch: which threads write every page of a vector once, and where the kernel then put them.
 */
#ifndef TOUCH_H
#define TOUCH_H

#include <signal.h>

#include "memory/mem.h"
#include "plan/plan.h"

/* The CPUs that touch a vector: all whole cores of its node for INIT_NODE (of the nearest node with
 * CPUs when it has none), else one thread's CPU, or -1 for the unbound initial thread. Returns how
 * many, at least 1; *cpus is to be freed. */
int touch_cpus(const struct plan *p, const struct plan_vector *v, int **cpus);

/* The only node that may supply this vector's memory, or -1 if the kernel may use others. */
int touch_source(const struct plan_vector *v);

struct touched {
	struct mem_found pages;
	int cpu;           /* where the first of them ran, as found */
	int refused;       /* memory ran out: untouched pages remain */
	uint64_t touch_ns; /* of the slowest of them, without asking for the pages' nodes */
};

/* Writes one byte of every base page, in as many blocks as there are CPUs, and asks for the pages'
 * nodes. Stops early rather than use up memory, and when *stop is set. 0, or -1 with a message;
 * with verify: warn a kernel that does not show the nodes is a warning, and no pages are found. */
int touch(const struct plan *p, const struct plan_vector *v, const struct mem *m, const int *cpus,
	int n, const volatile sig_atomic_t *stop, struct touched *result, struct errors *e);

/* Asks for the pages' nodes again, by as many threads; -1 is a thread that may run anywhere. */
int touch_find(const struct plan *p, const struct mem *m, const int *cpus, int n,
	struct touched *result, struct errors *e);

#endif
