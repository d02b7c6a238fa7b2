/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From samples to the figures that reports show. Every report takes its numbers here, so that they
 * agree. */
#ifndef DERIVE_H
#define DERIVE_H

#include "run.h"
#include "stats.h"

/* One thread in one operation. Seconds, unless they say otherwise. */
struct figures {
	struct stats cost; /* over the samples that count: not warm-up */
	double value;      /* the cost: the statistic that the file asks for */
	double low,
		high; /* its confidence interval: of the mean (Student's t) or of the median (order
			 statistics); NAN for a minimum, and where there are too few samples */
	double busy;  /* the same statistic of the time in the kernel, without sleep */
	double units; /* of one sample */
	double ns_per_unit; /* busy / units; NAN without units */
	double units_per_s; /* units / busy */
	double bytes_per_s; /* NAN for kernels whose rate is not a bandwidth */
};

/* Fills in f. 0, or -1 when there is no sample that counts. */
int derive_thread(const struct run *r, int op, int thread, struct figures *f);

/* The Total line: max, min or sum of the threads' values. NAN when there is no sample. */
double derive_total(const struct run *r, int op);

/* cost(over) / cost(under) of one thread, or of the totals for thread -1; *base is the
 * denominator's seconds. NAN when one was not measured. */
double derive_speedup(const struct run *r, int speedup, int thread, double *base);

struct tally {
	size_t samples; /* that count */
	size_t disturbed, moved, preempted, blocked, faulted;
	int repeated;
	double skew_median_ns, skew_max_ns;
};

void derive_tally(const struct run *r, int op, struct tally *t);

#endif
