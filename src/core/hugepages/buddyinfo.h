/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Free memory by the size of its blocks, as the kernel's /proc/buddyinfo has it: a line for each
 * zone of each node, and in it the number of free blocks of 1, 2, 4, ... base pages (order 0, 1, 2,
 * ...; Documentation/filesystems/proc.rst of Linux). The largest order and the zones differ from
 * kernel to kernel. Pages on the lists of single CPUs are missing: some tens of MiB.
 */
#ifndef BUDDYINFO_H
#define BUDDYINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The kernel has at most 16 (64-bit Arm with base pages of 64 KiB: 14). */
#define BUDDY_ORDERS 32

struct buddy_zone {
	int node;
	char name[16]; /* "DMA32", "Normal", "Movable" */
	int norders;   /* the largest order is norders - 1 */
	uint64_t blocks[BUDDY_ORDERS];
};

/* A zeroed one is empty. */
struct buddyinfo {
	struct buddy_zone *zones; /* owned */
	size_t count;
};

/* Reads the file. 0, or the number of the first line that is not of its form: 1 for an empty file.
 * To be freed in either case. */
int buddyinfo_read(FILE *in, struct buddyinfo *b);
void buddyinfo_free(struct buddyinfo *b);

/* Which zones count; NULL: all. */
typedef bool buddy_counts(const void *arg, const struct buddy_zone *zone);

/* The node's free base pages in blocks of `order` and larger, all zones together. Order 0: all free
 * pages. */
uint64_t buddyinfo_pages(
	const struct buddyinfo *b, int node, int order, buddy_counts *counts, const void *arg);

/* The node's free blocks of each order, all zones together, in blocks[]. Returns how many orders
 * there are. */
int buddyinfo_orders(const struct buddyinfo *b, int node, uint64_t blocks[BUDDY_ORDERS]);

/* The order of blocks of so many bytes, a power of two of base pages: 9 for 2 MiB of 4 KiB. */
int buddy_order(size_t bytes, size_t base_page);

#endif
