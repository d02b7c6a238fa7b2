/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a profile shows of threads that synchronise through lines, by model/transfer.h. */
#ifndef MEETINGS_H
#define MEETINGS_H

#include "model/transfer.h"
#include "prediction/scene.h"

struct meeting_run {
	size_t *cpus; /* of its threads, indices into the topology */
	size_t threads;
	struct transfer_run run; /* its mean is set last */
};

/* A kernel with a vector of a size: what is not a line that goes round depends on it. */
struct meeting {
	size_t kernel;
	double bytes;
	struct meeting_run *runs;
	size_t count;
	struct transfer model, errors;
	bool fitted; /* false: the ways of its lines are all as long, and what runs with the same
			cost is known */
};

struct meetings {
	double *matrix; /* [cpus * cpus] ns, from one to another; NAN: not known */
	size_t *times;  /* how often each of them was measured */
	size_t cpus;
	struct meeting *list;
	size_t count;
};

void meetings_begin(struct meetings *m, const struct topo *t);
void meetings_free(struct meetings *m);

/* Takes what a unit costs the slowest thread, ns. transfer: that is the time of a line from one of
 * two CPUs to the other. */
void meetings_add(struct meetings *m, const struct scene *s, const struct scene_view *v,
	double cost, bool transfer);
/* Call it after all were added. A way of a line that was not measured is the mean of those that
 * were, between CPUs as near: on one core, under a cache of the same level, or under none on nodes
 * as far from each other. */
void meetings_fit(struct meetings *m, const struct topo *t);

/* ns a unit of each of the threads of a view. NULL, or why it is not known, to be freed. */
char *meetings_cost(
	const struct meetings *m, const struct scene *s, const struct scene_view *v, double *cost);

/* ns of one meeting of the threads of a view whose work has meetings. NULL, or why it is not known,
 * to be freed. */
char *meetings_each(
	const struct meetings *m, const struct scene *s, const struct scene_view *v, double *cost);

/* log(measured / predicted) of every run that the others predict, into out (room for all runs).
 * Returns how many. */
size_t meetings_left_out(const struct meetings *m, double *out);

#endif
