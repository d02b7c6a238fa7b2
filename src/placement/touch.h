/* SPDX-License-Identifier: GPL-3.0-or-later */
/* First touch: which threads write every page of a vector once, and on which node the kernel then
 * put the pages. */
#ifndef TOUCH_H
#define TOUCH_H

#include <signal.h>

#include "memory/mem.h"
#include "plan/plan.h"

/* The CPUs that touch a vector. For INIT_NODE: all whole cores of its node (of the nearest node
 * with CPUs if it has none). Otherwise one thread's CPU, or -1 for the unbound initial thread.
 * Returns their number, at least 1; *cpus is to be freed. */
int touch_cpus(const struct plan *p, const struct plan_vector *v, int **cpus);

/* The only node that may supply this vector's memory, or -1 if the kernel may use others. */
int touch_source(const struct plan_vector *v);

struct touched {
	struct mem_found pages;
	int cpu;           /* the CPU on which the first toucher actually ran */
	int refused;       /* memory ran out: untouched pages remain */
	uint64_t touch_ns; /* of the slowest toucher, without the query of the pages' nodes */
};

/* Writes one byte of every base page, in as many blocks as there are CPUs, and queries the nodes of
 * the pages. Stops early if memory would run out, and when *stop is set. 0, or -1 with a message;
 * with verify: warn a kernel that does not report the nodes causes a warning, and no pages are
 * found. */
int touch(const struct plan *p, const struct plan_vector *v, const struct mem *m, const int *cpus,
	int n, const volatile sig_atomic_t *stop, struct touched *result, struct errors *e);

/* Queries the nodes of the pages again, with n threads; a thread with CPU -1 may run anywhere. */
int touch_find(const struct plan *p, const struct mem *m, const int *cpus, int n,
	struct touched *result, struct errors *e);

#endif
