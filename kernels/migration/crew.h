/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Common parts of the programs whose threads divide a vector: slices, and a place to meet. The
 * threads of the first vector are the crew; all vectors have the same threads. */
#ifndef CREW_H
#define CREW_H

#include <stdint.h>
#include <stdio.h>

#include "lines/coherence.h"
#include "wait.h"

static inline uint64_t crew_size(const struct worker *w)
{
	return (uint64_t)w->vectors->users;
}

static inline uint64_t crew_rank(const struct worker *w)
{
	return (uint64_t)w->vectors->rank;
}

/* Where slice `rank` of n things begins; the last one ends at n. */
static inline uint64_t crew_slice(const struct worker *w, uint64_t n, uint64_t rank)
{
	return (uint64_t)((unsigned __int128)n * rank / crew_size(w));
}

/* NULL, or in why[n] that it has other vectors than `vectors`, shared alike. */
static inline const char *crew_check(const struct worker *w, int vectors, char *why, size_t n)
{
	if (w->nvectors != vectors) {
		snprintf(why, n, "it takes %d vector%s of each thread, not %d", vectors,
			vectors == 1 ? "" : "s", w->nvectors);
		return why;
	}
	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++) {
		if (v->users == w->vectors->users)
			continue;
		snprintf(why, n,
			"its vectors must have the same threads: vectorPerThread: all, all ...");
		return why;
	}
	return NULL;
}

/* Threads meet as often as they like; all zero at first. */
struct meeting {
	_Alignas(APART) uint64_t arrived;
};

/* Returns when all have arrived; *times: how often this thread has met the others, 0 at first. */
static inline void meet(struct meeting *m, uint64_t *times, const struct worker *w)
{
	const uint64_t all = ++*times * crew_size(w);
	unsigned spins = 0;

	__atomic_fetch_add(&m->arrived, 1, __ATOMIC_ACQ_REL);
	while (__atomic_load_n(&m->arrived, __ATOMIC_ACQUIRE) < all)
		wait_moment(&spins);
}

#endif
