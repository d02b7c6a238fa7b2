/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that the kernel has not given to its allocator yet (zoneinfo_late()). It does so when free
 * blocks run out. /proc/buddyinfo does not show it before, and a node that is broken without it has
 * large blocks again as soon as those that were left are taken.
 */
#ifndef LATE_H
#define LATE_H

#include "affinity-frag/node.h"

/* Takes huge pages of the node until all of it is there or the node has no more of them, and gives
 * them back. stop(): should it end? 0, or -1 with a message. */
int late_call(struct node *n, int (*stop)(void), struct errors *e);

#endif
