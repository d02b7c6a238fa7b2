/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cores of a run in the text report: their clock rates, and those that threads found for
 * themselves. */
#include <math.h>

#include "base/text.h"
#include "report/cells.h"

void report_clock(const struct document_run *r, FILE *out)
{
	const char *head = "\n+ Clock rates (chains of additions before and after each sample)\n";

	for (size_t op = 0; op < r->operations.count; op++)
		for (size_t i = 0; i < r->operations.list[op].njobs; i++) {
			const struct document_job *j = &r->operations.list[op].jobs[i];

			if (!j->has_clock)
				continue;
			fprintf(out, "%s - %s: thread %zu: %.3f GHz, %.3f to %.3f", head,
				r->operations.list[op].name, i, j->clock.median_hz * 1e-9,
				j->clock.min_hz * 1e-9, j->clock.max_hz * 1e-9);
			head = "";
			if (isfinite(j->clock.cycles_per_unit))
				fprintf(out, "; %.4g cycles/unit", j->clock.cycles_per_unit);
			fprintf(out, "\n");
		}
}

static void seen(const struct document *d, const struct document_job *j, FILE *out)
{
	const int64_t migrations = j->ran_on.migrations, jumps = j->ran_on.node_jumps;
	double nodes;

	fprintf(out, " seen on CPU %s, ", j->ran_on.cpus);
	if (migrations < 0)
		fprintf(out, "migrations n/a");
	else
		fprintf(out, "%lld migration%s during samples", (long long)migrations,
			text_s((unsigned long long)migrations));
	nodes = environment_number(&d->environment, "topology");
	if (nodes > 1)
		fprintf(out, ", %lld time%s on another node than before", (long long)jumps,
			text_s((unsigned long long)jumps));
	fputs("\n", out);
}

void report_unbound(const struct document *d, const struct document_run *r, FILE *out)
{
	const char *head = "+ Threads that are not bound\n";

	for (size_t op = 0; op < r->operations.count; op++)
		for (size_t i = 0; i < r->operations.list[op].njobs; i++) {
			const struct document_job *j = &r->operations.list[op].jobs[i];

			if (!j->has_ran_on)
				continue;
			fprintf(out, "%s - %s: thread %zu", head, r->operations.list[op].name, i);
			head = "";
			seen(d, j, out);
		}
}
