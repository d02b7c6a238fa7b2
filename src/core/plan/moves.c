/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels that move pages, and figures of kernels. Refuses plans in which a move would spoil what
 * others need: between two samples the pages may be anywhere (kernel.h: moves). */
#include "plan/parts.h"

enum moves plan_job_moves(const struct plan_job *job)
{
	return job->kernel->migration.moves ? job->kernel->migration.moves(job->args)
					    : MOVES_NOTHING;
}

bool plan_moves_pages(const struct plan_op *op, int nthreads)
{
	for (int i = 0; i < nthreads; i++)
		if (plan_job_moves(&op->jobs[i]))
			return true;
	return false;
}

bool plan_moves_measured(const struct plan_op *op, int nthreads)
{
	for (int i = 0; i < nthreads; i++)
		if (plan_job_moves(&op->jobs[i]) > MOVES_ARRANGED)
			return true;
	return false;
}

bool plan_may_move(const struct plan_op *op, int nthreads)
{
	for (int i = 0; i < nthreads; i++)
		if (op->jobs[i].kernel->migration.moves)
			return true;
	return false;
}

int plan_refuse_moves(
	const struct plan *p, const char *kernel, int vector, const char *seen, struct errors *e)
{
	error_add(e, STATUS_PLACEMENT, p->request->node_per_vector.at,
		"%s moves pages of vector %d, but the kernel does not tell where each page is%s",
		kernel, vector, seen);
	return error_hint(e, "the system call move_pages is refused to this process, or the "
			     "kernel lacks it; docker run --security-opt seccomp=unconfined "
			     "allows it");
}

size_t plan_figures(const struct plan_op *op, int nthreads)
{
	size_t most = 0;

	for (int i = 0; i < nthreads; i++) {
		const struct kernel_figure *f = op->jobs[i].kernel->figures;
		size_t n = 0;

		while (f && f[n].name)
			n++;
		most = n > most ? n : most;
	}
	return most;
}

/* Threads that read are an experiment: they meet the moves. Of copied pages, what others store may
 * be lost. */
static const char *spoils(const struct plan_job *other)
{
	if (plan_job_moves(other))
		return "moves";
	return plan_work(other).stores > 0 ? "stores to" : NULL;
}

/* What threads of a kernel have in common is made with the parameters of one of them. */
static int refuse_parameters(
	const struct plan *p, const struct plan_op *op, int a, int b, int vector, struct errors *e)
{
	error_add(e, STATUS_USAGE, p->request->vector_per_thread.at,
		"%s: threads %d and %d of vector %d have different parameters", op->jobs[a].name,
		a < b ? a : b, a < b ? b : a, vector);
	return error_hint(e, "give each of them a vector of its own, or the same parameters");
}

static int check_company(
	const struct plan *p, const struct plan_op *op, int mover, int vector, struct errors *e)
{
	const struct plan_job *own = &op->jobs[mover];
	const char *uses = plan_job_moves(own) ? "moves pages of" : "uses";

	for (int i = 0; i < p->nthreads; i++) {
		const struct plan_job *other = &op->jobs[i];
		const char *does = spoils(other);

		if (i == mover || plan_same_job(own, other) || !plan_uses(&p->threads[i], vector))
			continue;
		if (own->kernel == other->kernel)
			return refuse_parameters(p, op, mover, i, vector, e);
		if (!does)
			continue;
		error_add(e, STATUS_USAGE, p->request->vector_per_thread.at,
			"%s: thread %d %s vector %d, and thread %d %s it with %s", own->name, mover,
			uses, vector, i, does, other->name);
		return error_hint(e,
			"other threads of its vectors may read them, or run %s with "
			"the same parameters",
			own->name);
	}
	return 0;
}

/* Another operation would find the pages where the last sample has left them. With solo each thread
 * alone is another operation. */
static int check_turns(const struct plan *p, int op, const char *name, int vector, struct errors *e)
{
	for (int o = 0; o < p->nops; o++)
		for (int i = 0; i < p->nthreads; i++) {
			if ((o == op && !p->request->solo) || !plan_uses(&p->threads[i], vector))
				continue;
			error_add(e, STATUS_USAGE, p->request->ops.at,
				"interleave: %s would find pages of vector %d where %s moved them",
				p->ops[o].jobs[i].name, vector, name);
			return error_hint(e, "use interleave: no, or give each operation a run of "
					     "its own: sweep: op = ...");
		}
	return 0;
}

/* A vector of another thread would travel with those of the mover. */
static int check_process(const struct plan *p, const char *name, int mover, struct errors *e)
{
	for (int i = 0; i < p->nthreads; i++)
		for (int k = 0; k < p->threads[i].nvectors; k++) {
			const int vector = p->threads[i].vector_ids[k];

			if (plan_uses(&p->threads[mover], vector))
				continue;
			error_add(e, STATUS_USAGE, p->request->vector_per_thread.at,
				"%s: thread %d moves all pages of the process, and with them "
				"vector %d of thread %d",
				name, mover, vector, i);
			return error_hint(e,
				"other threads may use its vectors, or none; "
				"affinity --help %s has parameters with which "
				"only its own move",
				name);
		}
	return 0;
}

/* A kernel that moves pages takes all pages of a vector for one size. */
static int check_halves(const struct plan *p, const char *name, int vector, struct errors *e)
{
	if (!mem_is_half_thp(p->vectors[vector].pages))
		return 0;
	error_add(e, STATUS_USAGE, p->request->node_per_vector.at,
		"%s: vector %d has pages of two sizes, and only pages of one size are moved", name,
		vector);
	return error_hint(e, "pagesPerVector: base or thp");
}

static int check_mover(const struct plan *p, int op, int thread, struct errors *e)
{
	const struct plan_thread *t = &p->threads[thread];
	const struct plan_job *job = &p->ops[op].jobs[thread];
	const bool turns = p->request->interleave && plan_job_moves(job);

	if (plan_job_moves(job) == MOVES_PROCESS && check_process(p, job->name, thread, e))
		return -1;
	for (int k = 0; k < t->nvectors && plan_job_moves(job); k++)
		if (check_halves(p, job->name, t->vector_ids[k], e))
			return -1;
	for (int k = 0; k < t->nvectors; k++)
		if (check_company(p, &p->ops[op], thread, t->vector_ids[k], e) ||
			(turns && check_turns(p, op, job->name, t->vector_ids[k], e)))
			return -1;
	return 0;
}

int plan_moves(const struct plan *p, struct errors *e)
{
	for (int o = 0; o < p->nops; o++)
		for (int i = 0; i < p->nthreads; i++)
			if (p->ops[o].jobs[i].kernel->migration.moves && check_mover(p, o, i, e))
				return -1;
	return 0;
}
