/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Means of cells that depend on each other. A cell of a table is a product of powers of figures: a
 * cost of itself, a speedup of the baseline's cost and of 1 / its own. So the logarithm of a mean
 * over cells is a sum over figures, in which one that several cells share, such as the baseline's
 * cost, counts as often as it is in them.
 *
 * Figures of a run were measured in the same placements and may vary alike there: their sum is
 * taken in each placement. Different runs have nothing in common: the variances of their sums add
 * up.
 */
#ifndef FACTORS_H
#define FACTORS_H

#include "analysis/view.h"

/* A figure of which a cell is made. */
struct factor {
	double power;                  /* 0: there is none */
	size_t run;                    /* its placements are those of all figures of that run */
	const struct samples *samples; /* figures of the same samples, operation and thread ... */
	int op, thread;                /* ... are one */
	struct estimate figure;
};

#define FACTORS 2

/* Cells of one quantity. */
struct cells {
	const struct amount *list;
	size_t n;
	const struct factor *factors; /* [n * FACTORS]; without any: nothing is known of a cell;
					 NULL: of none */
	double confidence;
};

/* What the cell of a quantity is made of; without factors: it is no such product. */
void factors_of(const struct experiment *x, size_t run, int op, int thread, enum quantity q,
	struct factor *to);

/* The weighted geometric mean of the cells above 0; AMOUNT_NONE: there is none. weights[n], 0 for
 * cells that take no part. Where nothing is known of a cell, errors add up
 * (amount_geometric_mean()). */
struct amount factors_mean(const struct cells *c, const double *weights);

#endif
