/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * leaveHuge: fragments nodes while vectors are placed and measured. A process of affinity-frag does
 * it for each node and holds it: memory that it pins is none of this process, and the node is given
 * back however this process ends, by SIGKILL too.
 */
#ifndef LEAVE_H
#define LEAVE_H

#include <signal.h>
#include <sys/types.h>

#include "plan/plan.h"

/* What affinity-frag reached, in bytes. */
struct left {
	uint64_t huge;   /* free in blocks of a huge page and more, before the vectors came */
	uint64_t all;    /* free */
	uint64_t broken; /* number of blocks */
	uint64_t most;   /* the most that was free in such blocks meanwhile */
};

/* A zeroed one is empty. */
struct leave {
	const struct plan *plan;
	struct left *left; /* [placements * plan->nleaves], a placement after another; owned */
	size_t count;      /* of left */
	struct fragmenter {
		pid_t process;
		int amounts, messages; /* what it writes */
	} * running;                   /* [nrunning] while nodes are fragmented */
	size_t nrunning;
};

/* Fragments the plan's nodes. Returns when all are, 0, or -1 with a message (STATUS_PLACEMENT),
 * without one if a signal handler has set *stop. */
int leave_begin(
	struct leave *l, const struct plan *p, const volatile sig_atomic_t *stop, struct errors *e);

/* Gives the nodes back, as far as they are fragmented; what was reached stays. 0, or -1 with a
 * message: a node was not held to the end. */
int leave_end(struct leave *l, struct errors *e);

/* What was reached in a placement, from 0, on the plan's i-th node. */
const struct left *leave_left(const struct leave *l, size_t placement, int i);

void leave_free(struct leave *l);

#endif
