/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Caches out of a staircase: the time of a load that waits for the last one, by the bytes that all
 * loads visit. It is level while these bytes fit a cache and rises where they no longer do. */
#ifndef STAIRCASE_H
#define STAIRCASE_H

#include <stddef.h>
#include <stdint.h>

/* Times the size before; --measure-caches takes sqrt(2). */
#define STAIRCASE_WIDEST 1.6

struct staircase_point {
	uint64_t bytes;
	double ns;
};

/* A cache that ends at a step. */
struct staircase_level {
	uint64_t low, high; /* the largest size that fits, and the smallest that does not */
	uint64_t bytes;     /* between them: half way by their ratio */
	double ns;          /* of a load that finds its line there */
};

/* Finds at most `most` levels, the smallest first; further steps widen the last one. Points may
 * come in any order; of equal sizes the quickest counts. In steps wider than about STAIRCASE_WIDEST
 * two levels can look like one. Returns how many; 0: the staircase has no step. */
size_t staircase_find(const struct staircase_point *points, size_t n,
	struct staircase_level *levels, size_t most);

#endif
