/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Refuses plans in which another thread or operation changes what a kernel needs in its vectors:
 * what its setup() built (kernel.h: owns), or a content (finds). */
#include <string.h>

#include "plan/parts.h"

/* Does a job leave its vectors as it finds them? */
static bool only_reads(const struct plan_job *job)
{
	const struct kernel *k = job->kernel;

	return !k->owns && !k->prepares && !(plan_work(job).stores > 0);
}

bool plan_same_job(const struct plan_job *a, const struct plan_job *b)
{
	return a->kernel == b->kernel && !memcmp(a->args, b->args, a->kernel->args_size);
}

/* Another thread of the same operation. */
static int check_company(
	const struct plan *p, const struct plan_op *op, int owner, int vector, struct errors *e)
{
	for (int i = 0; i < p->nthreads; i++) {
		if (i == owner || !plan_uses(&p->threads[i], vector) || only_reads(&op->jobs[i]))
			continue;
		error_add(e, STATUS_USAGE, p->request->vector_per_thread.at,
			"%s: thread %d needs vector %d for itself, but thread %d uses it too",
			op->jobs[owner].name, owner, vector, i);
		return error_hint(e, "give each of these threads a vector of its own");
	}
	return 0;
}

const char *plan_finds(const struct plan *p, const struct plan_op *op, int thread, int vector)
{
	const struct plan_thread *t = &p->threads[thread];
	const struct plan_job *job = &op->jobs[thread];
	const struct worker w = plan_worker(p, op, thread);

	for (int k = 0; job->kernel->finds && k < t->nvectors; k++)
		if (t->vector_ids[k] == vector)
			return job->kernel->finds(&w, k);
	return NULL;
}

/* Is verify() called for this thread? Not when another kernel shares a vector, unless solo runs the
 * thread alone, too. */
static bool verified(const struct plan *p, const struct plan_op *op, int thread)
{
	const struct plan_thread *t = &p->threads[thread];

	for (int i = 0; i < p->nthreads && !p->request->solo; i++)
		for (int k = 0; k < t->nvectors; k++)
			if (op->jobs[i].kernel != op->jobs[thread].kernel &&
				plan_uses(&p->threads[i], t->vector_ids[k]))
				return false;
	return true;
}

/* Does what thread i does in operation o spoil what the owner needs? */
static bool spoils(const struct plan *p, int op, int owner, int o, int i, int vector)
{
	const struct plan_job *own = &p->ops[op].jobs[owner], *other = &p->ops[o].jobs[i];

	if (!plan_uses(&p->threads[i], vector) || only_reads(other))
		return false;
	if (own->kernel->owns)
		return i != owner || !plan_same_job(own, other);

	const char *needed = plan_finds(p, &p->ops[op], owner, vector);
	const char *left = plan_finds(p, &p->ops[o], i, vector);

	return needed && (!left || strcmp(needed, left)) && verified(p, &p->ops[op], owner);
}

/* With interleave, samples of another operation may build or store in the vector between two
 * samples of this one. With solo each thread of the same operation counts as another operation. */
static int check_turns(const struct plan *p, int op, int owner, int vector, struct errors *e)
{
	for (int o = 0; o < p->nops; o++)
		for (int i = 0; i < p->nthreads; i++) {
			if (o == op && (i == owner || !p->request->solo))
				continue;
			if (!spoils(p, op, owner, o, i, vector))
				continue;
			error_add(e, STATUS_USAGE, p->request->ops.at,
				"interleave: %s would find its vector %d changed by %s",
				p->ops[op].jobs[owner].name, vector, p->ops[o].jobs[i].name);
			return error_hint(e, "use interleave: no, or give each operation a file "
					     "(or a sweep: op = ...) with vectors of its own");
		}
	return 0;
}

static int check_vector(const struct plan *p, int op, int thread, int vector, struct errors *e)
{
	if (p->ops[op].jobs[thread].kernel->owns &&
		check_company(p, &p->ops[op], thread, vector, e))
		return -1;
	return p->request->interleave ? check_turns(p, op, thread, vector, e) : 0;
}

int plan_owned(const struct plan *p, struct errors *e)
{
	for (int o = 0; o < p->nops; o++)
		for (int i = 0; i < p->nthreads; i++) {
			const struct kernel *kernel = p->ops[o].jobs[i].kernel;

			for (int k = 0;
				(kernel->owns || kernel->finds) && k < p->threads[i].nvectors; k++)
				if (check_vector(p, o, i, p->threads[i].vector_ids[k], e))
					return -1;
		}
	return 0;
}
