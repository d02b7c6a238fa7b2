/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The staircases of a profile: what threads alone cost whose vectors caches hold, for each kernel
 * and class of pairs of nodes. Steps are the caches, and what the TLB reaches where the profile
 * shows it and has sizes on both sides. */
#ifndef STAIRS_H
#define STAIRS_H

#include "model/levels.h"
#include "prediction/scene.h"

#define STAIRS_MOST (TOPO_LEVELS + REACH_LEVELS)

struct stairs_step {
	double bytes; /* that it holds, or reaches */
	int level;    /* of the cache; 0: a TLB */
};

struct staircase_of {
	size_t kernel, pair_class;
	int cpu; /* that it was measured on */
	struct levels_point *points;
	size_t count;
	double least, most; /* bytes of the points that memory serves; 0: there are none */
	/* The steps within what was measured, ascending, with costs[steps + 1] and their standard
	 * errors. */
	struct stairs_step steps[STAIRS_MOST];
	size_t nsteps;
	double costs[STAIRS_MOST + 1], errors[STAIRS_MOST + 1];
	bool fitted;  /* false: the sizes that were measured themselves are known */
	int sizeless; /* a level of cache whose size the machine does not show, below one whose size
			 it does: its step is nobody knows where; 0: none */
};

struct stairs {
	struct staircase_of *list;
	size_t count;
};

/* Takes what a thread alone cost, ns a unit. */
void stairs_add(
	struct stairs *s, const struct scene *scene, const struct scene_view *v, double cost);
void stairs_fit(struct stairs *s, const struct scene *scene);
void stairs_free(struct stairs *s);

/* What each of the threads of a view costs whose vectors caches hold, ns a unit, as if it had a
 * core of its own, and the part of its lines that come from memory, into cost[] and missed[].
 * Caches that several of them use are shared in proportion. NULL, or why it is not known, to be
 * freed. */
char *stairs_costs(const struct stairs *s, const struct scene *scene, const struct scene_view *v,
	double *cost, double *missed);

/* For threads that memory serves. NULL, or why what they cost is not known although their kernels
 * are: TLBs reach another part of their vectors than of those that were measured. To be freed. */
char *stairs_refuse(const struct stairs *s, const struct scene *scene, const struct scene_view *v);

/* log(measured / predicted) of every point that a staircase without it predicts, into out (room for
 * all points). Returns how many. */
size_t stairs_left_out(const struct stairs *s, const struct scene *scene, double *out);

#endif
