/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Remote huge pages: memory in huge pages where they are free, on the caller's node first, then on
 * the others by their distance. The allocator of V.-O. Politis's diploma thesis (NTUA 2021, section
 * 4.1): a node whose free memory is broken into small blocks gives what it has in large ones, and
 * other nodes the rest. The library needs nothing but Linux and the C library.
 *
 *     struct rhp *r = rhp_init(NULL);
 *     double *array = rhp_allocate(r, bytes);
 *     ... threads write and read the array ...
 *     rhp_where(r, array, rhp_bytes(r, array), &pages);
 *     rhp_release(r, array);
 *     rhp_end(r);
 *
 * All functions may be called by any number of threads at the same time, except rhp_init() and
 * rhp_end(). None of them calls malloc(). Blocks that were promised to one allocation and are not
 * written yet count as taken for the next one, but other processes do not know of the promise.
 */
#ifndef AFFINITY_RHP_H
#define AFFINITY_RHP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef RHP_API
#define RHP_API __attribute__((visibility("default")))
#endif

/* Linux's own limit. */
#define RHP_NODES 1024

/* Bytes for which no node has free huge blocks. */
enum rhp_rest {
	RHP_REST_KERNEL, /* the kernel's default: huge pages are asked for, it may compact memory */
	RHP_REST_LOCAL   /* small pages of the caller's node, others if it is full */
};

/* Whose free huge blocks are taken. */
enum rhp_take {
	RHP_TAKE_ALL,   /* of all nodes, by their distance */
	RHP_TAKE_LOCAL, /* of the caller's node only */
	RHP_TAKE_NONE   /* none: everything is the rest */
};

struct rhp_config {
	enum rhp_rest rest;
	enum rhp_take take;
	/* [RHP_NODES] each node gets so many huge pages in turn, free or not, in place of the
	 * caller's node first; nodes of weight 0 get none. NULL, or all 0: none of this. */
	const unsigned char *weights;
};

/* Reads what does not change while a program runs: watermarks of zones, the size of a huge page.
 * config NULL: all 0. NULL and errno: no memory. rhp_end() gives back what is not
 * released. */
struct rhp;
RHP_API struct rhp *rhp_init(const struct rhp_config *config);
RHP_API void rhp_end(struct rhp *r);

/* So many bytes, rounded up to whole huge pages and aligned to them, all 0. Consecutive parts are
 * given to the nodes as a preference: nothing is killed when a node fills meanwhile, and memory is
 * given in any case; rhp_total() says what did not work. Under a memory policy of the calling
 * thread (set_mempolicy, numactl) only nodes of MPOL_BIND are chosen, and none for any other
 * policy. Pages are taken when they are written. NULL and errno: no memory. */
RHP_API void *rhp_allocate(struct rhp *r, size_t bytes);

/* The same at a multiple of alignment, a power of two. */
RHP_API void *rhp_allocate_aligned(struct rhp *r, size_t alignment, size_t bytes);

/* Like rhp_allocate() for memory that the caller unmaps: bytes are rounded up to base pages only.
 * Call rhp_forget() before it is unmapped, as a whole or in parts. */
RHP_API void *rhp_map(struct rhp *r, size_t bytes);
RHP_API void rhp_forget(struct rhp *r, void *base, size_t bytes);

/* Gives a block back. 0, or -1: it is none of rhp_allocate(). */
RHP_API int rhp_release(struct rhp *r, void *block);

/* Changes the bytes of a block; its pages move without being copied where the kernel can. NULL and
 * errno: no memory, or it is no block (EINVAL); the block is then as before. */
RHP_API void *rhp_resize(struct rhp *r, void *block, size_t bytes);

/* The bytes of a block, as rounded; 0: it is none of rhp_allocate(). */
RHP_API size_t rhp_bytes(struct rhp *r, const void *block);

/* What was promised: consecutive parts. */
struct rhp_part {
	int node; /* -1: the rest */
	uint64_t bytes;
};

/* Writes at most n parts of a block. Returns how many there are; 0: it is no block. */
RHP_API size_t rhp_parts(struct rhp *r, const void *block, struct rhp_part *parts, size_t n);

/* Where pages lie, in bytes. bytes asked = sum of on_node + absent + unknown. */
struct rhp_pages {
	uint64_t on_node[RHP_NODES];
	uint64_t absent;       /* never written */
	uint64_t unknown;      /* the kernel does not say where, or swapped out */
	uint64_t huge;         /* of what was written: in huge pages */
	uint64_t huge_unknown; /* of what was written: the kernel does not say */
};

/* Asks the kernel for each page of [base, base + bytes), and adds to *pages. The node of a page
 * comes from move_pages(2), its size from the scan of page tables (Linux 6.7), before that from
 * smaps. */
RHP_API void rhp_where(struct rhp *r, const void *base, size_t bytes, struct rhp_pages *pages);

/* What all calls did so far. Errors are errnos, 0: none. */
struct rhp_counts {
	uint64_t allocations;
	uint64_t bytes;               /* also what blocks grew by */
	uint64_t promised[RHP_NODES]; /* of the bytes: bound to free huge blocks of a node */
	uint64_t rest;                /* of the bytes: not bound so */
	uint64_t refused;             /* of the rest: because the kernel refused to bind */
	int refused_error;
	int advice_error;       /* the kernel takes no advice for huge pages */
	int buddyinfo_error;    /* free blocks could not be read; EBADMSG: not in its known form */
	int distance_error;     /* nodes were taken in the order of their numbers */
	int own_policy;         /* no node was chosen: the program has this memory policy, MPOL_* */
	int thp_off;            /* 1: the system's setting, 2: of this process (prctl) */
	struct rhp_pages found; /* where the pages lay that were released or forgotten */
};

RHP_API void rhp_total(struct rhp *r, struct rhp_counts *counts);

/* The counts for people, a few lines, each after `before`. */
RHP_API void rhp_print(const struct rhp_counts *counts, const char *before, FILE *out);

#ifdef __cplusplus
}
#endif

#endif
