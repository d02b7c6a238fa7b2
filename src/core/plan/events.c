/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which threads time single events. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "contract/event_times.h"
#include "plan/parts.h"

/* Why the thread times none, written to why[n], or NULL. */
static const char *refusal(
	const struct plan *p, const struct plan_op *op, int thread, char *why, size_t n)
{
	const struct kernel *k = op->jobs[thread].kernel;
	const struct worker w = plan_worker(p, op, thread);
	const uint64_t asked = distribution_groups[p->request->distribution];

	if (!k->events) {
		snprintf(why, n, "its kernel has no single events: they overlap, or are too short");
		return why;
	}
	if (k->events->alone && asked && asked < k->events->group) {
		snprintf(why, n,
			"its accesses overlap, and one of %" PRIu64 " that waits for all before it "
			"slows them; yes or 1/%" PRIu64,
			asked, k->events->group);
		return why;
	}
	return k->events->refuses ? k->events->refuses(&w, why, n) : NULL;
}

uint64_t plan_event_group(const struct plan *p, const struct plan_op *op, int thread)
{
	const uint64_t asked = distribution_groups[p->request->distribution];
	char unused[256];

	if (!p->request->distribution || refusal(p, op, thread, unused, sizeof(unused)))
		return 0;
	return asked ? asked : op->jobs[thread].kernel->events->group;
}

bool plan_has_events(const struct plan *p, const struct plan_op *op)
{
	for (int i = 0; i < p->nthreads; i++)
		if (plan_event_group(p, op, i))
			return true;
	return false;
}

uint64_t plan_event_samples(const struct plan *p)
{
	return p->request->quick ? 1 : p->request->iterations;
}

/* "chase, pingpong". To be freed. */
static char *kernels_that_can(void)
{
	char *names = alloc_string("", 0);

	for (const struct kernel_id *k = kernel_map; k->id; k++)
		if (k->kernel->events)
			alloc_append(&names, ", ", "%s", k->id);
	return names;
}

int plan_events(const struct plan *p, struct errors *e)
{
	char why[256];
	int failed = 0;

	if (!p->request->distribution)
		return 0;
	if (!EVENTS_STAMPS) {
		error_add(e, STATUS_USAGE, p->request->ops.at,
			"distribution cannot be measured here: how to read the clock of this "
			"processor is not known");
		return error_hint(e, "leave distribution out; x86-64 and 64-bit Arm have it");
	}
	for (int o = 0; o < p->nops; o++) {
		if (plan_has_events(p, &p->ops[o]))
			continue;
		failed = error_add(e, STATUS_USAGE, p->request->ops.at,
			"distribution cannot be measured with %s: %s", p->ops[o].label,
			refusal(p, &p->ops[o], 0, why, sizeof(why)));
		char *names = kernels_that_can();

		error_hint(e, "kernels that can: %s; other threads may run others: KERNEL+OTHER*",
			names);
		free(names);
	}
	return failed;
}
