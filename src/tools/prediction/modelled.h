/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plans in the words of the model: which nodes, kernels and vectors its threads have, and which
 * plans it has no words for.
 */
#ifndef MODELLED_H
#define MODELLED_H

#include "model/model.h"
#include "plan/plan.h"
#include "prediction/nearness.h"

/* A kernel of the model: what a thread does to each element of its vector, on a kind of cores. */
struct modelled_kind {
	const struct kernel *kernel;
	int cores;  /* index into the kinds of the machine; -1: its cores are alike */
	void *args; /* its parameters, with fraction 1 */
	enum element_type type;
	enum mem_pages pages;
	bool random; /* it visits elements in random order */
	/* Units of a round for an element, as measured, NAN: not yet; elements of the vectors that
	 * they were measured with, 0: of several sizes, and they were equal. */
	double units;
	uint64_t elements;
};

struct modelled {
	const struct topo *topo;
	struct model_machine machine; /* with the arrays below; latencies and bandwidths NAN */
	double *latency, *bandwidth;
	size_t *pair_class;
	struct modelled_kind *kinds;
	struct model_kernel *kernels; /* [machine.kernels], like kinds */
	double **parts;               /* [nparts] of vectors on several nodes */
	size_t nparts;
	size_t measured; /* after learning: how many of the kinds were measured */
};

/* Sizes are whole elements, so that those that a file gives as the same differ by this part. */
#define MODELLED_SAME 1e-3

/* What must be in a profile to predict it. */
enum modelled_kinds {
	MODELLED_ALONE,
	MODELLED_PRIVATE,
	MODELLED_SHARED,
	MODELLED_SPREAD,
	MODELLED_HELD,
	MODELLED_HELD_TOGETHER,
	MODELLED_CORE,
	MODELLED_MEETING,
	MODELLED_LOADED,
	MODELLED_STATE,
	MODELLED_KINDS
};

/* "several threads that share a vector" and so on */
extern const char *const modelled_kind_names[MODELLED_KINDS];
/* the file of args that measures it: "profile/03_alone" and so on */
extern const char *const modelled_kind_files[MODELLED_KINDS];

/* Meetings of all threads of an operation, in equal parts of its work. */
struct modelled_meetings {
	double count;          /* of a sample, or of a round as units are; 0: there are none */
	const char *by, *wait; /* how they meet */
};

/* An operation in the words of the model. Threads that divide a vector have one each. */
struct modelled_view {
	enum modelled_kinds kind;
	bool held;   /* caches hold a good part of all of its vectors */
	bool steady; /* mode: time: all threads run all the time */
	size_t count;
	/* [count], like the others; parts are those of struct modelled */
	struct model_thread *threads;
	double *bytes; /* that each accesses */
	int *cpus, *cores;
	struct modelled_meetings meetings;
	size_t loads; /* threads that measure latency */
	/* MODELLED_STATE: the thread that visits lines in a state, -1: none; the others do nothing.
	 * What brought the lines there, but for flushes, which leave no copy, whoever does them. */
	long visitor;
	struct modelled_step {
		enum plan_action action;
		struct nearness near; /* of its CPU to the thread */
		uint64_t home;        /* distance from its node */
	} steps[PLAN_STEPS];
	size_t nsteps;
};

/* What measures lines in a state, for reasons of refusals. */
#define MODELLED_STATE_MEASURED                                                                 \
	"args/profile/26_states.args and 27_own_states.args measure it, with --set where this " \
	"file has something else"

/* Does a thread of an operation nothing, on a CPU of its own? Then the others are as without it. */
static inline bool modelled_idle(const struct plan *p, const struct plan_op *op, int thread)
{
	return op->jobs[thread].kernel->nothing && p->threads[thread].cpu >= 0;
}

/* Which threads of an operation do something, for modelled_look_some(); NULL: all, or none. To be
 * freed. */
bool *modelled_working(const struct plan *p, const struct plan_op *op);

/* MODELLED_STATE: does a thread of the view nothing? */
static inline bool modelled_idles(const struct modelled_view *v, size_t thread)
{
	return v->kind == MODELLED_STATE && (long)thread != v->visitor;
}

void modelled_begin(struct modelled *s, const struct topo *t);
void modelled_free(struct modelled *s);

/* An operation of a plan; threads' units are those of a sample (of a round, where the number of
 * rounds is not given; without meaning in mode: time). learn: kernels that s does not
 * have are added, and units are 1. NULL, or why the model does not cover it, to be freed.
 * modelled_view_free() frees the view in both cases. */
char *modelled_look(struct modelled *s, const struct plan *p, const struct plan_op *op, bool learn,
	struct modelled_view *v);

/* The same of some threads only, those of with[] (NULL: all), as if the others were not there. */
char *modelled_look_some(struct modelled *s, const struct plan *p, const struct plan_op *op,
	const bool *with, bool learn, struct modelled_view *v);
void modelled_view_free(struct modelled_view *v);

/* Takes what was measured: units of a round of the job of a thread of a view. */
void modelled_take_units(struct modelled *s, const struct plan *p, const struct model_thread *t,
	int thread, double units);

/* Do two kernels of the model differ in one number only, whose cost lies between others: a stride,
 * or one of PARAM_PACE? Which, into *number. */
bool modelled_kind_differs(
	const struct modelled_kind *a, const struct modelled_kind *b, const struct param **number);
/* What it is. */
double modelled_number(const struct param *number, const struct modelled_kind *k);

/* For people: "read on double, pages system". To be freed. */
char *modelled_kind_name(const struct modelled *s, size_t kernel);

/* The first pair of a class, node of the thread * nodes + node of the memory. */
size_t modelled_pair(const struct modelled *s, size_t pair_class);
/* The distance of the pairs of a class. */
unsigned long long modelled_distance(const struct modelled *s, size_t pair_class);

#endif
