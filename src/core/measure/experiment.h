/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An argument file with all its runs: one run, or as many as its sweeps define. */
#ifndef EXPERIMENT_H
#define EXPERIMENT_H

#include "base/amount.h"
#include "measure/rivals.h"
#include "measure/samples.h"
#include "input/sweep.h"

/* rhp_frag_profiler: what far huge pages gain and cost by the runs before, in percent of the time
 * of near huge ones. */
struct judgement {
	struct amount gain, cost;
	bool of_stalls;  /* the cost is that of stalls; else of times */
	size_t by;       /* the run of rhp_frag whose gain and cost these are */
	bool moves_back; /* the cost is more */
};

/* One run of a sweep. */
struct run {
	char *label;      /* "d=100 n=2"; "" without a sweep */
	struct args args; /* the file with this run's values put in */
	struct request request;
	struct plan plan;
	struct errors errors; /* why it cannot be done */
	bool skipped;         /* it has no samples */
	bool lost; /* skipped, because it could not be measured: no fault of the machine */
	struct judgement judgement; /* with plan_profiled(), once it is placed */
	bool complete;              /* it needs no more placements */
	uint64_t placing_ns;        /* in which its vectors were touched */
	struct prepared prepared;   /* vectors are given back after the run, placements stay */
	struct backgrounds backgrounds;
	struct rivals *rivals; /* of them; NULL: there is none, or it is not placed */
	struct samples samples;
	struct plan
		*solo_plans;   /* [nthreads] with solo: yes: the same plan with one thread alone */
	struct samples *solos; /* [nthreads], NULL without solo */
};

struct experiment;

/* Called before a run of rhp_frag_profiler is placed. 0, or -1 with a message. */
typedef int experiment_judge(
	const struct experiment *x, size_t run, struct judgement *j, struct errors *e);

/* Half the widest interval of a cost of an operation as it would be printed, as a part of the cost;
 * NAN: there is none. */
typedef double experiment_error(const struct samples *r, int op);

struct experiment {
	experiment_judge *judge; /* may be NULL without such runs */
	experiment_error *error; /* may be NULL where the placements are fixed */
	const struct args *args; /* as written */
	const struct topo *topo;
	struct request_file file; /* the keys that all runs have in common */
	struct sweep sweep;
	struct run *runs;
	size_t nruns;
	struct counting *counting; /* NULL: nothing is counted */
	int *kinds;                /* [kinds of cores]: a CPU of each, for the counters' check */
	uint64_t seed;             /* of the random choice of runs and of their order; 0: none */
	bool interrupted;
	const struct pooling *pooling; /* that of all samples (samples.h) */
};

/* Plans every run. A run of a sweep that this machine cannot place is skipped with a warning. A
 * mistake in the arguments is an error, and so is a file without any run that can be done. 0, or -1
 * with messages. */
int experiment_plan(
	struct experiment *x, const struct args *a, const struct topo *t, struct errors *e);

/* The same of some combinations of a sweep, which may have more than can be run. */
int experiment_plan_some(struct experiment *x, const struct args *a, const struct topo *t,
	const struct sweep_choice *some, struct errors *e);

/* The request of the first run that can be done: for keys that no sweep may change. */
const struct request *experiment_request(const struct experiment *x);

/* What begins now. */
struct experiment_step {
	enum { STEP_TOUCHING, STEP_PREPARING, STEP_SAMPLING } what;
	size_t run, runs;       /* from 0 */
	const char *label;      /* of the run; "" without a sweep */
	const char *op;         /* but not of STEP_TOUCHING */
	const char *preparing;  /* STEP_PREPARING: "building chains"; NULL: no kernel tells */
	size_t sample, samples; /* of STEP_SAMPLING: from 0, with those of the warm-up; targetError
				   may take more */
	bool warming;           /* the sample is one of a warm-up that ends when costs settle */
	double done_s, all_s;   /* as guessed, for the share of the whole */
};

/* Called before each step. May be NULL. */
typedef void experiment_progress(void *arg, const struct experiment_step *step);

/* measure.c: places, samples and checks every run. *stop, set by a signal handler, ends it after
 * the current sample; finished samples are kept. 0, or -1 with messages. */
int experiment_measure(struct experiment *x, const volatile sig_atomic_t *stop,
	experiment_progress *progress, void *arg, struct errors *e);

/* [topo->ncpu_index] the CPUs that runs use; to be freed. NULL: a thread has none of its own. */
bool *experiment_cpus(const struct experiment *x);
/* The same of one run: of its threads and of the load beside it. */
bool *run_cpus(const struct run *t);

/* Marks the operations that lack samples or whole placements, because the user stopped the run. */
void experiment_cut_short(struct experiment *x);

/* Skips a run that has begun: a part of its samples would look like all of them. */
void experiment_drop(struct run *t);

/* Did any run give samples that count? */
bool experiment_has_samples(const struct experiment *x);

/* guess.c: seconds that preparing and measuring may take, at 5 ns a unit, or 100 ns where each
 * waits for the last in memory, where mode: time does not fix it. For --plan. */
double experiment_guess_s(const struct experiment *x);

/* The same of one sample of an operation, and of a placement of all vectors. */
double guess_sample_s(const struct plan *p, int op);
double guess_placement_s(const struct plan *p);
/* How many single events the thread will time; NAN: how long one takes is not known. */
double guess_events(const struct plan *p, int op, int thread);

/* Does a run follow chains, so that the guess knows accesses that wait for each other? */
bool experiment_has_chains(const struct experiment *x);

void experiment_free(struct experiment *x);

#endif
