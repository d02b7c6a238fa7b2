/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock rates of a run in the order of time, as a picture draws them. */
#ifndef TRACE_H
#define TRACE_H

#include "analysis/view.h"

/* Fills in the rows of a table that has its columns, one for each thread: two rows for each sample
 * of every operation, warm-up included, in the order of time. A cell is the rate before or after
 * the sample in GHz, its place the seconds from the run's first sample to the thread's start or
 * end. r: NULL, or without samples: no rows. The table owns what it is given. */
void trace_fill(struct table *m, const struct samples *r);

#endif
