/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For explore.c only: the placements that an opened file leaves, as groups of variables, and what
 * its threads cost at least. */
#ifndef GROUND_H
#define GROUND_H

#include "input/sweep.h"
#include "measure/experiment.h"
#include "prediction/lesson.h"

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

struct ground {
	struct lesson *lesson;
	const struct topo *topo;
	const struct args *args;
	struct args roomy;          /* the same, where threads may share hardware threads */
	size_t variables, *values;  /* of the sweep */
	struct group *groups;       /* [ngroups] */
	size_t ngroups, *choices;   /* [ngroups] how many each has */
	size_t *chosen;             /* [variables]: room */
	size_t threads, operations; /* of the file */
	int summary;
	bool blind;              /* what a variable moves is not known: there are no bounds */
	bool crowded;            /* the file lets threads share hardware threads */
	struct alone *alone;     /* [threads] */
	double discount;         /* what others may take off a cost at most: a factor */
	double sharing_discount; /* the same of threads that share vectors */
};

/* 0, or -1 with messages: the file cannot be planned. ground_free() in both cases. */
int ground_begin(struct ground *g, struct lesson *l, const struct args *a, struct errors *e);
void ground_free(struct ground *g);

/* Sets g->chosen to the choices of the first groups; all others stay anywhere. */
void ground_choose(const struct ground *g, const size_t *choice, size_t given);

/* The number of g->chosen among the combinations of the sweep. */
size_t ground_combination(const struct ground *g);

/* Plans the placement of g->chosen, by g->args or g->roomy. False: it cannot be placed.
 * experiment_free() in both cases. */
bool ground_plan(const struct ground *g, const struct args *a, struct experiment *x);

/* What summaryType makes of the costs of all threads. */
double ground_summarise(const struct ground *g, const double *costs);

/* What the threads of with[] cost at least, without the others, into costs[] at their numbers.
 * False: it is not known. */
bool ground_least_costs(
	const struct ground *g, const struct plan *p, size_t op, const bool *with, double *costs);

/* What a thread costs alone, at least: in g->chosen, and anywhere. */
double ground_alone(const struct ground *g, size_t thread, size_t op);
double ground_least_alone(const struct ground *g, size_t thread, size_t op);

#endif
