/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes that the kernels of a run moved. */
#include "work.h"

#include <math.h>

#include "plan_memory.h"

/* Below twice the last-level cache lines may be there already, and nobody knows how many. */
#define KNOWN_TIMES 2

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

double work_traffic_ratio(const struct run *r, int op, int thread)
{
	const struct op_result *result = &r->ops[op];
	double bytes = 0, fills = 0;

	for (int i = 0; result->count && i < r->plan->nthreads; i++) {
		double more, b = work_bytes(r, op, &result->samples[result->count - 1], i, &more);

		if (thread >= 0 && i != thread)
			continue;
		bytes += b;
		fills += more > 0 && !plan_exceeds_caches(r->plan, i, KNOWN_TIMES) ? NAN : more;
	}
	return bytes > 0 ? (bytes + fills) / bytes : NAN;
}
