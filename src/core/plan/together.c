/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that wait for each other must all run, for the same number of rounds. Else they would
 * wait for ever. */
#include <string.h>

#include "plan/parts.h"
#include "input/registry.h"

bool plan_job_together(const struct plan_job *job)
{
	const struct kernel *k = job->kernel;

	/* without parameters where the operations could not be read, which is told elsewhere */
	return k->meetings.together ||
	       (k->meetings.meets && job->args && k->meetings.meets(job->args));
}

bool plan_sleeps(const struct plan *p, const struct plan_op *op, int thread)
{
	const struct worker w = plan_worker(p, op, thread);

	return op->jobs[thread].kernel->system.sleeps && op->jobs[thread].kernel->system.sleeps(&w);
}

bool plan_waits(const struct plan *p, const struct plan_op *op, int thread)
{
	return plan_sleeps(p, op, thread) || op->jobs[thread].kernel->system.took;
}

static bool same_rounds(const struct plan_job *a, const struct plan_job *b)
{
	return a->common.passes == b->common.passes &&
	       !memcmp(a->args, b->args, a->kernel->args_size);
}

static int refuse_pair(
	const struct plan *p, const struct plan_op *op, int i, int k, int vector, struct errors *e)
{
	const struct plan_job *a = &op->jobs[i], *b = &op->jobs[k];
	struct place at = p->request->ops.at;

	if (a->kernel == b->kernel && same_rounds(a, b))
		return 0;
	if (a->kernel == b->kernel)
		error_add(e, STATUS_USAGE, at,
			"%s: threads %d and %d of vector %d have different parameters or passes",
			op->label, i < k ? i : k, i < k ? k : i, vector);
	else
		error_add(e, STATUS_USAGE, at,
			"%s: thread %d runs '%s' on vector %d, which thread %d uses with '%s'",
			op->label, i, a->name, vector, k, b->name);
	return error_hint(e,
		"threads of '%s' wait for each other: all that share a vector must "
		"run it, for as many rounds",
		registry_name(a->kernel));
}

static int first_whole(const struct plan *p, int thread)
{
	return p->vectors[p->threads[thread].vector_ids[0]].whole;
}

/* What threads meet by belongs to those with the same first vector: one that has it elsewhere in
 * its list would be waited for, and never come. */
static int refuse_apart(
	const struct plan *p, const struct plan_op *op, int i, int k, int vector, struct errors *e)
{
	if (first_whole(p, i) == first_whole(p, k))
		return 0;
	error_add(e, STATUS_USAGE, p->request->ops.at,
		"%s: threads %d and %d share vector %d, but meet by their first ones, %d and %d",
		op->label, i < k ? i : k, i < k ? k : i, vector, first_whole(p, i < k ? i : k),
		first_whole(p, i < k ? k : i));
	return error_hint(
		e, "vectorPerThread: threads that share a vector need the same first one");
}

/* Copies and slices of a vector have one team. */
static bool uses_part(const struct plan *p, int thread, int whole)
{
	const struct plan_thread *t = &p->threads[thread];

	for (int v = 0; v < t->nvectors; v++)
		if (p->vectors[t->vector_ids[v]].whole == whole)
			return true;
	return false;
}

static int check_thread(const struct plan *p, const struct plan_op *op, int i, struct errors *e)
{
	const struct plan_thread *t = &p->threads[i];
	int failed = 0;

	for (int v = 0; v < t->nvectors; v++) {
		const int whole = p->vectors[t->vector_ids[v]].whole;

		for (int k = 0; k < p->nthreads; k++)
			if (k != i && uses_part(p, k, whole))
				failed |= refuse_pair(p, op, i, k, whole, e) ||
					  refuse_apart(p, op, i, k, whole, e);
	}
	return failed;
}

int plan_together(const struct plan *p, struct errors *e)
{
	int failed = 0;

	for (int o = 0; o < p->nops; o++)
		for (int i = 0; i < p->nthreads; i++) {
			const struct plan_op *op = &p->ops[o];

			if (!plan_job_together(&op->jobs[i]))
				continue;
			failed |= check_thread(p, op, i, e);
			if (!p->request->solo)
				continue;
			failed = error_add(e, STATUS_USAGE, p->request->ops.at,
				"%s: solo: yes runs each thread alone, but threads of '%s' wait "
				"for each other",
				op->label, op->jobs[i].name);
			error_hint(
				e, "leave solo out, or measure %s in a file of its own", op->label);
		}
	return failed;
}
