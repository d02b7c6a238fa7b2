/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --advise: values that an argument file leaves open (`?`) are searched by the model, and the best
 * are measured. */
#ifndef ADVICE_H
#define ADVICE_H

#include "forecast/advised.h"
#include "input/args.h"
#include "measure/experiment.h"
#include "prediction/branch_and_bound.h"

/* The most placements that are told, and that can be measured. */
#define ADVICE_MOST 10
/* How many are measured where nothing else is asked for. */
#define ADVICE_VERIFY 4

/* Replaces each `?` of nodePerVector, nodePerThread and pagesPerVector by a variable of a sweep
 * over all values: nodes, nodes with CPUs, sizes of pages. 0, or -1 with messages (STATUS_USAGE):
 * there is none, or the file has a sweep of its own. */
int advice_open(struct args *a, const struct topo *t, struct errors *e);

/* 0, or -1 with a message (STATUS_USAGE): the file leaves a value open, which only --advise can
 * choose. */
int advice_closed(const struct args *a, struct errors *e);

/* Are these more placements than can all be predicted (branch_and_bound.h)? Of an opened file;
 * false of others. */
bool advice_is_large(const struct args *a, const struct topo *t);

/* Is this key searched? */
bool advice_searches(const char *key);

/* ranking.c: the best placements of the experiment whose runs the forecast has, both of which must
 * outlive it; with verify > 0 that many are to be measured, and the baseline. A total is the sum,
 * over operations, of what summaryType makes of the threads. 0, or -1: no run is predicted whole.
 * advised_free() frees it. */
int advice_rank(
	struct advised *a, const struct forecast *f, const struct experiment *x, size_t verify);

/* ranking.c: after advice_rank() of what branch and bound has found: says so. */
void advice_searched(struct advised *a, const struct exploration *x);

/* verified.c: lets the experiment skip all runs but those that are to be measured. */
void advice_choose(const struct advised *a, struct experiment *x);

/* verified.c: takes what was measured, and judges whether the advice held: whether nothing that was
 * measured is cheaper than its first placement by more than ADVISED_TOLERANCE, beyond what the
 * intervals leave open. */
void advice_judge(struct advised *a, const struct experiment *x);

/* verified.c: its last step, from the figures in the list: cheapest, verdict and why. Pure. */
void advice_conclude(struct advised *a);

#endif
