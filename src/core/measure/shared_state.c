/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Has one thread of each group make what the group has in common. */
#include "measure/shared_state.h"

#include "placement/team.h"

/* Of the file: its copies and slices have a group in common. */
static int first_vector(const struct workers *c, int thread)
{
	const struct plan_thread *t = &c->plan->threads[thread];

	return t->nvectors ? c->plan->vectors[t->vector_ids[0]].whole : -1;
}

/* The first thread of the group of thread i. */
static int first_of(const struct workers *c, int i)
{
	for (int k = 0; k < i; k++)
		if (c->op->jobs[k].kernel == c->op->jobs[i].kernel &&
			first_vector(c, k) == first_vector(c, i))
			return k;
	return i;
}

static void share(void *arg, int i)
{
	struct workers *c = arg;
	const struct kernel *k = c->op->jobs[i].kernel;

	if (k->share && first_of(c, i) == i)
		c->complaints[i] = k->share(&c->list[i]);
}

int shared_state_make(struct workers *c, struct errors *e)
{
	bool any = false;

	for (int i = 0; i < c->plan->nthreads; i++)
		any = any || c->op->jobs[i].kernel->share;
	if (!any)
		return 0;
	if (team_run(c->plan->topo, c->cpus, c->plan->nthreads, share, c, e) < 0)
		return -1;
	for (int i = 0; i < c->plan->nthreads; i++)
		c->list[i].shared = c->list[first_of(c, i)].shared;
	return 0;
}

void shared_state_free(struct workers *c)
{
	for (int i = 0; i < c->plan->nthreads; i++) {
		const struct kernel *k = c->op->jobs[i].kernel;

		if (k->unshare && first_of(c, i) == i)
			k->unshare(&c->list[i]);
	}
}
