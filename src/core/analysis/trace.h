/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a picture draws over time: the clock rates of a run in its course, and which share of single
 * events takes longer. */
#ifndef TRACE_H
#define TRACE_H

#include "analysis/tails.h"
#include "analysis/view.h"

/* Fills in the rows of a table that has its columns, one for each thread: two rows for each sample
 * of every operation, warm-up included, in the order of time. A cell is the rate before or after
 * the sample in GHz, its place the seconds from the run's first sample to the thread's start or
 * end. r: NULL, or without samples: no rows. The table owns what it is given. */
void trace_fill(struct table *m, const struct samples *r);

/* The same of distributions, one of each column: a row for each bucket, whose cells are the share
 * of events that take longer than its place, in percent. */
void trace_tails(struct table *m, const struct tails *columns);

#endif
