/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan with its vectors in place becomes samples. */
#ifndef RUN_H
#define RUN_H

#include <signal.h>

#include "alloc.h"
#include "prepare.h"

/* What one thread did in one sample. Instants are clock_ns(). */
struct stint {
	_Alignas(ALLOC_LINES) uint64_t left_ns; /* got away from the start line */
	uint64_t begin_ns; /* entered its kernel: later than left_ns by its sleep */
	uint64_t end_ns;
	uint64_t units;
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
	uint64_t start_ns;    /* the common start instant */
	uint64_t skew_ns;     /* last to leave the line minus first */
	bool warmup;          /* discarded from the figures, but kept */
	unsigned disturbed;   /* DISTURBED_*, of any thread */
	struct stint *stints; /* [nthreads] */
};

struct op_result {
	struct sample *samples; /* in time order, warm-up first */
	size_t count;
	int repeated; /* samples taken again because a thread was moved; these are not kept */
};

struct run {
	const struct plan *plan;
	const struct prepared *prepared;
	struct op_result *ops; /* [nops] */
	bool interrupted;
};

/* Seconds from the common start to the thread's end: a thread's sleep counts, as in the thesis. */
double stint_cost(const struct sample *s, int thread);
/* Seconds in the kernel alone. */
double stint_busy(const struct sample *s, int thread);

/* Told before every sample, for a progress line: sample `done` of `all` begins. May be NULL. */
typedef void run_progress(void *arg, const char *label, size_t done, size_t all);

/* Runs every operation. *stop, set by a signal handler, ends the run after the sample at hand:
 * `interrupted`, and what is finished is kept. 0, or -1 with a message. */
int run_plan(struct run *r, const struct prepared *prepared, const volatile sig_atomic_t *stop,
	run_progress *progress, void *arg, struct errors *e);

void run_free(struct run *r);

#endif
