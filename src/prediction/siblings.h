/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a profile shows of threads that share cores. */
#ifndef SIBLINGS_H
#define SIBLINGS_H

#include "model/core.h"
#include "prediction/scene.h"

struct siblings {
	struct core_run *runs; /* of a core each; kernels and ratios are owned */
	size_t *of_run;        /* [count] which view each is of */
	size_t count, views;
	struct core_model model;
	double *errors;
};

/* Takes what the threads of a view cost, which share cores, and what they would cost with a core
 * each. */
void siblings_add(
	struct siblings *s, const struct scene_view *v, const double *ends, const double *alone);
/* Call it after all were added. */
void siblings_fit(struct siblings *s, size_t kernels);
void siblings_free(struct siblings *s);

/* Sets `slower` of all threads of a view. NULL, or why it is not known, to be freed. */
char *siblings_slow(const struct siblings *s, const struct scene *scene, struct scene_view *v);

/* log(measured / predicted) of the thread that is farthest off, of every view that the others
 * predict, into out (room for all views). Threads that ran together are off together, on one core
 * and on several, so that a view counts once. Returns how many. */
size_t siblings_left_out(const struct siblings *s, double *out);

#endif
