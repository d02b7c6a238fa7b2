/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Vectors whose pages lie on several nodes by a rule, from the begin of a sample to its end: for
 * policy.c. No page moves in the sample. Nodes are those that hold vectors where no file names one,
 * and the homes of the vectors, in turn from the vector's own home on, the node of its first page.
 * A huge page counts as one in turns. Or each thread brings its part of a vector to a node.
 */
#ifndef SPREAD_H
#define SPREAD_H

#include <stdint.h>

#include "moved_pages.h"

enum spread_rule {
	SPREAD_INTERLEAVE, /* a page to each node */
	SPREAD_WEIGHTED,   /* home_weight pages at home, then one to each other node */
	SPREAD_MINAS       /* at home until there are so many pages, then one to each other node */
};

struct spread {
	enum spread_rule rule;
	uint64_t home_weight;
	uint64_t home_pages; /* base pages of all vectors on a node; 0: its equal share of them */
};

/* For lacks_for(): NULL, or what this machine lacks, written to why[n]. */
const char *spread_lacks(const struct worker *w, char *why, size_t n);

/* Moves the pages of the n vectors, which are all at home. memory NULL: nodes are all that the
 * process may use. NULL, or what went wrong, written to why[size]. */
const char *spread_pages(const struct spread *s, const struct machine_memory *memory,
	const struct moved_pages *pages, int n, char *why, size_t size);

/* Moves the part of the thread whose vector v is, one of equal parts for each of its users. Threads
 * may do so at once. NULL, or what went wrong, written to why[size]. */
const char *spread_part(
	const struct moved_pages *p, const struct vector *v, int node, char *why, size_t size);

#endif
