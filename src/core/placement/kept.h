/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the vectors of earlier placements mapped. The kernel hands out first what was freed last:
 * without this, the next placement would get the same pages back, huge pages in the same order. */
#ifndef KEPT_H
#define KEPT_H

#include "placement/prepare.h"

/* At most this part of what a node could still give when the first placement was in memory. */
#define KEPT_SHARE 8

struct kept {
	struct kept_vector {
		struct mem mem;
		int node; /* that all its pages come from; -1: no single node */
	} * list;         /* the oldest first */
	size_t count;
	bool limited;                              /* the limits are known */
	size_t most[MEM_MAX_NODES], most_anywhere; /* bytes */
};

/* Instead of prepare_release(): takes the vectors over. Unmaps the oldest ones, if need be also
 * those of *r, as long as they are more than KEPT_SHARE allows. Pages of a pool always go back. The
 * first call must come while all vectors are mapped: what it finds left is not needed for the next
 * placement. */
void kept_take(struct kept *h, struct prepared *r);

/* Unmaps all and frees the list. */
void kept_release(struct kept *h);

#endif
