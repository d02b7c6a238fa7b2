/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Leaves chosen physical ranges: the longest ones that a node has. The kernel gives blocks in its
 * own order, so those of the ranges are taken like all others, stay whole, and are given back when
 * the others are broken. A list of the CPU would keep the last ones back, and leave holes in the
 * ranges: spare blocks, which are given back after them, push them off it, are taken again from the
 * list, and are broken then.
 */
#ifndef CHOSEN_H
#define CHOSEN_H

#include "affinity-frag/physical.h"
#include "affinity-frag/pins.h"

struct chosen {
	const struct node *node;
	struct ranges keep;
	struct chosen_blocks {
		char **all;
		size_t count;
	} kept, spare;
	size_t spares; /* that are wanted */
};

/* At most `most` ranges with `blocks` blocks. 0, or -1 with a message. To be freed in either case.
 */
int chosen_begin(
	struct chosen *c, const struct node *n, uint64_t most, uint64_t blocks, struct errors *e);

/* For struct pins: does this block stay whole? */
bool chosen_keeps(void *chosen, char *block);

/* Gives the blocks of the ranges back, and breaks the spare ones. 0, or -1 with a message. */
int chosen_release(struct chosen *c, struct pins *p, struct errors *e);

void chosen_free(struct chosen *c);

#endif
