/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where threads that are not bound ran, for the text report. */
#include "analysis/unbound.h"

#include "base/text.h"
#include "report/report.h"

static void line(const struct samples *r, int op, int thread, FILE *out)
{
	char cpus[256];
	struct unbound seen;

	unbound_find(r, op, thread, &seen);
	text_ranges(seen.cpus, (size_t)r->plan->topo->ncpu_index, cpus, sizeof(cpus));
	fprintf(out, " - %s: thread %d seen on CPU %s, ", r->plan->ops[op].label, thread, cpus);
	if (seen.migrations < 0)
		fprintf(out, "migrations n/a");
	else
		fprintf(out, "%lld migration%s during samples", (long long)seen.migrations,
			text_s((unsigned long long)seen.migrations));
	if (r->plan->topo->nnodes > 1)
		fprintf(out, ", %zu time%s on another node than before", seen.jumps,
			text_s(seen.jumps));
	fputs("\n", out);
	unbound_free(&seen);
}

void report_unbound(const struct samples *r, FILE *out)
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
