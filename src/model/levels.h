/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a unit of work costs a thread alone, by the bytes that it visits over and over: the
 * staircase of the caches, and of the TLB, whose reach is its entries times the size of a page.
 *
 *     cost(bytes) = cost[0] + sum of cost[k] * levels_missed(bytes, reach[k])
 *
 * cost[0] is that of what the first level holds, cost[k] what a miss of step k adds. A cache that
 * n threads use reaches less far for each of them: levels_shared().
 *
 * Visits in random order find what is there of all they visit, reach / bytes. Visits in one order
 * find what survived since the last one: of a cache that replaces at random a part h with
 * h = exp(-(1 - h) bytes / reach), because each of the (1 - h) bytes / line misses between two
 * visits leaves a line where it is with 1 - line / reach. Least recently used would be 0 at once.
 * Pure functions.
 */
#ifndef LEVELS_H
#define LEVELS_H

#include <stdbool.h>
#include <stddef.h>

struct levels {
	size_t steps;
	const double *reach; /* [steps] bytes, ascending */
	bool random;         /* the order of the visits */
};

struct levels_point {
	double bytes, cost;
};

/* The part of the visits that do not find their line, 0 to 1. */
double levels_missed(const struct levels *l, size_t step, double bytes);

/* costs[steps + 1] */
double levels_cost(const struct levels *l, const double *costs, double bytes);

/* Are there points on both sides of a step, as far as the one before leaves it? */
bool levels_tell(const struct levels *l, size_t step, const struct levels_point *points, size_t n);

/* Fits costs[steps + 1] to measured points, by squares of predicted / measured - 1; errors are
 * their standard errors, NULL: not wanted. 0, or -1: the points do not tell the steps apart. */
int levels_fit(const struct levels *l, const struct levels_point *points, size_t n, double *costs,
	double *errors);

/* What is left of a cache for a thread that visits `own` bytes where all that use it visit `all`:
 * a part as large as its part of what they visit. */
double levels_shared(double reach, double own, double all);

#endif
