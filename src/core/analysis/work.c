/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes that the kernels of a run moved. */
#include "analysis/work.h"

#include <math.h>

/* If vectors are smaller than twice the caches, an unknown number of lines may already be there. */
#define KNOWN_TIMES 2

double work_fills(const struct plan_job *job)
{
	const double fills = plan_work(job).fills;
	bool known = job->times_caches >= KNOWN_TIMES && !job->shares_lines;

	return fills > 0 && !known ? NAN : fills;
}

double work_traffic(const struct plan_job *job)
{
	const double bytes = plan_work(job).bytes;

	return bytes > 0 ? (bytes + work_fills(job)) / bytes : NAN;
}
