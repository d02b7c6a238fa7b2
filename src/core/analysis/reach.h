/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many pages the levels of a TLB reach, and what a walk of page tables costs: from the times of
 * loads that wait for each other, one line a page, beside the same lines on fewer pages. The
 * difference is free of the caches, which hold as many lines in both.
 */
#ifndef REACH_H
#define REACH_H

#include <stddef.h>

#include "base/amount.h"

#define REACH_LEVELS 2 /* a TLB of more levels has not been built */

struct reach_point {
	double pages;
	struct amount apart; /* ns of a load, one line a page */
	struct amount near;  /* the same lines on fewer pages */
};

struct reach {
	size_t levels;                     /* found, at most REACH_LEVELS */
	struct amount pages[REACH_LEVELS]; /* low: the most pages that fit; high: the fewest that do
					      not; value between them, half way by their ratio */
	struct amount walk; /* ns of a load more than on fewer pages, with the most pages measured;
			       all NAN: these are not four times those that the second level
			       reaches, or there is no second level */
	double most;        /* pages measured; 0: no point */
};

/* points[n] in any order; those without figures do not count. Steps are those of
 * analysis/staircase.h, of the quickest load with the difference added: the first level's misses
 * cost about as much as a load that hits. A step within the intervals of its points is none. */
void reach_find(const struct reach_point *points, size_t n, struct reach *r);

#endif
