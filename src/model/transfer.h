/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads that synchronise through lines: barriers, locks, counters, messages. A line is at one
 * core at a time and comes from one to the next, so that a unit of work costs each of its threads
 *
 *     own + turns * steps * the mean transfer between two of them
 *
 * The transfer of a line between two CPUs was measured (the matrix of coherence, ns). steps, how
 * often a line goes on, one after another, until the unit is done, follows from the number of
 * threads: one less than these where all come in between, its logarithm where they meet in rounds.
 * own, what a unit costs besides, and turns, how many such lines there are, are the kernel's. One
 * thread alone keeps all lines, and is not of this law. Pure functions.
 */
#ifndef TRANSFER_H
#define TRANSFER_H

#include <stddef.h>

struct transfer_run {
	double steps;
	double mean; /* ns, transfer_mean() */
	double cost; /* measured, ns a unit */
};

struct transfer {
	double own, turns;
};

/* The mean over all ordered pairs of cpus[n], of a matrix[all * all] (from * all + to); NAN where
 * it lacks one, 0 of a single one. */
double transfer_mean(const double *matrix, size_t all, const size_t *cpus, size_t n);

/* ns a unit; NAN: mean is. */
double transfer_cost(const struct transfer *t, double steps, double mean);

/* Fits own and turns by squares of predicted / measured - 1; errors: their standard errors, NULL:
 * not wanted. 0, or -1: the runs do not tell them apart. */
int transfer_fit(
	struct transfer *t, const struct transfer_run *runs, size_t n, struct transfer *errors);

#endif
