/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Free memory as physical ranges: runs of free blocks of a huge page that follow each other. That
 * is what the contiguity map of CAPaging has (Alverti and others, ISCA 2020), and what an MMU with
 * ranges needs. Pure functions of flags of /proc/kpageflags
 * (Documentation/admin-guide/mm/pagemap.rst of Linux), which says of each page whether it is free.
 */
#ifndef RANGES_H
#define RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "BUDDY: a free memory block managed by the buddy system allocator". */
#define RANGES_FREE (UINT64_C(1) << 10)

/* A zeroed one is empty. */
struct ranges {
	uint64_t per_block; /* base pages of a block */
	struct range {
		uint64_t first, blocks; /* number of the first block: page number / per_block */
	} * all;                        /* [count], owned; by their place until ranges_keep() */
	size_t count;
	uint64_t blocks; /* of all */
};

/* Adds the free blocks among pages that follow those of the call before. `page` and n are multiples
 * of per_block. A block counts if all of its pages are free. */
void ranges_add(struct ranges *r, uint64_t page, const uint64_t *flags, size_t n);

/* Keeps the longest ranges, at most so many of them and so many blocks; the last one is cut. */
void ranges_keep(struct ranges *r, size_t most, uint64_t blocks);

/* Does a range have the block of this page? */
bool ranges_has(const struct ranges *r, uint64_t page);

/* Blocks of the longest range. */
uint64_t ranges_longest(const struct ranges *r);

void ranges_free(struct ranges *r);

#endif
