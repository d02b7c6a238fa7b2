/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes that the kernels of a run moved. */
#include "analysis/work.h"

#include <math.h>

/* If vectors are smaller than twice the caches, an unknown number of lines may already be there. */
#define KNOWN_TIMES 2

double work_bytes(const struct samples *r, int op, const struct sample *s, int thread)
{
	return (double)s->threads[thread].units * plan_work(&r->plan->ops[op].jobs[thread]).bytes;
}

double work_traffic(const struct plan_job *job)
{
	const struct work w = plan_work(job);
	bool known = job->times_caches >= KNOWN_TIMES && !job->shares_lines;

	if (!(w.bytes > 0) || (w.fills > 0 && !known))
		return NAN;
	return (w.bytes + w.fills) / w.bytes;
}
