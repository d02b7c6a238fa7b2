/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the copies of replicated vectors. Kernels fill them again before they measure; this is what
 * it takes to make one of what is there, by one thread. */
#include "placement/copies.h"

#include <string.h>

#include "base/clock.h"
#include "placement/team.h"

struct copying {
	const struct mem *from, *to;
	uint64_t ns;
};

static void copy(void *arg, int thread)
{
	struct copying *c = arg;
	const uint64_t begin = clock_ns();

	(void)thread;
	memcpy(c->to->base, c->from->base, c->to->bytes);
	c->ns = clock_ns() - begin;
}

static int cpu_of(const struct plan *p, int vector)
{
	for (int i = 0; i < p->nthreads; i++)
		if (plan_uses(&p->threads[i], vector))
			return p->threads[i].cpu;
	return -1;
}

int copies_make(
	const struct plan *p, const struct mem *mems, struct placement *found, struct errors *e)
{
	for (int i = p->nwhole; i < p->nvectors; i++) {
		const struct plan_vector *v = &p->vectors[i];
		struct copying c = {&mems[v->whole], &mems[i], 0};
		const int cpu = cpu_of(p, i);

		if (v->division != DIVISION_REPLICATE)
			continue;
		if (team_run(p->topo, &cpu, 1, copy, &c, e) < 0)
			return -1;
		found[i].copy_ns = c.ns;
	}
	return 0;
}
