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
#include "memory/backing.h"
#include "memory/pages.h"

/* A mapping with an inaccessible page on either side: the kernel cannot merge it with a neighbour,
 * so its page sizes can be read back, and an overrun faults. */
struct mem {
	void *base;
	size_t bytes;      /* rounded up to whole pages of page_bytes */
	size_t page_bytes; /* asked for: the base page, or that of the pool, or the huge page of THP
			    */
	bool from_pool;    /* a pool of huge pages gives its pages */
	bool no_policy;    /* the kernel refuses policies: a page comes from the node of the thread
			      that touches it first */
	struct mem_backed backed;
	int file; /* of what is not anonymous */
	void *map;
	size_t map_bytes;
};

/* What the kernel refuses to this process: found out once, and not asked again. Zero at first. */
struct mem_rights {
	bool asked;
	int move_pages, policies; /* 0, or the error number of the refusal */
};

/* Reserves and binds; nothing is touched, so nothing is placed yet. Refuses an empty pool of huge
 * pages on the nodes, which would kill the process later (SIGBUS). It sees the pool as it is now,
 * and pages leave the pool when they are touched: touch one mapping before you make the next, or
 * add up beforehand.
 *
 * A kernel that accepts no policy (no NUMA, or a container forbids it) is no error: it is not asked
 * again (*rights), and no_policy is set.
 *
 * Returns 0, or -1 with a message whose subject is `what` ("vector 0"), status STATUS_PLACEMENT
 * when the nodes or page size cannot be had; m is then empty. mem_unmap() takes an empty one too.
 */
int mem_map(struct mem *m, const struct mem_request *r, struct mem_rights *rights, const char *what,
	struct place at, struct errors *e);
void mem_unmap(struct mem *m);

/* Prefers a node for a part of a mapping, in whole pages, before it is touched. 0, or -1 and errno.
 */
int mem_prefer(const struct mem *m, size_t offset, size_t bytes, int node);

/* A task's policy, to be restored. */
struct mem_task_policy {
	int mode;
	unsigned long mask[(MEM_MAX_NODES + 1) / (8 * sizeof(unsigned long)) + 1];
};

/* From here on what the kernel takes for the calling thread itself, such as pages of files, is on
 * the nodes of the request. 0, or -1 and errno where the kernel refuses. */
int mem_task_begin(const struct mem_request *r, struct mem_task_policy *before);
void mem_task_end(const struct mem_task_policy *before);

/* What shows where pages are, the best first. */
enum mem_proof {
	MEM_BY_NOTHING,
	MEM_BY_MOVE_PAGES, /* the kernel, asked for each page */
	MEM_BY_NUMA_MAPS,  /* the kernel's counts of a mapping's pages on each node */
	MEM_BY_ONE_NODE    /* no other node has memory */
};

/* [enum mem_proof]; NULL for MEM_BY_NOTHING. */
extern const char *const mem_proof_names[];

/* Asks for the node of one page, unless that was done before. */
void mem_ask(struct mem_rights *rights);

/* The only node that can hold memory, or -1 when there are several or nothing shows that there is
 * one only. After mem_ask(). */
int mem_only_node(const struct mem_rights *rights);

struct mem_found {
	enum mem_proof proof;
	size_t pages;  /* of the system's base page size */
	size_t absent; /* not present, or the shared zero page: never written to */
	size_t on_node[MEM_MAX_NODES];
	uint64_t places; /* sum over the pages of a hash of address and node: pages that exchange
			    nodes change it, though the counts stay; 0 unless the kernel was asked
			    for each page */
};

/* Adds the nodes of the base pages of [base, base + bytes), page-aligned, to what is in found:
 * several parts can be summed up. Threads may ask at the same time, each with a found of its own.
 * Returns 0, or -1 and errno when the kernel does not answer. */
int mem_find(const void *base, size_t bytes, struct mem_found *found);

/* Finds all pages of a mapping without a right: its counts in /proc/self/numa_maps, or else that
 * only one node has memory; then all pages are taken to be present. After mem_ask(). 0, or -1 when
 * nothing shows where the pages are; *found is then zero. */
int mem_find_counts(const struct mem *m, const struct mem_rights *rights, struct mem_found *found);

/* Bytes of the mapping in transparent huge pages, and the size of its pages, as the kernel's scan
 * of page tables (Linux 6.7) or /proc/self/smaps has them. Returns 0, or -1 when neither shows
 * all of the mapping; *sizes is then zero. */
enum mem_sizes_proof {
	MEM_SIZES_BY_NOTHING,
	MEM_SIZES_BY_PAGEMAP, /* the kernel's scan of page tables */
	MEM_SIZES_BY_SMAPS
};

/* [enum mem_sizes_proof]; NULL for MEM_SIZES_BY_NOTHING. */
extern const char *const mem_sizes_proof_names[];

struct mem_sizes {
	enum mem_sizes_proof proof;
	size_t kernel_page_bytes; /* base page or that of the pool (KernelPageSize of smaps) */
	size_t huge_bytes;        /* AnonHugePages of smaps */
	uint64_t huge_places;     /* sum over the transparent huge pages of a hash of the address;
				     0 where smaps was read, which has no addresses */
};
int mem_sizes(const struct mem *m, struct mem_sizes *sizes);

/* Replaces what mem_sizes() found in *sizes by what is there now. It does not look for holes again:
 * with thousands of mappings, that takes far longer than the scan. */
int mem_sizes_again(const struct mem *m, struct mem_sizes *sizes);

#endif
