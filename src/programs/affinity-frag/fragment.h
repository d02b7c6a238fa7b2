/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breaks a node's free memory until a stated amount is left in large blocks, and proves it. */
#ifndef FRAGMENT_H
#define FRAGMENT_H

#include "programs/affinity-frag/pins.h"

/* Until at most `leave` base pages, and less than a huge page below, are free in blocks of a huge
 * page and more. Blocks that come late from the lists of CPUs are broken too. 0 when what is left
 * then differs by at most 5 % or four huge pages, in *left; 1: a signal came; -1 with a message. */
int fragment(const struct node *n, uint64_t leave, struct pins *p, struct node_free *left,
	struct errors *e);

/* May `left` differ so much from `leave`? Base pages. */
bool fragment_near(const struct node *n, uint64_t leave, uint64_t left);

#endif
