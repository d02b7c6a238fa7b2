/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What runs of a profile cost, and what lies between them.
 *
 * Threads cost the mean of the runs that had the same threads: kernels with their parameters, sizes
 * where caches hold the vectors, distances of nodes, and CPUs as near to each other (on one core,
 * under a cache of the same level, on nodes as far apart). Where no run had the same, but some
 * differ from it in one number only (a stride, a pause, a part of stores, the bytes that caches
 * hold), the cost is on a curve through these that does not overshoot (statistics/steffen.h). Below
 * and above what was measured nothing is known.
 */
#ifndef MEASURED_H
#define MEASURED_H

#include "prediction/modelled.h"

struct measured_run {
	struct modelled_view view;
	double *costs; /* [view.count] ns a unit of each thread */
};

struct measured {
	struct measured_run *list;
	size_t count;
	double idle; /* ns, the mean of threads that do nothing; NAN: none was measured */
	size_t idles;
	/* [MODELLED_KINDS] How far runs are off that others predict, as learn_margin(): by the same
	 * runs, and by those that differ in a number. NAN: too few were left out. */
	double same[MODELLED_KINDS], between[MODELLED_KINDS];
};

/* Takes a view, which the list owns from now on, and what a unit costs each of its threads. */
void measured_add(struct measured *m, struct modelled_view *v, const double *costs);
/* Call it after all were added. */
void measured_fit(struct measured *m, const struct modelled *s, double confidence);
void measured_free(struct measured *m);

/* Sets what a unit costs each of the threads of a view, ns, of MODELLED_STATE its visitor only, and
 * whether that lies between what was measured. NULL, or why it is not known, to be freed. */
char *measured_cost(const struct measured *m, const struct modelled *s,
	const struct modelled_view *v, double *costs, bool *between);

/* What a unit of a kernel costs a thread alone with its vector in the memory of a node; NAN: that
 * is not known. */
double measured_alone(const struct measured *m, const struct modelled *s, size_t kernel,
	size_t node, size_t memory);

/* The margin of the logarithms of a cost, of a kind of runs. */
double measured_margin(const struct measured *m, enum modelled_kinds kind, bool between);

/* What one meeting costs threads whose work has meetings, ns. NULL, or why it is not known, to be
 * freed. */
char *measured_meeting(const struct measured *m, const struct modelled *s,
	const struct modelled_view *v, double *cost);

#endif
