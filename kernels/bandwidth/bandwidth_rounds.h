/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order in which a thread accesses its vectors: groups of streams, in rounds or in steps. */
#ifndef BANDWIDTH_ROUNDS_H
#define BANDWIDTH_ROUNDS_H

#include "bandwidth.h"
#include "kernel.h"

#define BANDWIDTH_STREAMS 3 /* at most */

/* The parameters of the kernels. */
struct bandwidth_args {
	int isa, unroll; /* index into the names, BANDWIDTH_AUTO the first */
	struct extent prefetch;
	double offset;
};

/* Streams that one loop accesses together; streams that no loop uses point at the first one. */
struct bandwidth_group {
	char *streams[BANDWIDTH_STREAMS];
	size_t bytes; /* of each */
};

/* What a thread accesses, and its position: each call continues where the last one ended. */
struct bandwidth_walk {
	/* set before bandwidth_begin() */
	enum bandwidth_op op;
	int streams; /* of a group */
	bandwidth_loop *loop;
	size_t block; /* bytes of each stream in one turn of the loop */
	size_t step;  /* bytes of each stream in a step, at most; 0: the default */
	double offset;
	ptrdiff_t ahead;

	uint64_t round; /* blocks of each stream, of all groups */
	uint64_t last;  /* blocks that the last call accessed */
	/* the current group, computed only when the thread enters it, because rounds of small
	 * vectors are short */
	int group, groups;
	struct bandwidth_group now;
	size_t blocks, start; /* of each stream, and the one that a round begins with */
	size_t behind;        /* blocks of the round that are done */
	bool wrong_sum;       /* a sum differed from that of the elements, which are ones */
};

/* Whole lines of a vector. */
size_t bandwidth_bytes(const struct vector *v);

int bandwidth_groups(const struct worker *w, int streams);
struct bandwidth_group bandwidth_group(const struct worker *w, int streams, int index);

/* For check(): NULL when the thread's vectors make whole groups, else why[n]. */
const char *bandwidth_misfit(const struct worker *w, int streams, char *why, size_t n);

void bandwidth_begin(struct bandwidth_walk *walk, const struct worker *w);

/* Do `rounds` rounds or `steps` steps; return the number of elements. */
uint64_t bandwidth_rounds(struct bandwidth_walk *walk, const struct worker *w, uint64_t rounds);
uint64_t bandwidth_steps(struct bandwidth_walk *walk, const struct worker *w, uint64_t steps);

/* Completes the round that the last call began. Data from earlier calls may be lost: with
 * interleave another operation may have written the vectors since. */
void bandwidth_complete(struct bandwidth_walk *walk, const struct worker *w);

/* For verify(): the number of elements of 8 bytes to check in each stream of the group, up to
 * 65536, and the k-th of them. They are evenly spaced: one in every page of 256 MiB. */
size_t bandwidth_checked(const struct bandwidth_walk *walk, const struct bandwidth_group *g);
size_t bandwidth_place(
	const struct bandwidth_walk *walk, const struct bandwidth_group *g, size_t k);

#endif
