/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a thread runs. */
#ifndef NODE_HERE_H
#define NODE_HERE_H

#include <sched.h>
#include <stddef.h>

#include "kernel.h"

/* Of the CPU at this moment; -1: not known. */
static inline int node_now(void)
{
	unsigned node;

	return getcpu(NULL, &node) ? -1 : (int)node;
}

/* Of a bound thread's CPU; -1: not known, or it may change. */
static inline int node_here(const struct worker *w)
{
	return w->bound ? node_now() : -1;
}

#endif
