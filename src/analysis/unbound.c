/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers the CPUs that unbound threads were seen on. */
#include "analysis/unbound.h"

#include <stdlib.h>

#include "base/alloc.h"

static void add_cpu(const struct topo *t, struct unbound *seen, int cpu)
{
	if (cpu >= 0 && cpu < t->ncpu_index)
		seen->cpus[cpu] = true;
}

void unbound_find(const struct samples *r, int op, int thread, struct unbound *seen)
{
	const struct topo *t = r->plan->topo;

	*seen = (struct unbound){
		.cpus = alloc_zeroed((size_t)t->ncpu_index + 1, sizeof(*seen->cpus))};
	for (size_t i = 0; i < r->ops[op].count; i++) {
		const struct sample *s = &r->ops[op].samples[i];
		const struct thread_sample *st = &s->threads[thread];

		if (s->warmup)
			continue;
		add_cpu(t, seen, st->cpu_before);
		add_cpu(t, seen, st->cpu_after);
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
