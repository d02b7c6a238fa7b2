/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which part of the pages of two memories gives the most bandwidth, and what advice there is. All
 * in percent of the pages on the node of the threads, of the runs along a variable that places
 * vectors there, on one other node, or on both.
 *
 *   best_share     of the run with the highest bandwidth. The interval has the shares of all runs
 *                  whose own interval reaches that of the best.
 *   advised_share  the usual advice, the ratio of the bandwidths: those of all pages on the one
 *                  node, a, and on the other, b: a / (a + b).
 *   kernel_share   the kernel's own weights of both, which it takes for a weighted interleave of
 *                  its own (/sys/kernel/mm/mempolicy/weighted_interleave, from Linux 6.9 on).
 */
#ifndef INTERLEAVE_H
#define INTERLEAVE_H

#include "analysis/crossings.h"

/* As crossings_along(). AMOUNT_NONE: what it needs was not measured, or is not known. */
struct amount interleave_along(const struct experiment *x, const struct view *v,
	const struct crossings_run *runs, int thread);

struct interleave_point {
	double share; /* percent; NAN: this point is missing */
	struct amount rate;
};

struct amount interleave_best(const struct interleave_point *points, size_t n);
struct amount interleave_advised(struct amount near, struct amount far);

#endif
