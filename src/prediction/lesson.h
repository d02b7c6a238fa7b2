/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A profile: result documents of a machine, and the model that was learned from them.
 *
 * Each run of a document is planned again from its own argument file and compared with what was
 * measured, if the model has words for it. Latencies and bandwidths of pairs of nodes are those of
 * kernels that measure them (chase, load).
 */
#ifndef LESSON_H
#define LESSON_H

#include "base/text.h"
#include "model/learn.h"
#include "prediction/scene.h"

struct lesson {
	struct scene scene;
	struct learn_run *runs;          /* their threads and ends are owned */
	size_t *of_file;                 /* which of `files` each is of */
	size_t count, figures, left_out; /* left_out: operations that teach nothing ... */
	char *why;                       /* ... the first of them, and the reason; NULL: none */
	struct model model, errors;
	int parameters;
	bool fitted; /* false: of runs of one thread alone; queue, follow and lead are
			what is known beforehand */
	size_t of_kind[SCENE_KINDS]; /* how many of the runs */
	double margins[SCENE_KINDS]; /* of logarithms; NAN: too few were left out */
	double confidence;           /* of these */
	struct words files;          /* that were used */
	bool force, other_machine;   /* the latter with force only */
	bool simulated, disturbed;   /* some of it; disturbed with force only */
};

/* Reads the results that `paths` names: files divided by commas, or a folder. 0, or -1 with
 * messages (STATUS_USAGE): of another machine, of schema 1, or without any run that teaches the
 * model; disturbed operations teach nothing. force takes other machines and disturbed operations,
 * and notes it. confidence is that of the margins. Call lesson_free() after both. */
int lesson_read(struct lesson *l, const char *paths, const struct topo *t, double confidence,
	bool force, struct errors *e);
void lesson_free(struct lesson *l);

#endif
