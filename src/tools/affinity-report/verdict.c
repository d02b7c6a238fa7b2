/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an experiment found, in a sentence, and how far that can be trusted. */
#include "affinity-report/page.h"

static void name_lost(const struct document *d, FILE *out)
{
	size_t lost = 0;

	for (size_t i = 0; i < d->nruns; i++)
		lost += d->runs[i].lost;
	if (lost)
		fprintf(out, " %zu of %zu runs lost.", lost, d->nruns);
}

void page_verdict(const struct document *d, FILE *out)
{
	const struct quality q = document_quality_of(d);
	const char *before = "<p class=verdict>";

	if (!findings_first(&d->findings))
		return;
	for (size_t i = 0; i < d->findings.count; i++) {
		if (finding_group(&d->findings.list[i]) != FINDING_HEADLINE)
			continue;
		fputs(before, out);
		before = " ";
		finding_say(&d->findings.list[i], SAY_HTML, out);
		fputc('.', out);
	}
	page_doubts(&q, out);
	name_lost(d, out);
	fputs("</p>\n", out);
	page_quality(&q, out);
}
