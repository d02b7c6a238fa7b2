/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which threads a profile has seen together. Between what was measured the model interpolates;
 * beyond it nothing tells how far it is off, and the intervals of other runs are no answer.
 */
#ifndef SEEN_H
#define SEEN_H

#include "prediction/scene.h"

/* A kernel beside others of the same kind of runs, and how far from its memory it was. */
struct seen_kernel {
	enum scene_kinds kind;
	const struct kernel *kernel;    /* of any parameters */
	unsigned long long least, most; /* distances of the firmware */
};

/* Two kernels on one vector. */
struct seen_pair {
	const struct kernel *kernels[2];
};

struct seen {
	struct seen_kernel *list;
	size_t count;
	struct seen_pair *pairs;
	size_t npairs;
	double most[SCENE_KINDS]; /* threads whose vectors are in one memory; of a part a part */
};

void seen_add(struct seen *s, const struct scene *scene, const struct scene_view *v);
void seen_free(struct seen *s);

/* NULL, or why the threads of a view, which wait for each other in memory, are not covered, to be
 * freed: a kernel that was seen alone only, nearer or farther than it was seen beside others,
 * kernels that were not seen on one vector, or twice as many threads at a memory or more. What
 * distances there were is of no matter where vectors are on several nodes. */
char *seen_refuse(const struct seen *s, const struct scene *scene, const struct scene_view *v);

#endif
