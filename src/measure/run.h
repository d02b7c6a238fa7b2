/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan with its vectors in place becomes samples. */
#ifndef RUN_H
#define RUN_H

#include <signal.h>

#include "base/alloc.h"
#include "placement/prepare.h"

/*
 * What one thread did in one sample. Instants are clock_ns().
 *
 * With mode: time step() or run() is called again and again until the instant start + window, which
 * is the same for all threads. units and end_ns are those of the calls that ended by then. The call
 * that is under way then goes on: nobody's count is of a machine on which others have stopped.
 */
struct stint {
	_Alignas(ALLOC_LINES) uint64_t left_ns; /* got away from the start line */
	uint64_t begin_ns; /* entered its kernel: later than left_ns by its sleep */
	uint64_t end_ns;
	uint64_t units;
	uint64_t worked; /* units of all calls: what is counted is counted until the last of them */
	uint64_t calls;  /* of run() or step(); in mode: time those that ended in time */
	int cpu_before, cpu_after;
	int preempted, blocked, faults; /* while the kernel ran */
	int migrations;                 /* -1: the kernel does not tell */
};

/* What disturbed a sample; several can come together. */
#define DISTURBED_MOVED     1u /* a thread was not on its CPU all along: the sample is repeated */
#define DISTURBED_PREEMPTED 2u /* something else ran on a thread's CPU */
#define DISTURBED_BLOCKED   4u /* a thread waited for the kernel */
#define DISTURBED_FAULTED   8u /* a page was not mapped (swapped out, being migrated) */

struct sample {
	uint64_t start_ns;                /* the common start instant */
	uint64_t window_ns;               /* of mode: time; 0: a fixed amount of work */
	uint64_t skew_ns;                 /* last to leave the line minus first */
	bool warmup;                      /* discarded from the figures, but kept */
	unsigned disturbed;               /* DISTURBED_*, of any thread */
	struct stint *stints;             /* [nthreads] */
	const struct counting_pass *pass; /* what was counted; NULL: it was timed */
	double *counts;                   /* [nthreads * pass->n]; NAN: counting failed */
};

/* Why no more samples of an operation were taken. */
enum ended {
	ENDED_COUNT,       /* numIter are there, and no targetError was asked for */
	ENDED_TARGET,      /* every thread's interval is narrow enough */
	ENDED_TIME,        /* timeLimit, before that */
	ENDED_INTERRUPTED, /* Ctrl-C */
	ENDED_NOT_RUN
};

#define RUN_CHOSE 64

struct op_result {
	struct sample *samples; /* in time order, warm-up first */
	size_t count;
	struct sample *counted; /* of the passes, in their order; not among the samples above */
	size_t ncounted;
	int repeated; /* samples taken again because a thread was moved; these are not kept */
	enum ended ended;
	double error; /* widest relative half-width of the threads' intervals; NAN: unknown */
	char (*chose)[RUN_CHOSE]; /* [nthreads]: what each thread's kernel chose by itself; ""
				     nothing */
};

/* The samples of one plan. */
struct run {
	const struct plan *plan;
	const struct prepared *prepared;
	struct op_result *ops; /* [nops] */
};

void run_init(struct run *r, const struct plan *p, const struct prepared *prepared);
void run_free(struct run *r);

/* Are there samples that count, of any operation? */
bool run_has_samples(const struct run *r);

/* Seconds from the common start to the thread's end: a thread's sleep counts, as in the thesis.
 * With mode: time seconds a unit, stint_unit(): the window is the same whatever was done in it. */
double stint_cost(const struct sample *s, int thread);
/* Seconds in the kernel alone. */
double stint_busy(const struct sample *s, int thread);
/* Seconds in the kernel for each unit, busy / units; NAN without units. */
double stint_unit(const struct sample *s, int thread);
double stint_units(const struct sample *s, int thread);
double stint_calls(const struct sample *s, int thread);

/* One operation of a run, being sampled. Bouts of the same or of several runs can be open at the
 * same time and sampled in any order. */
struct bout {
	struct run *run;
	int op;
	struct crew *crew; /* sample.h's; NULL: not open */
	uint64_t begin_ns;
};

/* Sets the kernels up. 0, or -1 with a message. */
int bout_open(struct bout *b, struct run *r, int op, struct errors *e);

/* Takes the next sample. 0, or -1 with a message: strict verification failed or the team broke.
 * *stop, set by a signal handler, keeps a disturbed sample from being repeated. */
int bout_sample(struct bout *b, const volatile sig_atomic_t *stop, struct errors *e);

/* Are all samples there? Says in the result why. */
bool bout_done(struct bout *b);

/* Takes the samples that are counted, if any are asked for. 0, or -1 with a message. */
int bout_count(struct bout *b, const volatile sig_atomic_t *stop, struct errors *e);

/* Verifies the kernels' results, if there are any, and tears down. 0, or -1 with a message. */
int bout_close(struct bout *b, struct errors *e);

#endif
