/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an experiment found, in a sentence, and how far that can be trusted. */
#include "affinity-report/sentences/sentences.h"

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
	static const struct finding_frame paragraph = {"<p class=verdict>", " ", ""};

	if (!findings_say(&d->findings, FINDING_HEADLINE, &paragraph, SAY_HTML, out))
		return;
	page_doubts(&q, out);
	name_lost(d, out);
	fputs("</p>\n", out);
	page_quality(&q, out);
}
