/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a mapping can ask for: nodes, a policy, a size of pages; and the sizes that there are. */
#ifndef PAGES_H
#define PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/linux.h"

#define MEM_MAX_NODES LINUX_NODES

enum mem_policy { MEM_BIND, MEM_INTERLEAVE, MEM_PREFERRED, MEM_LOCAL };

enum mem_pages {
	PAGES_SYSTEM, /* as the system's transparent huge page setting has it */
	PAGES_4K,     /* never transparent huge pages */
	PAGES_THP,    /* transparent huge pages */
	PAGES_2M,     /* from the pool of 2 MiB pages */
	PAGES_1G,
	PAGES_BASE, /* never transparent huge pages, of whatever size the kernel's pages are */
	PAGES_16K,  /* base pages of a kernel that has such; these four are sizes of 64-bit Arm */
	PAGES_64K,  /* the same, or from a pool */
	PAGES_32M,
	PAGES_512M,
	PAGES_16G,
	PAGES_THP_16K, /* transparent huge pages of this size and no other; each is twice as large
			  as the one before */
	PAGES_THP_256M = PAGES_THP_16K + 14,
	PAGES_THP_BASE /* transparent huge pages for the half that is touched first, never any for
			  the other */
};

/* The sizes of pages that a kernel may have pools of, ascending. */
#define MEM_POOLS 6
extern const size_t mem_pool_bytes[MEM_POOLS];

struct mem_backed;

struct mem_request {
	size_t bytes; /* at least 1 */
	enum mem_policy policy;
	const bool *nodes; /* [MEM_MAX_NODES] of the policy; unused for
			      MEM_LOCAL */
	enum mem_pages pages;
	bool huge_last; /* of PAGES_THP_BASE: the half at the end is the huge one */
	const struct mem_backed *backed; /* NULL: anonymous memory */
};

#define THP_DIR "/sys/kernel/mm/transparent_hugepage"

/* Base page, and the huge page of THP (0 where there is none). */
size_t mem_base_page(void);
size_t mem_huge_page(void);

/* Mixes a page's address, for sums that change when pages change their places: every bit of x
 * changes about half of the bits of the result. */
uint64_t mem_hash(uint64_t x);

/* The size of the pages that are asked for. */
size_t mem_page_bytes(enum mem_pages pages);

/* Are they transparent huge pages: of the usual size, which one entry of a page table maps, or of
 * another one (multi-size THP, mTHP)? */
bool mem_is_thp(enum mem_pages pages);
bool mem_is_mthp(enum mem_pages pages);

/* Is a half of them transparent huge pages? */
bool mem_is_half_thp(enum mem_pages pages);

/* How much of `bytes`, a whole number of these pages, is to be in transparent huge pages of the
 * usual size: all, a half rounded up to whole huge pages, or nothing that is known (0). */
size_t mem_huge_part(enum mem_pages pages, size_t bytes);

/* The file in which the kernel has its setting for transparent huge pages of this size, in path[n].
 */
const char *mem_thp_setting(size_t bytes, char *path, size_t n);

/* Does a pool of huge pages give them? */
bool mem_from_pool(enum mem_pages pages);

/* Are they base pages, and never transparent huge ones? */
bool mem_only_base(enum mem_pages pages);

#endif
