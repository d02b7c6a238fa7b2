/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pages of a vector that a kernel moves: where they were, where they are, how they go back.
 * What the system's calls return does not tell which pages moved: with a full node, pinned pages or
 * other movers, statuses are unset or stale, and mbind() returns 0. So pages are counted by asking
 * for the node of each. Numbers of pages are in the system's base pages.
 */
#ifndef MOVED_PAGES_H
#define MOVED_PAGES_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel.h"

#define MOVED_NODES 1024

struct moved_pages {
	char *base;
	size_t bytes;        /* whole pages */
	size_t page_bytes;   /* of the pages that the system reports: base, or those of a pool */
	size_t huge_page;    /* bytes of a transparent huge page; 0: there are none */
	size_t huge_bytes;   /* in transparent huge pages; known where the mapping is the vector */
	size_t n;            /* addresses to move: one for each page, also for huge ones */
	void **list;         /* [n + 1]; the last one is the end of the vector */
	int *nodes, *status; /* [n], for calls */
	short *home;         /* [bytes / page_bytes]: the node that each page comes from */
	int refused;         /* errno of the last call that did not bring pages home */
	int mode;            /* memory policy of the vector */
	unsigned long mask[MOVED_NODES / 8 / sizeof(unsigned long)];
};

struct moved_count {
	size_t pages;
	size_t on;    /* on the node */
	size_t moved; /* of them those whose home is another */
};

/* For check(): NULL, or why pages of this vector cannot be moved, written to why[n]. */
const char *moved_pages_check(const struct vector *v, char *why, size_t n);

/* Finds the pages of a vector and their homes. NULL, or what went wrong, written to why[n]; call
 * moved_pages_free() in both cases. */
const char *moved_pages_find(struct moved_pages *p, const struct vector *v, char *why, size_t n);
void moved_pages_free(struct moved_pages *p);

/* Asks for the node of each page in [base, base + bytes) of p's kind, which is p itself or a copy
 * of it. 0, or -1 and errno. */
int moved_pages_count(
	const struct moved_pages *p, const char *base, int node, struct moved_count *c);

/* Pages that are not at home, or -1. */
long moved_pages_away(const struct moved_pages *p);

/* Transparent huge pages that are no longer whole. */
size_t moved_pages_split(const struct moved_pages *p);

/* Gives the vector its policy again, moves every page to its home and makes huge pages whole that
 * were split. NULL, or what does not go back, written to why[n]. */
const char *moved_pages_home(struct moved_pages *p, char *why, size_t n);

/* A node as a mask of MOVED_NODES bits. */
void moved_pages_mask(unsigned long *mask, int node);

/* Bytes of [base, base + bytes) in transparent huge pages; 0 too where mappings are larger. */
size_t moved_pages_huge(const char *base, size_t bytes);

#endif
