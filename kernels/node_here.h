/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a bound thread runs. */
#ifndef NODE_HERE_H
#define NODE_HERE_H

#include <sched.h>

#include "kernel.h"

/* Of the thread's CPU; -1: not known, or it may change. */
static inline int node_here(const struct worker *w)
{
	unsigned cpu, node;

	return w->bound && !getcpu(&cpu, &node) ? (int)node : -1;
}

#endif
