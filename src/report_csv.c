/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One row for each thread of each sample. */
#include "report.h"

static void row(const struct report *r, int op, size_t index, int thread, FILE *out)
{
	const struct plan *p = r->run->plan;
	const struct sample *s = &r->run->ops[op].samples[index];
	const struct stint *st = &s->stints[thread];

	fprintf(out, "%s,%d,%s,%s,%zu,%d,%d,%d,%d,%d,", environment_get(r->environment, "host"), op,
		p->ops[op].label, p->ops[op].jobs[thread].name, index, s->warmup, thread,
		p->threads[thread].node, p->threads[thread].cpu, st->cpu_after);
	for (int k = 0; k < p->threads[thread].nvectors; k++)
		fprintf(out, "%s%d", k ? " " : "", p->threads[thread].vector_ids[k]);
	fprintf(out, ",%.9f,%.9f,%llu,%llu,%llu,%u,%d,%d,%d,%d\n", stint_cost(s, thread),
		stint_busy(s, thread), (unsigned long long)st->units,
		(unsigned long long)(st->left_ns - s->start_ns), (unsigned long long)s->skew_ns,
		s->disturbed, st->preempted, st->blocked, st->faults, st->migrations);
}

void report_csv(const struct report *r, FILE *out)
{
	const struct plan *p = r->run->plan;

	fprintf(out,
		"host,operation_index,operation,kernel,sample,warmup,thread,node,cpu_asked,cpu_"
		"found,"
		"vectors,cost_s,busy_s,units,late_ns,skew_ns,disturbed_flags,preempted,blocked,"
		"page_faults,migrations\n");
	for (int op = 0; op < p->nops; op++)
		for (size_t i = 0; i < r->run->ops[op].count; i++)
			for (int t = 0; t < p->nthreads; t++)
				row(r, op, i, t, out);
}
