/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the kernel has done to pages of the whole machine since it started, from /proc/vmstat
 * and the counters of each size of transparent huge pages. */
#ifndef PAGE_MOVES_H
#define PAGE_MOVES_H

#include <stdint.h>

struct page_moves {
	uint64_t migrated; /* base pages: NUMA balancing, migratepages, compaction */
	uint64_t split;    /* transparent huge pages that were split, or are mapped as small ones */
};

/* Counts that the kernel does not report are 0. */
void page_moves_take(struct page_moves *m);

/* Adds what happened since *before. */
void page_moves_since(const struct page_moves *before, struct page_moves *sum);

#endif
