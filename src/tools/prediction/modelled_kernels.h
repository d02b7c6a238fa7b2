/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For files of this folder only: kernels of plans as kernels of the model. */
#ifndef MODELLED_KERNELS_H
#define MODELLED_KERNELS_H

#include "prediction/modelled.h"

/* The part of its vector that a job visits; NULL: the kernel has no such parameter. */
double *modelled_share(const struct kernel *k, void *args);

/* What --set takes to have a kernel measured by 03_alone.args: whose stride a kernel of the file
 * must take. To be freed. */
char *modelled_set_kernel(const struct kernel *k);

/* How threads meet with these parameters; count: of a pass, 0: they do not. */
struct modelled_meetings modelled_meetings_of(const struct kernel *k, const void *args);

/* What a job does, as the model has it; args are to be freed. */
struct modelled_kind modelled_kind_of(
	const struct plan_job *job, const struct plan_vector *v, int cores);

/* The kernel's number; -1: the model does not have it, and it is not to be learned. */
long modelled_kernel(struct modelled *s, const struct plan_job *job, const struct plan_vector *v,
	int cores, bool learn);

/* Sets the units of a thread. NULL, or why they are not known, to be freed. */
char *modelled_units(const struct modelled *s, const struct plan *p, const struct plan_op *op,
	int thread, struct model_thread *out);

/* modelled.c: the thread of a plan in the words of the model, behind those that the view has. NULL,
 * or why there are none, to be freed. */
char *modelled_look_at(struct modelled *s, const struct plan *p, const struct plan_op *op, int i,
	bool learn, struct modelled_view *out);

/* modelled_meetings.c: sets the meetings of an operation that has some in the course of its work;
 * NULL, or why they are not known, to be freed. */
char *modelled_meetings_look(const struct plan *p, const struct plan_op *op, const bool *with,
	bool learn, struct modelled_view *v);
/* Of threads that meet, or share lines: NULL where all do the same to one vector, which caches
 * hold; else what they do, to be freed. */
char *modelled_meetings_refuse(const struct modelled_view *v);

/* modelled_states.c: does a thread of an operation visit lines in a given state? */
bool modelled_states_has(const struct plan *p);
/* Does this one nothing beside it, without a vector? */
bool modelled_states_idles(const struct plan *p, const struct plan_op *op, int thread);
/* Such an operation; as modelled_look_some(). */
char *modelled_states_look(struct modelled *s, const struct plan *p, const struct plan_op *op,
	const bool *with, bool learn, struct modelled_view *v);

/* modelled_lacks.c: why a kernel has no number, and what measures it; to be freed. */
char *modelled_not_measured(const struct modelled *s, const struct plan_job *job,
	const struct plan_vector *v, int cores);

#endif
