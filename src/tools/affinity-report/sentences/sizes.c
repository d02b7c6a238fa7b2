/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The vectors as they were measured: --quick and sizes such as 8xL3 say less. */
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "affinity-report/figures/grids.h"
#include "affinity-report/sentences/sentences.h"

static void size(FILE *out, int64_t bytes)
{
	char text[32];

	html_text(out, text_size(bytes > 0 ? (uint64_t)bytes : 0, text, sizeof(text)));
}

static void write_names(FILE *out, const struct name_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		html(out, "%s%s", i ? " or " : "", list->list[i]);
}

/* Vector k of all runs. */
static void vector(const struct document *d, size_t k, FILE *out)
{
	struct name_list types = {0}, nodes = {0};
	int64_t least = INT64_MAX, most = 0;

	for (size_t i = 0; i < d->nruns; i++) {
		const struct document_run *r = &d->runs[i];

		if (r->skipped || k >= r->nvectors)
			continue;
		least = r->vectors[k].bytes < least ? r->vectors[k].bytes : least;
		most = r->vectors[k].bytes > most ? r->vectors[k].bytes : most;
		if (r->vectors[k].type)
			name_list_add(&types, r->vectors[k].type);
		if (r->vectors[k].asked_node)
			name_list_add(&nodes, r->vectors[k].asked_node);
	}
	fprintf(out, "<li>vector %zu: ", k);
	size(out, least);
	if (most > least) {
		fputs(" to ", out);
		size(out, most);
	}
	fputs(" of ", out);
	write_names(out, &types);
	fputs(", node ", out);
	write_names(out, &nodes);
	fputs("</li>\n", out);
	name_list_free(&types);
	name_list_free(&nodes);
}

void page_sizes(const struct document *d, FILE *out)
{
	size_t n = 0;

	for (size_t i = 0; i < d->nruns; i++)
		if (!d->runs[i].skipped && d->runs[i].nvectors > n)
			n = d->runs[i].nvectors;
	if (!n)
		return;
	fputs("<p>Measured with:</p>\n<ul class=sizes>\n", out);
	for (size_t k = 0; k < n; k++)
		vector(d, k, out);
	fputs("</ul>\n", out);
}
