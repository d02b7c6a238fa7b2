/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The text report, with a file for each of its blocks: run.c, vectors.c, counters.c ... (cells.h).
 *
 * Beside it, csv.c and summary.c are the CSV of samples and of figures, plot*.c and gnuplot.c
 * pictures. plan*.c, list.c, kernels.c, topology.c and picture.c print what is known without
 * measuring; progress.c shows how far a run is.
 */
#include <ctype.h>
#include <stdlib.h>

#include "base/error.h"
#include "report/cells.h"
#include "system/environment.h"

static void warnings_block(const struct document *d, FILE *out)
{
	fprintf(out, "+ Warnings\n");
	if (d->interrupted)
		fprintf(out,
			" - interrupted: what follows the last finished sample was not measured\n");
	if (!d->nwarnings && !d->interrupted)
		fprintf(out, " - none\n");
	for (size_t i = 0; i < d->nwarnings; i++) {
		fprintf(out, " - %s\n", error_plain(d->warnings[i].text));
		if (d->warnings[i].hint)
			fprintf(out, "   hint: %s\n", d->warnings[i].hint);
	}
}

void report_sentences(const struct document *d, const char *before, FILE *out)
{
	const struct finding_frame lines = {before, before, "\n"};

	findings_say(&d->findings, FINDING_HEADLINE, &lines, SAY_PLAIN, out);
	findings_say(&d->findings, FINDING_ANSWERS, &lines, SAY_PLAIN, out);
}

void report_trust(const struct document *d, const char *before, FILE *out)
{
	const char *trust = d->trust.text ? d->trust.text : "how far to trust it is " NOT_RECORDED;
	size_t lost = 0;

	for (size_t i = 0; i < d->nruns; i++)
		lost += d->runs[i].lost;
	fprintf(out, "%s%c%s", before, toupper((unsigned char)*trust), trust + 1);
	if (lost)
		fprintf(out, "; %zu of %zu runs lost", lost, d->nruns);
	fputc('\n', out);
}

static void machine_block(const struct document *d, FILE *out)
{
	const struct document_method *m = &d->method;

	fprintf(out, "\n+ Machine\n");
	for (size_t i = 0; i < d->environment.count; i++)
		fprintf(out, " - %s: %s\n", d->environment.facts[i].name,
			d->environment.facts[i].value);
	fprintf(out, " - arguments: %s\n", d->arguments.path ? d->arguments.path : NOT_RECORDED);
	for (size_t i = 0; i < d->arguments.set.count; i++)
		fprintf(out, " - --set: %s\n", d->arguments.set.list[i]);
	if (m->seed && m->runs_to_choose_from > (int64_t)d->nruns)
		fprintf(out, " - %zu of %lld runs, chosen at random with seed: %llu\n", d->nruns,
			(long long)m->runs_to_choose_from, (unsigned long long)m->seed);
	if (m->seed && m->interleave)
		fprintf(out, " - seed of the random order: %llu\n", (unsigned long long)m->seed);
	fputs(" - elapsed:", out);
	report_cell(out, 0, 3, d->elapsed_s);
	fputs(" s\n", out);
}

void report_text(const struct document *d, FILE *out)
{
	const char *simulated = environment_simulated(&d->environment);

	if (simulated)
		fprintf(out, "simulated machine: %s; its times are no measurement\n\n", simulated);
	for (size_t i = 0; i < d->nruns; i++)
		report_run(d, i, out);
	report_tables(d, out);
	report_claims(d, out);
	if (d->has_counting)
		report_counting(&d->counting, out);
	warnings_block(d, out);
	machine_block(d, out);
	fputs("\n+ Verdict\n", out);
	report_sentences(d, " - ", out);
	report_trust(d, " - ", out);
}
