/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * QUANTITY_WHOLE_TIME: the seconds of an experiment with what comes before it, as of a program from
 * its start to its end. To the cost come the touching of the vectors that the threads use, one
 * vector after another, and the filling of them by the setup() of the kernels: means of the
 * placements. Both happen once, so that the interval is that of the cost.
 */
#ifndef WHOLE_TIME_H
#define WHOLE_TIME_H

#include "measure/experiment.h"
#include "base/amount.h"

/* Seconds in which the vectors of a thread or of ALL_THREADS were touched, a mean of the
 * placements. */
double whole_time_touch(const struct samples *s, int thread);

/* In which the threads of the operation filled theirs. */
double whole_time_fill(const struct samples *r, int op);

/* Nothing where a cost is that of a unit (mode: time). */
struct amount whole_time(const struct samples *s, int op, int thread);

#endif
