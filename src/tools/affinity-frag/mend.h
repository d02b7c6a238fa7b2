/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drives free blocks together. The pages that a fragmenter held are free after its end, but they
 * lie on the lists of the CPUs that freed them, and a block whose page lies there does not merge.
 * Huge pages that are split and freed page by page push older pages off such a list; where no huge
 * page is left, asking for one makes the kernel compact the node, which empties the list too.
 */
#ifndef MEND_H
#define MEND_H

#include "affinity-frag/node.h"
#include "affinity-frag/pins.h"

struct mend_goal {
	uint64_t pages; /* base pages free in blocks of a huge page and more; UINT64_MAX: as many as
			   possible */
	bool all;       /* at last all huge pages of the node that leave its margin are taken for a
			   moment, and the kernel compacts it for more */
	int (*stop)(void); /* != 0 ends it earlier */
};

/* Frees the pins (NULL: none), and goes on until the goal is reached, or a round over all CPUs that
 * this process may use brings nothing. 0; 1: it is not reached, and what is missing is more than
 * lists of CPUs have; -1 with a message. */
int mend(const struct node *n, struct pins *held, const struct mend_goal *goal, struct errors *e);

#endif
