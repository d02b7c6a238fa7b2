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
#include "prediction/between.h"
#include "prediction/load_curves.h"
#include "prediction/meetings.h"
#include "prediction/seen.h"
#include "prediction/siblings.h"
#include "prediction/stairs.h"
#include "prediction/states.h"

/* What was measured of threads that share cores, or caches that hold their vectors, or of a latency
 * under load. */
struct lesson_beside {
	struct scene_view view;
	double *ends;
	bool steady;
};

struct lesson {
	struct scene scene;
	/* Parts of the model that are learned by themselves. */
	struct stairs stairs;
	struct meetings meetings;
	struct siblings siblings;
	struct load_curves curves;
	struct states states;
	struct seen seen; /* which threads were measured together */
	struct lesson_beside *beside;
	size_t nbeside;
	struct learn_run *runs;   /* their threads and ends are owned */
	size_t *of_file;          /* which of `files` each is of */
	size_t count, figures;    /* of runs */
	size_t learned, left_out; /* operations that teach the model, and those that do not ... */
	size_t left_disturbed;    /* because their samples are disturbed */
	char *why;                /* ... the first of them, and the reason; NULL: none */
	struct model model, errors;
	int parameters;
	bool fitted; /* false: of runs of one thread alone; queue, follow and lead are
			what is known beforehand */
	size_t of_kind[SCENE_KINDS]; /* how many of the operations */
	double margins[SCENE_KINDS]; /* of logarithms; NAN: too few were left out */
	double alike;                /* the same of kernels that others tell (alike.h) */
	struct between between;
	/* The ends of what is known of model.alone where it lies between others (between.h), like
	 * that; NAN: it does not. */
	double *low, *high;
	double confidence;         /* of these */
	struct words files;        /* that were used */
	bool force, other_machine; /* the latter with force only */
	bool other_pages;          /* that the system gives: it was said */
	bool simulated, disturbed; /* some of it; disturbed with force only */
};

/* Reads the results that `paths` names: files and folders divided by commas. 0, or -1 with
 * messages (STATUS_USAGE): of another machine, or without any run that teaches the
 * model; disturbed operations teach nothing. force takes other machines and disturbed operations,
 * and notes it. confidence is that of the margins. Call lesson_free() after both. */
int lesson_read(struct lesson *l, const char *paths, const struct topo *t, double confidence,
	bool force, struct errors *e);
void lesson_free(struct lesson *l);

/* lesson_learn.c, for lesson.c only: the model of all runs that were taken. */
void lesson_learn(struct lesson *l, double confidence);

/* lesson_alike.c: an operation to be predicted, as scene_look_some(), with kernels that were not
 * measured, but that others tell. */
char *lesson_look(struct lesson *l, const struct plan *p, const struct plan_op *op,
	const bool *with, struct scene_view *v);
/* lesson_alike.c: is a thread's cost alone told by other kernels? */
bool lesson_is_told(const struct lesson *l, const struct model_thread *t);
/* lesson_alike.c, for lesson_learn.c only: after all else was learned. */
void lesson_learn_alike(struct lesson *l, double confidence);

/* lesson_predict.c: the ends of the threads of a view, as learn_run has them. Sets `slower` of
 * threads that share a core. NULL, or why the profile does not cover it, to be freed. */
char *lesson_predict(const struct lesson *l, struct scene_view *v, bool steady, double *ends);

/* lesson_range.c: sets the ends of what is known of them where something lies between what was
 * measured, else as they are. False: that is not known. */
bool lesson_range(const struct lesson *l, struct scene_view *v, bool steady, const double *ends,
	double *low, double *high);

/* lesson_predict.c: the same as if threads that share a core had one each. */
char *lesson_predict_apart(
	const struct lesson *l, const struct scene_view *v, bool steady, double *ends);

#endif
