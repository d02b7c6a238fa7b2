/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps of plan_make(), in the order in which it takes them; each a file. For plan*.c only. */
#ifndef PLAN_PARTS_H
#define PLAN_PARTS_H

#include "input/names.h"
#include "plan/plan.h"

/* threads.c: threads -> CPUs. */
int plan_threads(struct plan *p, const struct names *names, struct errors *e);

/* mapping.c: the same for threads that are only counted. */
int plan_mapping(struct plan *p, struct errors *e);

/* vectors.c: nodes, sizes, types and pages of the vectors. */
int plan_vectors(struct plan *p, const struct names *names, struct errors *e);

/* use.c: which thread uses which vector, and who touches each first. */
int plan_use(struct plan *p, struct errors *e);

/* state.c: the coherence state of the vectors before each sample. */
int plan_state(struct plan *p, struct errors *e);
/* Warns of threads that meet it once and then go on; when all is planned. */
void plan_state_passes(const struct plan *p, struct errors *e);

/* operations.c: kernels, their parameters, speedups. Kernels are asked for their opinion only when
 * all that came before is complete. */
int plan_ops(struct plan *p, bool complete, struct errors *e);

/* mode.c: what mode: time cannot be combined with. After plan_ops(). */
int plan_mode(const struct plan *p, struct errors *e);
/* memory.c: judges whether memory serves each thread, and warns where the file says that it
 * does; when all is planned. */
void plan_memory(struct plan *p, struct errors *e);
/* together.c: do all come that a thread waits for? For operations.c, once every job has its
 * parameters. */
int plan_together(const struct plan *p, struct errors *e);
/* owned.c: does anybody disturb what a kernel built in its vectors? For operations.c, too. */
int plan_owned(const struct plan *p, struct errors *e);

#endif
