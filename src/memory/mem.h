/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory on chosen nodes: the only user of libnuma. Reserves address space under a policy, finds
 * the node of every page, gives the memory back. It touches nothing: the caller decides which
 * thread touches first.
 *
 * It calls mbind() directly: when a node has no memory, libnuma's own allocators print a message
 * and return memory with the default policy, and libnuma's strict flag belongs to each thread.
 */
#ifndef MEM_H
#define MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "memory/pages.h"

/* A mapping with an inaccessible page on either side: the kernel cannot merge it with a neighbour,
 * so its page sizes can be read back, and an overrun faults. */
struct mem {
	void *base;
	size_t bytes;      /* rounded up to whole pages of page_bytes */
	size_t page_bytes; /* asked for: the base page, or that of the pool, or the huge page of THP
			    */
	bool from_pool;    /* a pool of huge pages gives its pages */
	void *map;
	size_t map_bytes;
};

/* Reserves and binds; nothing is touched, so nothing is placed yet. Refuses an empty pool of huge
 * pages on the nodes, which would kill the process later (SIGBUS). It sees the pool as it is now,
 * and pages leave the pool when they are touched: touch one mapping before you make the next, or
 * add up beforehand.
 *
 * On a machine with one node there is only a warning, once, when the kernel accepts no policy (no
 * NUMA, or a container forbids it): every page is on that node anyway, as mem_find() can show.
 *
 * Returns 0, or -1 with a message whose subject is `what` ("vector 0"), status STATUS_PLACEMENT
 * when the nodes or page size cannot be had; m is then empty. mem_unmap() takes an empty one too.
 */
int mem_map(struct mem *m, const struct mem_request *r, const char *what, struct place at,
	struct errors *e);
void mem_unmap(struct mem *m);

/* The nodes of pages; the kernel was asked for each page. */
struct mem_found {
	size_t pages;  /* of the system's base page size */
	size_t absent; /* not present, or the shared zero page: never written to */
	size_t on_node[MEM_MAX_NODES];
	uint64_t places; /* sum over the pages of a hash of address and node: pages that exchange
			    nodes change it, though the counts stay */
};

/* Adds the nodes of the base pages of [base, base + bytes), page-aligned, to what is in found:
 * several parts can be summed up. Threads may ask at the same time, each with a found of its own.
 * Returns 0, or -1 and errno when the kernel does not answer. */
int mem_find(const void *base, size_t bytes, struct mem_found *found);

/* Bytes of the mapping in transparent huge pages, and the size of its pages, as the kernel's scan
 * of page tables (Linux 6.7) or /proc/self/smaps has them. Returns 0, or -1 when smaps does not
 * show all of the mapping. */
struct mem_sizes {
	size_t kernel_page_bytes; /* base page or that of the pool (KernelPageSize of smaps) */
	size_t huge_bytes;        /* AnonHugePages of smaps */
	uint64_t huge_places;     /* sum over the transparent huge pages of a hash of the address;
				     0 where smaps was read, which has no addresses */
};
int mem_sizes(const struct mem *m, struct mem_sizes *sizes);

#endif
