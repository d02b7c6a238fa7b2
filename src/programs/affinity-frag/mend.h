/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drives free blocks together. The pages that a fragmenter held are free after its end, but they
 * lie on the lists of the CPUs that freed them, and a block whose page lies there does not merge.
 * Huge pages that are split and freed page by page push older pages off such a list; where no huge
 * page is left, asking for one makes the kernel compact the node, which empties the list too.
 */
#ifndef MEND_H
#define MEND_H

#include "programs/affinity-frag/node.h"

/* Until goal base pages (UINT64_MAX: as many as possible) are free in blocks of a huge page and
 * more, or a round over all CPUs that this process may use brings nothing. all: then all huge pages
 * of the node that leave its margin are taken for a moment, and the kernel compacts it for more.
 * stop() != 0 ends it earlier. 0, or -1 with a message. */
int mend(const struct node *n, uint64_t goal, bool all, int (*stop)(void), struct errors *e);

#endif
