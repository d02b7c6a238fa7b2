/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads of plans that meet. */
#include "base/alloc.h"
#include "prediction/modelled_kernels.h"

/* Its threads meet in the course of their work. */
static bool has_meetings(const struct plan_job *job)
{
	return !job->kernel->meetings.together && plan_job_together(job);
}

char *modelled_meetings_refuse(const struct modelled_view *v)
{
	bool same = v->held;

	for (size_t i = 1; i < v->count; i++)
		same &= v->threads[i].vector == v->threads[0].vector &&
			v->threads[i].kernel == v->threads[0].kernel;
	return same ? NULL
		    : alloc_format("threads that meet, or share lines that caches hold, have one "
				   "kernel and one vector, which caches hold, in the model");
}

/* The threads, of which each has a vector, are those of one. */
static bool is_one_team(const struct plan *p, const bool *with)
{
	int team = -1;

	for (int i = 0; i < p->nthreads; i++) {
		if (with && !with[i])
			continue;
		const int whole = p->vectors[p->threads[i].vector_ids[0]].whole;

		if (team >= 0 && whole != team)
			return false;
		team = whole;
	}
	return true;
}

char *modelled_meetings_look(const struct plan *p, const struct plan_op *op, const bool *with,
	bool learn, struct modelled_view *v)
{
	const struct plan_job *job = &op->jobs[0];
	bool any = false;

	for (int i = 0; i < p->nthreads; i++)
		any |= has_meetings(&op->jobs[i]);
	if (!any)
		return NULL;
	if (learn)
		return alloc_format("threads that meet after each layer are predicted, not "
				    "learned from");
	if (!is_one_team(p, with))
		return alloc_format("threads of several vectors meet, each among themselves");
	v->meetings = modelled_meetings_of(job->kernel, job->args);
	v->meetings.count *= job->calibrated ? 1 : (double)job->common.passes;
	return v->meetings.count > 0 ? NULL
				     : alloc_format("how often %s meets is not known", job->name);
}
