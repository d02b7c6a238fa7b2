/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Breaks free blocks of a huge page, each for itself, and keeps them broken. A block is taken as a
 * transparent huge page, split, and all of it given back but one page, which a pipe refers to
 * (vmsplice): compaction cannot move such a page, and nothing but the process and its pipes holds
 * it, so that it is free however the process ends. Works as any user with default settings.
 */
#ifndef PINS_H
#define PINS_H

#include "affinity-frag/node.h"

struct pins {
	struct pin_chunk {
		char *map;   /* with a huge page more than needed, for alignment */
		char *base;  /* the first block */
		int pipe[2]; /* holds a page of each broken block */
		int used;    /* blocks */
		int room;    /* blocks, as many as the pipe takes pages */
	} * chunks;
	size_t count;
	uint64_t broken; /* blocks */

	/* Which blocks stay whole; NULL: none. They belong to this process until their pages are
	 * given back with madvise(). */
	bool (*keeps)(void *arg, char *block);
	void *arg;
};

enum pin_result { PIN_DONE, PIN_KEPT, PIN_NO_BLOCK, PIN_FAILED };

/* Takes blocks of the node and breaks them: 1, or up to so many at once, where none is to be kept.
 * PIN_KEPT: it stays whole. PIN_NO_BLOCK: the kernel gave small pages or those of another node for
 * one of them, which were given back. PIN_FAILED: with a message. */
enum pin_result pins_break(struct pins *p, const struct node *n, int blocks, struct errors *e);

/* Gives all back. What was freed may lie on the list of this CPU: mend.h. */
void pins_free(struct pins *p, const struct node *n);

/* Address space for so many blocks, aligned, with a policy of numaif.h for the node. With
 * MPOL_PREFERRED other nodes give pages that this one lacks, and nothing is killed for want of
 * memory; with MPOL_BIND the kernel compacts the node before it gives small pages, and the caller
 * must see to it that these are there. NULL with a message. *map is to be unmapped, (blocks + 1)
 * huge pages. */
char *pins_map(const struct node *n, int blocks, int policy, char **map, struct errors *e);

/* Touches a block: is it one page of the node now? */
bool pins_take(const struct node *n, char *block);

/* Splits it into base pages. 0, or -1 and errno. */
int pins_split(const struct node *n, char *block);

#endif
