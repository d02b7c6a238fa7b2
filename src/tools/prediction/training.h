/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The training set: result documents of a machine, its profile, and what is predicted from them.
 *
 * Each run of a document is planned again from its own argument file and compared with what was
 * measured, if the model has words for it. Latencies and bandwidths of pairs of nodes are those of
 * kernels that measure them (chase, load). The model has two parts (parts.c): runs that were
 * measured, with what lies between them (measured.h), and queues (model/model.h).
 */
#ifndef TRAINING_H
#define TRAINING_H

#include "base/text.h"
#include "model/learn.h"
#include "prediction/measured.h"

/* Runs of several threads that wait for each other in memory, and of threads alone. */
struct queues {
	struct learn_run *runs; /* their threads and ends are owned */
	size_t *of_file;        /* which of the files each is of */
	size_t count, figures;
	struct model model, errors;
	bool *between; /* [kernels * classes] which costs alone lie between measured ones */
	bool fitted;   /* false: of runs of one thread alone; queue, follow and lead are
			what is known beforehand */
	/* By kinds of runs: how far runs that were left out are off, of logarithms, by the queues
	 * [0] and if each thread cost what it costs alone [1]. */
	struct queues_worth {
		size_t runs;
		double mean[2], margin[2]; /* NAN: too few */
		bool as_alone;             /* the queues are no better */
	} worth[MODELLED_KINDS];
};

struct training {
	struct modelled modelled;
	struct measured measured;
	struct queues queues;
	size_t runs;              /* of the documents */
	size_t learned, left_out; /* operations that teach the model, and those that do not ... */
	size_t left_disturbed;    /* because their samples are disturbed */
	char *why;                /* ... the first of them, and the reason; NULL: none */
	size_t of_kind[MODELLED_KINDS]; /* how many of the operations */
	double confidence;              /* of intervals */
	struct words files;             /* that were used */
	bool force, other_machine;      /* the latter with force only */
	bool other_pages;               /* that the system gives: it was said */
	bool simulated, disturbed;      /* some of it; disturbed with force only */
};

/* Reads the results that `paths` names: files and folders divided by commas. 0, or -1 with
 * messages (STATUS_USAGE): of another machine, or without any run that teaches the
 * model; disturbed operations teach nothing. force takes other machines and disturbed operations,
 * and notes it. confidence is that of the margins. Call training_free() after both. */
int training_read(struct training *t, const char *paths, const struct topo *topo, double confidence,
	bool force, struct errors *e);
void training_free(struct training *t);

/* What is predicted of the threads of a view. */
struct predicted {
	double *ends;  /* [threads] as learn_run has them; the caller's */
	double margin; /* how far they may be off, of logarithms; NAN: unknown */
	bool assumed;  /* they depend on parameters that no run shows */
	bool between;  /* they lie between what was measured */
	bool as_alone; /* each thread costs what it costs alone: queues are no better */
};

/* An operation to be predicted: modelled_look_some() of those threads that do something. */
char *training_look(struct training *t, const struct plan *p, const struct plan_op *op,
	const bool *with, struct modelled_view *v);

/* parts.c: takes a run that was measured; the view is the set's from now on. */
void training_add(struct training *t, struct modelled_view *v, const double *ends, size_t group);
/* parts.c: after all were added. */
void training_fit(struct training *t);
/* parts.c: NULL, or why the profile does not cover the view, to be freed. */
char *training_predict(
	const struct training *t, const struct modelled_view *v, struct predicted *out);
/* parts.c: the least that threads together cost by what is known, as a part of what each costs
 * alone, 1 at most. */
double training_gain(const struct training *t);

#endif
