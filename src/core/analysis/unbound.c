/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers the CPUs that unbound threads were seen on. */
#include "analysis/unbound.h"

#include <stdlib.h>

#include "base/alloc.h"

/* node: that of the reading before, -1 for none. */
static void add_cpu(const struct topo *t, struct unbound *seen, int cpu, int *node)
{
	const struct topo_cpu *c = topo_cpu(t, cpu);

	if (!c)
		return;
	seen->cpus[cpu] = true;
	if (c->node < 0)
		return;
	seen->jumps += *node >= 0 && c->node != *node;
	*node = c->node;
}

void unbound_find(const struct samples *r, int op, int thread, struct unbound *seen)
{
	const struct topo *t = r->plan->topo;
	int node = -1;

	*seen = (struct unbound){
		.cpus = alloc_zeroed((size_t)t->ncpu_index + 1, sizeof(*seen->cpus))};
	for (size_t i = 0; i < r->ops[op].count; i++) {
		const struct sample *s = &r->ops[op].samples[i];
		const struct thread_sample *st = &s->threads[thread];

		if (s->warmup)
			continue;
		add_cpu(t, seen, st->cpu_before, &node);
		add_cpu(t, seen, st->cpu_after, &node);
		if (st->migrations < 0 || seen->migrations < 0)
			seen->migrations = -1;
		else
			seen->migrations += st->migrations;
	}
}

void unbound_free(struct unbound *seen)
{
	free(seen->cpus);
	*seen = (struct unbound){0};
}
