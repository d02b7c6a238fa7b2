/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of pairs of CPUs: the fewest, the median and the most of those that are equally near. */
#ifndef PAIR_CLASSES_H
#define PAIR_CLASSES_H

#include "analysis/trust.h"
#include "measure/experiment.h"

struct table;

/* Pairs with the same innermost common place (topology/pairs.h). */
struct pair_class {
	char *name;      /* "same L3 = node" */
	const char *at;  /* the label of a row or column; NULL: the class is of all */
	size_t measured; /* pairs of them that cells are of, in either direction */
	long pairs;      /* that the machine has */
	struct amount fewest, median, most;
	struct trust trust; /* the worst of these */
};

/* Fills in m->classes, the nearest first, if all cells are of runs of two threads that are bound
 * to different pairs of CPUs. Where one axis alone changes the pair, as that of owners beside one
 * of states, there are classes for each label of the other.
 * runs[rows * cols]: -1, there is no such run. */
void pair_classes_add(const struct experiment *x, const long *runs, struct table *m);
void pair_classes_free(struct table *m);

#endif
