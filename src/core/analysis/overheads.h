/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What far memory costs a run, from counts of it and of its baseline: quantities of translation.h.
 */
#ifndef OVERHEADS_H
#define OVERHEADS_H

#include "analysis/view.h"

/* Metrics of `counters: tlb`. */
#define COUNTED_MISSES "page_walks"
#define COUNTED_WALKS  "walk_cycles"
#define COUNTED_IDEAL  "ideal_cycles"
#define COUNTED_STALLS "memory_stalls"

/* numa_overhead, stall_cost, coverage_32, cap_overhead and rcm_overhead, in percent. AMOUNT_NONE of
 * the baseline's run (but for coverage_32 and cap_overhead), and where something is not counted.
 * Intervals are those of the counted samples. */
struct amount overheads_numa(const struct experiment *x, size_t run, int op, int thread);
struct amount overheads_stalls(const struct experiment *x, size_t run, int op, int thread);
struct amount overheads_coverage_32(const struct experiment *x, size_t run, int op, int thread);
struct amount overheads_cap(const struct experiment *x, size_t run, int op, int thread);
struct amount overheads_rcm(const struct experiment *x, size_t run, int op, int thread);

/* The first of the quantity's metrics that is asked for and not counted; NULL: none. */
const struct counted_metric *overheads_missing(const struct experiment *x, enum quantity q);

/* The part of the pages of a run, 0 to 1, that its `largest` longest physical ranges hold; NAN
 * where these could not be read. */
double overheads_coverage(const struct run *t, size_t largest);

#endif
