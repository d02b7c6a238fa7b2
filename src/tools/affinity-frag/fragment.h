/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breaks a node's free memory until a stated amount is left in large blocks, and proves it. */
#ifndef FRAGMENT_H
#define FRAGMENT_H

#include "affinity-frag/pins.h"

struct fragment_goal {
	uint64_t leave;  /* base pages */
	uint64_t ranges; /* that they may be in, at most; 0: any number */
};

struct fragment_left {
	struct node_free free;
	uint64_t ranges; /* that what is left in large blocks is in, at most; 0: they were not asked
			  */
	uint64_t longest; /* base pages of the longest one; 0: only the blocks were counted */
};

/* Until at most goal->leave base pages, and less than a huge page below, are free in blocks of a
 * huge page and more. Blocks that come late from the lists of CPUs are broken too. 0 when what is
 * left then differs by at most 5 % or four huge pages, in no more ranges than asked, in *left; 1: a
 * signal came; -1 with a message. */
int fragment(const struct node *n, const struct fragment_goal *goal, struct pins *p,
	struct fragment_left *left, struct errors *e);

/* May `left` differ so much from `leave`? Base pages. */
bool fragment_near(const struct node *n, uint64_t leave, uint64_t left);

#endif
