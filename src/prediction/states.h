/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a profile shows of lines in a given state: what a thread pays that visits them.
 *
 * A cell is a kernel on a vector of a size, the distance from its thread to the home of the lines,
 * and the steps that brought them into their state: what was done, reading or writing, how near its
 * CPU is to the thread, and how far from the home. Flushing leaves no copy, whoever does it, and
 * does not count; the name of the state is only a name of its steps. All runs of a cell cost their
 * mean; what no run has is not known.
 */
#ifndef STATES_H
#define STATES_H

#include "prediction/nearness.h"
#include "prediction/scene.h"

struct states_step {
	enum plan_action action;
	struct nearness near; /* of its CPU to the thread */
	uint64_t home;        /* distance from its node */
};

struct states_cell {
	size_t kernel;
	double bytes;
	uint64_t home; /* distance from the thread */
	struct states_step steps[PLAN_STEPS];
	size_t count;
};

struct states_run {
	struct states_cell cell;
	double cost; /* ns a unit */
};

struct states {
	struct states_run *runs;
	size_t count;
	double idle; /* ns, the mean of threads that do nothing beside them */
	size_t idles;
};

/* Takes a view of SCENE_STATE and what a sample costs each of its threads, ns. */
void states_add(struct states *s, const struct scene *scene, const struct scene_view *v,
	const double *ends);
void states_free(struct states *s);

/* ns of a sample of the thread that visits. NULL, or why it is not known, to be freed. */
char *states_cost(const struct states *s, const struct scene *scene, const struct scene_view *v,
	double *ends);

/* log(measured / predicted) of every run that others of its cell predict, into out (room for all
 * runs). Returns how many. */
size_t states_left_out(const struct states *s, double *out);

#endif
