/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Copies that a thread makes of arrays before it works on them, in memory of its own: for policy.c.
 * The memory is mapped when the thread first copies, so that its first stores place it on the node
 * on which the thread runs; later copies of the same sample use it again.
 */
#ifndef COPIES_H
#define COPIES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel.h"

#define COPIES 3 /* that a thread has at a time */

struct copy {
	char *memory; /* [room], beginning within mapping; NULL: none */
	char *mapping;
	size_t room, mapped;
	char *array; /* what is copied; NULL: nothing */
	size_t bytes;
	int node; /* of the thread, when it got the memory */
};

/* Of a thread; all 0 at first. */
struct copies {
	struct copy list[COPIES];
	uint64_t in, out;  /* bytes copied to and fro, in this sample */
	uint64_t ns;       /* in copies_take() and copies_give() */
	uint64_t uncopied; /* bytes for whose copies there was no memory */
};

/* What threads have together. */
struct copying {
	_Atomic int64_t room; /* bytes that the machine still has for copies */
};

/* Before a sample, in one thread, when no other has copies any more: asks for the room. */
void copying_ready(struct copying *c, const struct machine_memory *memory);

/* Before a sample, in each thread: the memory of the last one goes back. */
void copies_clear(struct copies *c);

/* Where the thread works on [array, array + bytes) as its k-th array: in a copy, with the content
 * if it `reads` it; there itself, if there is no memory. huge_page: bytes of the transparent huge
 * pages that the array has; 0: it has none. */
void *copies_take(struct copies *c, struct copying *all, int k, void *array, size_t bytes,
	bool reads, size_t huge_page);
/* It has done so. stored: the content goes back. */
void copies_give(struct copies *c, int k, bool stored);

/* Base pages of the copies that are not on the thread's node, and of arrays that were not copied;
 * NAN: the system does not tell. */
double copies_missed(const struct copies *c);

#endif
