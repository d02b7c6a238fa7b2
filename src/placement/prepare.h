/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps a plan's vectors, has the right threads touch them, and proves the node of every page. */
#ifndef PREPARE_H
#define PREPARE_H

#include <signal.h>

#include "memory/mem.h"
#include "plan/plan.h"
#include "system/page_moves.h"

/* Where a vector was found. */
struct placement {
	struct mem_found pages; /* by node, in base pages; none: the kernel does not show them, and
				   verify: warn accepts that */
	struct mem_sizes sizes;
	int touched_by;    /* CPU of the (first) thread that touched it */
	int touchers;      /* how many threads did */
	uint64_t map_ns;   /* mmap(), policy and page size, with the checks before them */
	uint64_t touch_ns; /* of the slowest toucher */
	size_t moved;      /* pages on another node, or absent, at the end of the run; at least */
};

struct prepared {
	const struct plan *plan;
	struct mem *mems;             /* [nvectors] */
	struct placement *placements; /* [nvectors] */
	struct page_moves moves;      /* of the machine, when the vectors were there */
	struct vector **vectors;      /* [nthreads]: the thread's vectors of the plan, with bases */
};

/* Maps, touches and proves every vector. 0, or -1 with messages (STATUS_PLACEMENT); with verify:
 * warn a vector in the wrong place is a warning. *stop, set by a signal handler, ends it soon with
 * -1 and no message. Frees all on failure. */
int prepare(struct prepared *r, const struct plan *p, const volatile sig_atomic_t *stop,
	struct errors *e);

/* plan_worker() with the vectors' bases. p is the prepared plan, or plan_alone() of it. */
struct worker prepare_worker(
	const struct prepared *r, const struct plan *p, const struct plan_op *op, int thread);

/* How many threads a plan has at a time, those that touch its vectors included. */
int prepare_threads(const struct plan *p);

/* Asks for every page and its size again, after the samples: fills in `moved`. Pages that moved and
 * came back, or that somebody else's were, leave their trace in the kernel's counters only: a
 * warning. 0, or -1 as above. */
int prepare_recheck(struct prepared *r, struct errors *e);

/* Unmaps the vectors; the placements stay. */
void prepare_release(struct prepared *r);

void prepare_free(struct prepared *r);

/* What is wrong with where the pages of a vector are, written to why[n]; NULL: nothing. */
const char *placement_wrong(const struct plan_vector *v, const struct mem *m,
	const struct placement *found, char *why, size_t n);

#endif
