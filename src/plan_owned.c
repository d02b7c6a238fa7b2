/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels that build something in their vectors (kernel.h: owns) and must find it there again. */
#include <string.h>

#include "plan_parts.h"

static bool uses(const struct plan_thread *t, int vector)
{
	for (int i = 0; i < t->nvectors; i++)
		if (t->vector_ids[i] == vector)
			return true;
	return false;
}

/* Does a job leave its vectors as it finds them? */
static bool only_reads(const struct plan_job *job)
{
	const struct kernel *k = job->kernel;
	struct work work = k->work ? k->work(job->args) : k->per_unit;

	return !k->owns && !k->prepares && !(work.stores > 0);
}

static bool same_job(const struct plan_job *a, const struct plan_job *b)
{
	return a->kernel == b->kernel && !memcmp(a->args, b->args, a->kernel->args_size);
}

/* Another thread of the same operation. */
static int check_company(
	const struct plan *p, const struct plan_op *op, int owner, int vector, struct errors *e)
{
	for (int i = 0; i < p->nthreads; i++) {
		if (i == owner || !uses(&p->threads[i], vector) || only_reads(&op->jobs[i]))
			continue;
		error_add(e, STATUS_USAGE, p->request->vector_per_thread.at,
			"%s: thread %d needs vector %d for itself, but thread %d uses it too",
			op->jobs[owner].name, owner, vector, i);
		return error_hint(e, "give each of these threads a vector of its own");
	}
	return 0;
}

/* Another operation whose samples come in between: its threads build, or store, there too. */
static int check_turns(const struct plan *p, int op, int owner, int vector, struct errors *e)
{
	const struct plan_job *own = &p->ops[op].jobs[owner];

	for (int o = 0; o < p->nops; o++)
		for (int i = 0; i < p->nthreads; i++) {
			const struct plan_job *other = &p->ops[o].jobs[i];

			if (o == op || !uses(&p->threads[i], vector) || only_reads(other) ||
				(i == owner && same_job(own, other)))
				continue;
			error_add(e, STATUS_USAGE, p->request->ops.at,
				"interleave: %s would find its vector %d changed by %s", own->name,
				vector, other->name);
			return error_hint(
				e, "interleave: no, or an operation a file (or a sweep: op = ...)");
		}
	return 0;
}

int plan_owned(const struct plan *p, struct errors *e)
{
	for (int o = 0; o < p->nops; o++)
		for (int i = 0; i < p->nthreads; i++)
			for (int k = 0;
				p->ops[o].jobs[i].kernel->owns && k < p->threads[i].nvectors; k++) {
				int vector = p->threads[i].vector_ids[k];

				if (check_company(p, &p->ops[o], i, vector, e))
					return -1;
				if (p->request->interleave && check_turns(p, o, i, vector, e))
					return -1;
			}
	return 0;
}
