/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * local_frag and rhp_frag: what the free huge blocks of nodes promise to a vector before it is
 * touched. rhp_frag has the rule of src/runtimes/rhp, with which consecutive parts of the vector
 * are bound to nodes by their distance; local_frag stays on its node, in small pages where that has
 * no block.
 */
#ifndef PROMISE_H
#define PROMISE_H

#include "memory/mem.h"
#include "plan/plan.h"

/* Bytes of a vector; all of them together. Nothing was promised if all are 0. */
struct promise {
	size_t local;  /* in free huge blocks of the node of its threads */
	size_t remote; /* of other nodes; for rhp_frag only */
	size_t rest;   /* without a block */
};

/* Reads the free blocks, and binds the parts of a vector of rhp_frag. Other placements are left
 * alone. 0, or -1 with a message (STATUS_PLACEMENT). */
int promise_make(const struct plan *p, int vector, const struct mem *m, struct promise *made,
	struct errors *e);

#endif
