/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a thread goes through its vectors: groups of streams, in rounds or in steps. */
#ifndef BANDWIDTH_ROUNDS_H
#define BANDWIDTH_ROUNDS_H

#include "bandwidth.h"
#include "kernel.h"

#define BANDWIDTH_STREAMS 3 /* at most */

/* Streams that are gone through together; those that no loop uses point at the first one. */
struct bandwidth_group {
	char *streams[BANDWIDTH_STREAMS];
	size_t bytes; /* of each */
};

/* What a thread goes through, and where it is: each call goes on where the last one ended. */
struct bandwidth_walk {
	/* what bandwidth_begin() needs to know */
	enum bandwidth_op op;
	int streams; /* of a group */
	bandwidth_loop *loop;
	size_t block; /* bytes of each stream in one turn of the loop */
	size_t step;  /* bytes of each stream in a step, at most; 0: the usual */
	double offset;
	ptrdiff_t ahead;

	uint64_t round; /* blocks of each stream, of all groups */
	uint64_t last;  /* blocks that the last call went through */
	/* the group that it is in, worked out when it enters it: rounds of small vectors are short
	 */
	int group, groups;
	struct bandwidth_group now;
	size_t blocks, start; /* of each stream, and the one that a round begins with */
	size_t behind;        /* blocks that the round has behind it */
	bool wrong_sum;       /* a sum was not that of the elements, ones */
};

/* Whole lines of a vector. */
size_t bandwidth_bytes(const struct vector *v);

int bandwidth_groups(const struct worker *w, int streams);
struct bandwidth_group bandwidth_group(const struct worker *w, int streams, int index);

void bandwidth_begin(struct bandwidth_walk *walk, const struct worker *w);

/* Do so many rounds or steps; return the elements. */
uint64_t bandwidth_rounds(struct bandwidth_walk *walk, const struct worker *w, uint64_t rounds);
uint64_t bandwidth_steps(struct bandwidth_walk *walk, const struct worker *w, uint64_t steps);

/* Does what the last call lacks of a round. Of what earlier ones did nothing may be left: with
 * interleave another operation may have been there since. */
void bandwidth_complete(struct bandwidth_walk *walk, const struct worker *w);

#endif
