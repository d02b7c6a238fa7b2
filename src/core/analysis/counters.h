/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From counted samples to the figures that reports show. */
#ifndef DERIVE_COUNTERS_H
#define DERIVE_COUNTERS_H

#include "analysis/derive.h"

struct counter_figure {
	double value;    /* of a count: the mean of the samples of its pass; or the ratio, or the
			    percentage. NAN: not counted */
	double per_unit; /* of a count: for each unit that was worked; NAN without units */
};

/* The value of a metric in an operation, for one thread or ALL_THREADS: then formulas use the sums
 * over all threads. */
struct counter_figure derive_counter(
	const struct samples *r, int op, int thread, const struct counted_metric *m);

/* What tables show of it: a count for each unit, which can be compared with those of other runs and
 * threads; else the value. */
double derive_counter_shown(
	const struct samples *r, int op, int thread, const struct counted_metric *m);

/* The same with the interval of the samples of its passes, which are all of the last placement:
 * Student's t, on logarithms where all are above 0. */
struct amount derive_counter_amount(
	const struct samples *r, int op, int thread, const struct counted_metric *m);

#endif
