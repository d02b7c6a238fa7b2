/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where free blocks and pages of this process lie in physical memory, which only root may ask. */
#ifndef PHYSICAL_H
#define PHYSICAL_H

#include "hugepages/ranges.h"
#include "affinity-frag/node.h"

#define PHYSICAL_FLAGS "/proc/kpageflags"

/* 0, or the errno with which the kernel refuses this process physical addresses. */
int physical_refused(void);

/* The ranges of free blocks of a huge page that programs can get of the node, to be freed in either
 * case. 0, or -1 with a message. */
int physical_ranges(const struct node *n, struct ranges *r, struct errors *e);

/* The number of the page that an address lies on; 0: the kernel does not say. */
uint64_t physical_page(const struct node *n, const void *address);

#endif
