/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock rates of cores, from the chains before and after each sample. */
#ifndef CLOCK_RATES_H
#define CLOCK_RATES_H

#include "measure/estimate.h"
#include "measure/experiment.h"

/* Of a thread in an operation, warm-up samples left out. */
struct clock_rates {
	double min_hz, median_hz, max_hz;
	/* The part of the chains whose rate differs from the median by more than
	 * CLOCK_RATES_CHANGE. */
	double changed;
	/* A unit's time in cycles, by the statistic that the file asks for: ns_per_unit of each
	 * sample times the mean of the rates before and after it; NAN without units. */
	double cycles_per_unit;
};

/* A core whose rate differs by more than this is another core for a benchmark. */
#define CLOCK_RATES_CHANGE 0.02

/* 0, or -1 if no rate was measured. */
int clock_rates(const struct samples *r, int op, int thread, struct clock_rates *c);

/* Warns if the rate changed during an operation, or from one operation or run to another on the
 * same CPU. */
void clock_rates_tell(const struct experiment *x, struct errors *e);

#endif
