/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether nodes that count as alike seem to be of two kinds. A guess, to warn only: nodes are
 * grouped by what hardware and software say of themselves, because a guessed group would take in
 * the slow nodes.
 *
 * The cut of a series of values is the one with the least variance within both sides (Otsu, IEEE
 * Transactions on Systems, Man, and Cybernetics 9, 1979). Two kinds are told where the medians of
 * the sides are more than 3.6 standard deviations apart (of 30 nodes 5, which are few), which
 * are 1.4826 times the median distance from the own side's median, and each side has a tenth of the
 * nodes, three at least.
 */
#ifndef FLEET_KINDS_H
#define FLEET_KINDS_H

#include <stdbool.h>
#include <stddef.h>

#define KINDS_LEAST 30 /* nodes; below that the spread of a side is not known */

struct kinds {
	bool two;
	size_t above; /* nodes in the upper side */
	double gap;   /* between the medians */
	double ratio; /* of the gap and a standard deviation */
};

/* Values of nodes, NAN: missing; reorders them. */
struct kinds kinds_of(double *values, size_t n);

#endif
