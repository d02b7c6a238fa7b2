/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the copies of replicated vectors. Kernels fill them again before they measure; this is what
 * it takes to make one of what is there, by one thread. */
#include "placement/copies.h"

#include <string.h>

#include "base/clock.h"
#include "placement/team.h"

/* A signal ends the copying after so many bytes. */
#define CHUNK_BYTES ((size_t)64 << 20)

struct copying {
	const struct mem *from, *to;
	const volatile sig_atomic_t *stop;
	uint64_t ns;
};

static void copy_vector(void *arg, int thread)
{
	struct copying *c = arg;
	char *to = c->to->base;
	const char *from = c->from->base;
	const uint64_t begin = clock_ns();

	(void)thread;
	for (size_t at = 0; at < c->to->bytes && !*c->stop; at += CHUNK_BYTES) {
		const size_t rest = c->to->bytes - at;

		memcpy(to + at, from + at, rest < CHUNK_BYTES ? rest : CHUNK_BYTES);
	}
	c->ns = clock_ns() - begin;
}

static int cpu_of(const struct plan *p, int vector)
{
	for (int i = 0; i < p->nthreads; i++)
		if (plan_uses(&p->threads[i], vector))
			return p->threads[i].cpu;
	return -1;
}

int copies_make(const struct plan *p, const struct mem *mems, struct placement *found,
	const volatile sig_atomic_t *stop, struct errors *e)
{
	for (int i = p->nwhole; i < p->nvectors; i++) {
		const struct plan_vector *v = &p->vectors[i];
		struct copying c = {&mems[v->whole], &mems[i], stop, 0};
		const int cpu = cpu_of(p, i);

		if (v->division != DIVISION_REPLICATE)
			continue;
		if (team_run(p->topo, &cpu, 1, copy_vector, &c, e) < 0 || *stop)
			return -1;
		found[i].copy_ns = c.ns;
	}
	return 0;
}
