/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the number of rounds of a sample is left to the driver. */
#include <string.h>

#include "base/alloc.h"
#include "plan/parts.h"

static bool is_given(const struct plan *p)
{
	for (size_t i = 0; i < p->request->nsettings; i++)
		if (!strcmp(p->request->settings[i].name, "passes"))
			return true;
	return false;
}

/* Only the first round would meet a state that was prepared. */
static bool any_state(const struct plan *p)
{
	for (int i = 0; i < p->nvectors; i++)
		if (plan_each_sample(&p->vectors[i]))
			return true;
	return false;
}

/* A cost that contains a thread's sleep is not that of so many equal rounds. */
static bool may_repeat(const struct plan *p, const struct plan_op *op)
{
	for (int i = 0; i < p->nthreads; i++)
		if (op->jobs[i].kernel->fixed || op->jobs[i].common.sleep_ns)
			return false;
	return true;
}

int plan_first_of_kernel(const struct plan_op *op, int thread)
{
	for (int i = 0; i < thread; i++)
		if (op->jobs[i].kernel == op->jobs[thread].kernel)
			return i;
	return thread;
}

uint64_t plan_rounds(const struct plan_job *job)
{
	if (!job->calibrated)
		return job->common.passes;
	return *job->calibrated ? *job->calibrated : 1;
}

void plan_calibrated(struct plan *p)
{
	if (p->request->window_ns || is_given(p) || any_state(p))
		return;
	for (int o = 0; o < p->nops; o++) {
		struct plan_op *op = &p->ops[o];

		if (!may_repeat(p, op))
			continue;
		for (int i = 0; i < p->nthreads; i++) {
			const int first = plan_first_of_kernel(op, i);

			if (op->jobs[i].kernel->nothing)
				continue;
			op->jobs[i].calibrated = first < i ? op->jobs[first].calibrated
							   : alloc_zeroed(1, sizeof(uint64_t));
		}
	}
}
