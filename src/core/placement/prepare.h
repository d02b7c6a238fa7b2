/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps a plan's vectors, has the right threads touch them, and verifies the node of every page. */
#ifndef PREPARE_H
#define PREPARE_H

#include <signal.h>

#include "memory/mem.h"
#include "memory/tables.h"
#include "placement/leave.h"
#include "placement/physical.h"
#include "placement/promise.h"
#include "plan/plan.h"

/* The observed placement of a vector. */
struct placement {
	struct mem_found pages; /* by node, in base pages; none: the kernel does not report them,
				   and verify: warn accepts that */
	struct mem_sizes sizes;
	size_t mthp_bytes; /* as in struct touched */
	int touched_by;    /* CPU of the (first) thread that touched it */
	int touchers;      /* number of threads that touched it */
	uint64_t map_ns;   /* mmap(), policy and page size, including the checks before them */
	uint64_t touch_ns; /* of the slowest toucher */
	uint64_t minor_faults, major_faults; /* while it was touched */
	uint64_t copy_ns; /* of a further copy: copying the first one by one thread; else 0 */
	struct mem_tables tables;               /* with plan_vector.tables */
	struct backing_resident resident, left; /* pages of a file in memory: before it was touched,
						   and when they had been dropped */
	struct promise promise;                 /* of local_frag, rhp_frag and rhp_frag_profiler */
	bool broken;       /* not as the plan asks for it, which a warning says */
	size_t brought;    /* bytes that prepare_bring() moved to the node of the threads ... */
	uint64_t bring_ns; /* ... and how long that took; 0: it was not called */
	size_t moved; /* pages that were on another node, or absent, at the end of an operation than
			 before it; a lower bound */
};

/* What the kernel said of a vector last. */
struct proof {
	struct mem_found pages;
	struct mem_sizes sizes;
};

struct prepared {
	const struct plan *plan;
	struct mem_rights *rights;     /* not owned */
	struct mem *mems;              /* [nvectors]; NULL: they are not mapped */
	struct placement *placements;  /* [made * nvectors], one placement after another */
	size_t made;                   /* placements, with the one that is mapped */
	size_t stacks[PLACEMENTS_MAX]; /* [made]: how far down the threads work on their stacks, in
					  bytes; set by measure/ */
	struct leave leave;            /* of the same placements; measure/ begins and ends it */
	struct physical physical;      /* of the last placement */
	struct proof *last;            /* [nvectors], as long as they are mapped */
	struct vector **vectors; /* [nthreads]: the thread's vectors of the plan, with bases */
};

/* Maps, touches and verifies every vector: a placement. *r is zero before the first one; another
 * one may follow when the vectors are given back. 0, or -1 with messages (STATUS_PLACEMENT); with
 * verify: warn a vector in the wrong place causes a warning. If a signal handler sets *stop,
 * prepare() soon returns -1 without a message. On failure the vectors are given back, and `made` is
 * as before. *rights is zero before the first call for any plan, and stays valid until
 * prepare_recheck(): what the kernel has refused for one plan is not asked for the next. */
int prepare(struct prepared *r, const struct plan *p, struct mem_rights *rights,
	const volatile sig_atomic_t *stop, struct errors *e);

/* plan_worker() with the base addresses of the vectors. p is the prepared plan, or plan_alone() of
 * it. */
struct worker prepare_worker(
	const struct prepared *r, const struct plan *p, const struct plan_op *op, int thread);

/* Moves the vectors of rhp_frag_profiler, which are in place, to the node of their threads, and
 * finds them again. Results as above; pages that stay are a warning. */
int prepare_bring(struct prepared *r, const volatile sig_atomic_t *stop, struct errors *e);

/* The largest number of threads that a plan has at a time, including those that touch its
 * vectors. */
int prepare_threads(const struct plan *p);

/* Queries the node of every page and its size again, at the end of operation op of p (the prepared
 * plan, or plan_alone() of it: then of its own vectors only), whose threads do it. Holds the
 * answers against the last ones and adds to `moved`. Pages that moved and came back in between do
 * not show. 0, or -1 as above. */
int prepare_recheck(struct prepared *r, const struct plan *p, const char *op, struct errors *e);

/* Where a vector was found in a placement, from 0. */
const struct placement *prepare_found(const struct prepared *r, size_t placement, int vector);

/* Unmaps the vectors; the placements stay valid. */
void prepare_release(struct prepared *r);

void prepare_free(struct prepared *r);

/* How much of a vector is in transparent huge pages, how large these are (0: none were found), and
 * what showed the sizes of its pages (NULL: nothing did). */
struct placement_thp {
	size_t bytes, page_bytes;
	const char *shown_by;
};
struct placement_thp placement_thp(const struct plan_vector *v, const struct placement *found);

/* Writes to why[n] what is wrong with the placement of a vector's pages; NULL: nothing. */
const char *placement_wrong(const struct plan_vector *v, const struct mem *m,
	const struct placement *found, char *why, size_t n);

/* What a name promises by free blocks depends on the moment. Placements whose parts in huge pages
 * differ by more than this share of the vector are no repetitions: 1/20 of what huge pages gain is
 * within what a firm figure leaves open. */
#define PLACEMENT_ALIKE 20
/* The same of a further placement of such a vector, compared with the first one. */
const char *placement_unlike(const struct plan_vector *v, const struct mem *m,
	const struct placement *first, const struct placement *now, char *why, size_t n);

/* Was one of both wrong, and let pass with a warning? preferred: is only a wish. */
bool placement_broken(const struct plan_vector *v, const struct placement *found);

#endif
