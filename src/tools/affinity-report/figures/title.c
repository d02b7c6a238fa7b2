/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Headings, and the badge of a simulated machine. */
#include "affinity-report/figures/figures.h"
#include "document/quality.h"

/* A document written before this fact was recorded counts as one of hardware. */
static bool any_simulated(const struct page *p)
{
	for (size_t i = 0; i < p->results->ndocuments; i++)
		if (document_simulated(&p->results->documents[i].document))
			return true;
	return false;
}

void page_mark(const struct page *p, FILE *out)
{
	if (any_simulated(p))
		fputs(" <span class=simulated>simulated machine</span>", out);
}

void page_title(const struct page *p, FILE *out, const char *tag, const char *text)
{
	html(out, "<%-s>%s", tag, text);
	page_mark(p, out);
	fprintf(out, "</%.2s>\n", tag);
}
