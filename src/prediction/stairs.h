/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The staircases of a profile: what threads alone cost whose vectors caches hold, for each kernel
 * and class of pairs of nodes. */
#ifndef STAIRS_H
#define STAIRS_H

#include "model/levels.h"
#include "prediction/scene.h"

struct staircase_of {
	size_t kernel, pair_class;
	double reach[TOPO_LEVELS]; /* of the caches above the CPU that it was measured on */
	size_t nreach;
	struct levels_point *points;
	size_t count;
	/* The steps within what was measured, with costs[steps + 1] and their standard errors. */
	struct levels levels;
	double costs[TOPO_LEVELS], errors[TOPO_LEVELS];
	bool fitted; /* false: the sizes that were measured themselves are known */
};

struct stairs {
	struct staircase_of *list;
	size_t count;
};

/* Takes what a thread alone cost, ns a unit. */
void stairs_add(
	struct stairs *s, const struct scene *scene, const struct scene_view *v, double cost);
void stairs_fit(struct stairs *s);
void stairs_free(struct stairs *s);

/* What each of the threads of a view costs whose vectors caches hold, ns a unit, as if it had a
 * core of its own, and the part of its lines that come from memory, into cost[] and missed[].
 * Caches that several of them use are shared in proportion. NULL, or why it is not known, to be
 * freed. */
char *stairs_costs(const struct stairs *s, const struct scene *scene, const struct scene_view *v,
	double *cost, double *missed);

/* log(measured / predicted) of every point that a staircase without it predicts, into out (room for
 * all points). Returns how many. */
size_t stairs_left_out(const struct stairs *s, double *out);

#endif
