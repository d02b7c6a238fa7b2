/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a unit of a run takes longer than in the run of its baseline. */
#ifndef EXTRA_H
#define EXTRA_H

#include "analysis/crossings.h"

/* In ns. AMOUNT_NONE of the baseline's run, and where one of the two has no such figure. */
struct amount extra_of(const struct experiment *x, size_t run, int op, int thread);

/* reach_1, reach_2 and walk: the figure of reach.h of runs[] along v->along, which is the
 * number of pages. A level that is not found has the value INFINITY, and low is the most pages
 * measured. */
struct amount extra_along(const struct experiment *x, const struct view *v,
	const struct crossings_run *runs, int thread);

#endif
