/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What far memory costs a run, from counts of it and of its baseline: quantities of translation.h.
 */
#ifndef OVERHEADS_H
#define OVERHEADS_H

#include "analysis/view.h"

/* QUANTITY_NUMA_OVERHEAD and QUANTITY_STALL_COST, in percent. AMOUNT_NONE of the baseline's run,
 * and where one of the two is not counted. Intervals are those of the counted samples. */
struct amount overheads_of(
	const struct experiment *x, size_t run, int op, int thread, enum quantity q);

/* The metrics that a quantity is made of, NULL at the end; NULL: it is made of none. */
const char *const *overheads_metrics(enum quantity q);

/* The first of these that is asked for and not counted; NULL: none. */
const struct counted_metric *overheads_missing(const struct experiment *x, enum quantity q);

/* The part of the pages of a run, 0 to 1, that its `largest` longest physical ranges hold; NAN
 * where these could not be read. */
double overheads_coverage(const struct run *t, size_t largest);

/* Can it be told at all? 0, or -1 with a message (STATUS_USAGE): no baseline, or its counts or
 * ranges are not asked for. */
int overheads_check(const struct view *v, const struct experiment *x, struct errors *e);

#endif
