/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text report. */
#include <stdlib.h>

#include "base/error.h"
#include "report/report.h"

static void warnings_block(const struct report *r, FILE *out)
{
	fprintf(out, "+ Warnings\n");
	if (r->experiment->interrupted)
		fprintf(out,
			" - interrupted: what follows the last finished sample was not measured\n");
	if (!r->warnings->count && !r->experiment->interrupted)
		fprintf(out, " - none\n");
	for (size_t i = 0; i < r->warnings->count; i++) {
		fprintf(out, " - %s\n", error_plain(r->warnings->list[i].text));
		if (r->warnings->list[i].hint)
			fprintf(out, "   hint: %s\n", r->warnings->list[i].hint);
	}
}

static void verdict_block(const struct report *r, FILE *out)
{
	char *verdict = report_verdict(r);

	fprintf(out, "+ Verdict\n - %s\n\n", verdict);
	free(verdict);
}

static void machine_block(const struct report *r, FILE *out)
{
	fprintf(out, "\n+ Machine\n");
	for (size_t i = 0; i < r->environment->count; i++)
		fprintf(out, " - %s: %s\n", r->environment->facts[i].name,
			r->environment->facts[i].value);
	fprintf(out, " - arguments: %s\n", r->args->path);
	for (size_t i = r->args->from_file; i < r->args->count; i++)
		fprintf(out, " - --set: %s=%s\n", r->args->entries[i].key,
			r->args->entries[i].value);
	if (r->experiment->sweep.seed)
		fprintf(out, " - %zu of %zu runs, chosen at random with seed: %llu\n",
			r->experiment->nruns, r->experiment->sweep.all,
			(unsigned long long)r->experiment->sweep.seed);
	if (r->experiment->seed && experiment_request(r->experiment)->interleave)
		fprintf(out, " - seed of the random order: %llu\n",
			(unsigned long long)r->experiment->seed);
	fprintf(out, " - elapsed: %.3f s\n", r->elapsed_s);
}

int report_text(const struct report *r, FILE *out)
{
	const char *simulated = environment_simulated(r->environment);

	if (simulated)
		fprintf(out, "simulated machine: %s; its times are no measurement\n\n", simulated);
	for (size_t i = 0; i < r->experiment->nruns; i++)
		report_run(r->experiment, i, out);
	report_tables(r->experiment, r->views, out);
	report_claims(r->experiment, r->claims, out);
	if (r->experiment->counting)
		report_counting(r->experiment->counting, out);
	verdict_block(r, out);
	warnings_block(r, out);
	machine_block(r, out);
	return 0;
}
