/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a program pays in its first round, and whether costs had settled when samples began to
 * count (statistics/settled.h).
 */
#ifndef SETTLING_H
#define SETTLING_H

#include "base/amount.h"
#include "measure/samples.h"

/* The cost of a thread in the first sample of a placement, if it is one of the warm-up: the
 * geometric mean over placements. All samples of an operation are of as many rounds. */
struct amount settling_first(const struct samples *r, int op, int thread);

/* A cost that had not settled. */
struct unsettled {
	size_t placements; /* whose warm-up ended for lack of time; 0: a trend of the samples that
			      count, of all placements */
	int thread;        /* that changes the most */
	double from, to;   /* its cost: of the first sample and of the last that count, or of the
			      first and the last third of those that count */
	size_t samples;    /* of a placement, over which it changes: the most of all placements */
};

/* Fills *u in. False: the operation's cost had settled, or there are too few samples to tell. */
bool settling_of(const struct samples *r, int op, struct unsettled *u);

/* "still falls from 4.3 to 1.5 ms (9.3 to 24 GB/s) within 40 samples". To be freed. */
char *settling_text(const struct samples *r, int op, const struct unsettled *u);

#endif
