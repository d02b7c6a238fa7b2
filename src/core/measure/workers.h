/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets up, samples, verifies and tears down the threads of one operation. For series.c. */
#ifndef WORKERS_H
#define WORKERS_H

#include "measure/stolen.h"
#include "measure/samples.h"
#include "measure/window.h"
#include "system/quota.h"

/* The workers of one operation, one for each thread, and their start line. */
/* When a thread began its kernel's setup() and ended it. */
struct set_up {
	uint64_t begin_ns, end_ns;
};

struct workers {
	const struct plan *plan;
	const struct plan_op *op;
	struct worker *list;
	int *cpus;
	bool *turns; /* [nthreads] do others of the run share its CPU? NULL: no thread's */
	int usable;  /* CPUs of threads that are not bound, where turns is set */
	struct start_line start_line;
	size_t stack;                     /* of this placement: stack_call() */
	uint64_t window_ns;               /* of mode: time; 0: a fixed amount of work */
	struct window_flag *flag;         /* that ends the window; NULL: the clock does */
	const struct counting_pass *pass; /* what the next sample counts; NULL: it is timed */
	double *counts;                   /* [nthreads * pass->n] of the sample being taken */
	size_t nfigures;                  /* the most that a kernel of the operation has */
	double *told;                     /* [nthreads * nfigures] of the sample being taken */
	struct batch *batches;            /* [nthreads], aligned; of mode: time */
	struct thread_sample *threads;    /* [nthreads], aligned: of the sample being taken */
	struct event_times **events; /* [nthreads] of those that time single events, else NULL; of
				   the sample being taken */
	bool timing;                 /* the next sample times them */
	int placement;               /* from 1 */
	struct stolen stolen;
	const struct quota_groups *quotas; /* not owned; NULL: none */
	const char **complaints;           /* [nthreads], of setup() or verify(); NULL: none */
	char (*reasons)[256];
	struct op_proof *proofs; /* [nthreads], of prove() */
	struct set_up *set_up;   /* [nthreads] */
	bool moves;              /* page faults and waits are part of what is measured */
	bool trial;              /* samples are tried out, and may be too short for the clock */
	bool failed; /* a sample failed, and its message says why: verify() would only repeat it */
};

/* Makes the workers of an operation of p (r's plan, or a thread of it alone) and calls every
 * kernel's setup() in its thread. quotas must outlive them: workers of many runs are there at the
 * same time, and share their open files. 0, or -1 with a message. */
int workers_init(struct workers *c, const struct prepared *r, const struct plan *p,
	const struct plan_op *op, const struct quota_groups *quotas, struct errors *e);

/* How long setup() took, from the first thread to begin to the last one to end. */
uint64_t workers_fill_ns(const struct workers *c);

/* Calls the kernels' reset(): before each sample, and once more after the last one. Costs nothing
 * where no kernel has one. 0, or -1 with a message. */
int workers_reset(struct workers *c, struct errors *e);

/* Calls the kernels' arrange(): between reset() and the sample, before states of lines are made,
 * which a move would destroy. Costs nothing where no kernel has one. 0, or -1 with a message. */
int workers_arrange(struct workers *c, struct errors *e);

/* Takes one sample; s->threads must be NULL or from an earlier call. 0, or -1 with a message. */
int workers_sample(struct workers *c, struct sample *s, struct errors *e);

/* From the next sample on, counts the events of this pass; NULL: measures time. */
void workers_count(struct workers *c, const struct counting_pass *pass);

/* Calls every kernel's verify(). 0, or -1 with a message. */
int workers_verify(struct workers *c, struct errors *e);

void workers_free(struct workers *c);

#endif
