/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For branch_and_bound.c only: the placements that an opened file leaves, as groups of variables,
 * and what its threads cost at least. */
#ifndef BOUNDS_H
#define BOUNDS_H

#include "input/sweep.h"
#include "measure/experiment.h"
#include "prediction/training.h"

/* What a thread costs alone, by the values of its own variables. */
struct alone {
	size_t *own, nown; /* variables that change its place or that of its vector */
	size_t cells;      /* of these: the product of how many values they have */
	double *costs;     /* [cells * operations]; HUGE_VAL: the profile lacks it; 0: nothing is
			      known, because the rest of the placement does not fit */
	bool shares;       /* its vector with another thread */
	long twin; /* the thread before it that does the same with a vector of its own; -1 */
	size_t known_after; /* so many groups */
};

/* Variables that get their values together: those of a thread that no thread before it has. */
struct group {
	size_t *variables, count;
};

struct bounds {
	struct training *set;
	const struct topo *topo;
	const struct args *args;
	struct args roomy;          /* the same, where threads may share hardware threads */
	size_t variables, *values;  /* of the sweep */
	struct group *groups;       /* [ngroups] */
	size_t ngroups, *choices;   /* [ngroups] how many each has */
	size_t *chosen;             /* [variables]: room */
	size_t threads, operations; /* of the file */
	int summary;
	bool blind;          /* what a variable moves is not known: there are no bounds */
	bool crowded;        /* the file lets threads share hardware threads */
	struct alone *alone; /* [threads] */
	double discount;     /* what others may take off a cost at most: a factor */
};

/* 0, or -1 with messages: the file cannot be planned. bounds_free() in both cases. */
int bounds_begin(struct bounds *g, struct training *set, const struct args *a, struct errors *e);
void bounds_free(struct bounds *g);

/* Sets g->chosen to the choices of the first groups; all others stay anywhere. */
void bounds_choose(const struct bounds *g, const size_t *choice, size_t given);

/* The number of g->chosen among the combinations of the sweep. */
size_t bounds_combination(const struct bounds *g);

/* Plans the placement of g->chosen, by g->args or g->roomy. False: it cannot be placed.
 * experiment_free() in both cases. */
bool bounds_plan(const struct bounds *g, const struct args *a, struct experiment *x);

/* What summaryType makes of the costs of all threads. */
double bounds_summarise(const struct bounds *g, const double *costs);

/* What a thread costs alone, at least: in g->chosen, and anywhere. */
double bounds_alone(const struct bounds *g, size_t thread, size_t op);
double bounds_least_alone(const struct bounds *g, size_t thread, size_t op);

#endif
