/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers the CPUs that unbound threads were seen on. */
#include "analysis/ran.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/text.h"

static void add_cpu(const struct topo *t, struct ran *ran, int cpu)
{
	if (cpu >= 0 && cpu < t->ncpu_index)
		ran->cpus[cpu] = true;
}

void ran_find(const struct run *r, int op, int thread, struct ran *ran)
{
	const struct topo *t = r->plan->topo;

	*ran = (struct ran){.cpus = alloc_zeroed((size_t)t->ncpu_index + 1, sizeof(*ran->cpus))};
	for (size_t i = 0; i < r->ops[op].count; i++) {
		const struct sample *s = &r->ops[op].samples[i];
		const struct stint *st = &s->stints[thread];

		if (s->warmup)
			continue;
		add_cpu(t, ran, st->cpu_before);
		add_cpu(t, ran, st->cpu_after);
		if (st->migrations < 0 || ran->migrations < 0)
			ran->migrations = -1;
		else
			ran->migrations += st->migrations;
	}
}

void ran_free(struct ran *ran)
{
	free(ran->cpus);
	*ran = (struct ran){0};
}

static void line(const struct run *r, int op, int thread, FILE *out)
{
	char cpus[256];
	struct ran ran;

	ran_find(r, op, thread, &ran);
	text_ranges(ran.cpus, (size_t)r->plan->topo->ncpu_index, cpus, sizeof(cpus));
	fprintf(out, " - %s: thread %d seen on CPU %s, ", r->plan->ops[op].label, thread, cpus);
	if (ran.migrations < 0)
		fprintf(out, "migrations n/a\n");
	else
		fprintf(out, "%lld migrations during samples\n", (long long)ran.migrations);
	ran_free(&ran);
}

void ran_report(const struct run *r, FILE *out)
{
	const struct plan *p = r->plan;
	const char *head = "+ Threads that are not bound\n";

	for (int op = 0; op < p->nops; op++)
		for (int i = 0; i < p->nthreads; i++) {
			if (p->threads[i].cpu != UNBOUND)
				continue;
			fputs(head, out);
			head = "";
			line(r, op, i, out);
		}
}
