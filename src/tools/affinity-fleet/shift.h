/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which nodes of a fleet changed between dates, and in what: each against the others of the same
 * date, and against itself. What nodes differ by all the time drops out, and so does what all have
 * in common, such as other software. Pure functions; figures and sets as in fleet.h.
 *
 * 1. From each value the median of all nodes at that date is taken, then the node's own median.
 * 2. Contrasts of all sets, in units of the spread of a figure from date to date.
 * 3. A date that is more than 4 standard deviations from the median of five dates around it was
 *    disturbed, and is left out.
 * 4. For each split of the dates the mean after it, minus that before it, in standard errors. The
 *    standard deviation of a date is that of differences of neighbours, divided by sqrt(2), which a
 *    step does not move; where one node differs more than others from date to date, its own. Where
 *    the nodes' changes differ by more than that explains, they are judged by how they differ.
 * 5. Changed is a node with a set beyond FLEET_NAME, shared among sets as in fleet.h, and among
 *    splits and both directions, and by the floor at least.
 *
 * A step needs `least` dates on both sides: a disturbed date is no change.
 */
#ifndef FLEET_SHIFT_H
#define FLEET_SHIFT_H

#include "affinity-fleet/fleet.h"

/* From date `split` on is after. Splits from `first` to `last` are tried; where the date of the
 * change is known these are equal. */
struct fleet_series {
	const struct fleet_layout *layout;
	size_t nodes, dates;
	const double *values; /* [(node * dates + date) * figures] 100 ln(cost); NAN: missing */
	size_t first, last;
	size_t least; /* dates on either side that a node must have */
	double floor; /* per cent */
};

struct fleet_shift {
	bool known; /* false: too few dates, or nothing in common */
	bool changed;
	size_t set, split;        /* what changed most, and from which date on */
	double effect, low, high; /* per cent slower (negative: faster), interval of 95 % */
};

struct fleet_shifts {
	struct fleet_shift *nodes; /* [nodes] */
	double *resources; /* [nodes * resources] per cent, at the node's split, of all figures */
	double *courses;   /* [nodes * dates] per cent, of the node's set above its mean before */
	double *noise;     /* [sets] per cent, from date to date */
	double *found; /* [sets] per cent: a step in the middle that is found in 95 % of cases */
};

/* At least 3 nodes, and 3 dates. fleet_shifts_free() frees them. */
struct fleet_shifts fleet_shifts_of(const struct fleet_series *s);
void fleet_shifts_free(struct fleet_shifts *s);

/* The change that all nodes have in common: the median over nodes of the mean of a resource's
 * figures from date `split` on, minus that before. Its interval is of nodes, at 95 %. */
struct fleet_common {
	double effect, low, high,
		between; /* per cent; `between`: the spread of the nodes' changes */
};
struct fleet_common fleet_common(const struct fleet_series *s, size_t resource, size_t split);

#endif
