/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes that the kernels of a run moved. */
#include "work.h"

#include <math.h>

struct work work_of(const struct plan_job *job)
{
	return job->kernel->work ? job->kernel->work(job->args) : job->kernel->per_unit;
}

double work_bytes(const struct run *r, int op, const struct sample *s, int thread, double *fills)
{
	const struct work w = work_of(&r->plan->ops[op].jobs[thread]);
	double units = (double)s->stints[thread].units;

	*fills = w.bytes > 0 ? units * w.fills : 0;
	return units * w.bytes;
}

/* Below twice the last-level cache the lines may be there already, and nobody knows how many. */
static bool from_memory(const struct plan *p, int thread)
{
	uint64_t bytes = 0;

	for (int i = 0; i < p->threads[thread].nvectors; i++)
		bytes += p->vectors[p->threads[thread].vector_ids[i]].bytes;
	return bytes >= 2 * topo_last_cache(p->topo);
}

double work_traffic_ratio(const struct run *r, int op, int thread)
{
	const struct op_result *result = &r->ops[op];
	double bytes = 0, fills = 0;

	for (int i = 0; result->count && i < r->plan->nthreads; i++) {
		double more, b = work_bytes(r, op, &result->samples[result->count - 1], i, &more);

		if (thread >= 0 && i != thread)
			continue;
		bytes += b;
		fills += more > 0 && !from_memory(r->plan, i) ? NAN : more;
	}
	return bytes > 0 ? (bytes + fills) / bytes : NAN;
}
