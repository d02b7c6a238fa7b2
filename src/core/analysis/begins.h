/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What begins along an axis of a table: places, and kinds of cores. */
#ifndef ANALYSIS_BEGINS_H
#define ANALYSIS_BEGINS_H

#include "measure/experiment.h"

/* The runs of a table's cells, as one of its axes sees them. */
struct begins_axis {
	const struct experiment *x;
	const long *runs;        /* run `other` of label i is runs[i * step + other * other_step];
				    -1: there is none */
	size_t labels, others;   /* on this axis, and on the other one */
	size_t step, other_step; /* of runs */
};

/*
 * Of each label what begins there: "L3 1", "node 1", "kind efficiency", several divided by commas.
 *
 * Where the axis moves a thread, that is the outermost place which the label before does not have,
 * of the two outermost levels that divide the labels. Where it adds threads, places into which they
 * come once those before are full, with each label of the other axis, and kinds of cores that were
 * not used before.
 *
 * [labels + 1], to be freed with its texts; NULL: nothing begins.
 */
char **begins_along(const struct begins_axis *a);

#endif
