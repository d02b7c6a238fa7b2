/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A node's free memory now, and how much of it comes as huge pages. */
#ifndef NODE_H
#define NODE_H

#include "base/error.h"
#include "hugepages/buddyinfo.h"
#include "hugepages/zoneinfo.h"

struct node {
	int id;
	bool only; /* no other node has memory: pages need no policy, and no proof of theirs */
	size_t base, huge;      /* bytes of a page */
	int order;              /* of a block of one huge page */
	struct zoneinfo limits; /* at the start */
	uint64_t margin;        /* base pages that must stay free */
};

/* In base pages. */
struct node_free {
	uint64_t all;      /* free */
	uint64_t huge;     /* of these in blocks of a huge page and more, which programs can get */
	uint64_t large;    /* number of these blocks */
	uint64_t withheld; /* in such blocks that the kernel gives to no program */
	uint64_t lower;    /* in smaller blocks of zones below the highest one, which programs get
			      last */
	uint64_t blocks[BUDDY_ORDERS];
	int norders; /* of blocks */
};

/* id -1: the only node with memory. 0, or -1 with messages. To be freed in either case. */
int node_open(struct node *n, int id, struct errors *e);
void node_free(struct node *n);

/* Reads the limits again: the kernel changes them when its allocator gets more memory. 0, or -1
 * with a message. */
int node_reopen(struct node *n, struct errors *e);

/* Asks the kernel. 0, or -1 with a message. */
int node_read(const struct node *n, struct node_free *f, struct errors *e);

/* The list of free pages of each CPU now, to be freed; an empty one where the kernel does not say.
 */
struct zoneinfo node_limits(void);

/* "1.5 GiB" of base pages, in buffer. */
const char *node_size(const struct node *n, uint64_t pages, char *buffer, size_t size);

#endif
