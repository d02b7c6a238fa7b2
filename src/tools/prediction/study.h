/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What worth.c and study.c share: runs that were measured, and what a rule says of them. */
#ifndef STUDY_H
#define STUDY_H

#include "forecast/worth.h"
#include "prediction/training.h"

/* What a rule says of each figure, and of how far it may be off. */
struct guess {
	double *ends;   /* as the runs have them, one after another; NAN: nothing */
	double *margin; /* of logarithms; NAN: none */
};

struct study {
	const struct training *set;
	struct learn_run *runs; /* the training set's, with other groups */
	struct learn learn;
	const double *alone; /* what a thread alone costs, by kernel and class */
	size_t *first;       /* of each run, in a guess */
};

/* The cost of the last thread; NAN: one is not known. */
double study_last(const double *ends, size_t count);

/* Are two runs the same work in the same places? Each is so of itself. */
bool study_is_again(const struct study *s, size_t a, size_t b);

/* Counts choices among runs of the same work, and those in which the place that `g` predicts to be
 * the cheapest was the cheapest. A place that was measured several times is one, at the geometric
 * mean: it is no better than itself. */
void study_choices(const struct study *s, const struct guess *g, struct worth_row *row);

#endif
