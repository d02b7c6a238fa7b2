/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops that kernels chose by themselves. */
#include <stdlib.h>

#include "base/alloc.h"
#include "affinity-report/figures/grids.h"
#include "affinity-report/figures/figures.h"

/* "load, thread 0: avx512", each once; the list's names are to be freed. */
static struct name_list choices_of(const struct document *d)
{
	struct name_list n = {0};

	for (size_t i = 0; i < d->nruns; i++)
		for (size_t o = 0; o < d->runs[i].operations.count; o++) {
			const struct document_operation *at = &d->runs[i].operations.list[o];

			for (size_t k = 0; k < at->njobs; k++) {
				const char *chose = at->jobs[k].chose;

				if (!chose || !*chose)
					continue;
				char *text = alloc_format("%s, thread %zu: %s", at->name, k, chose);

				if (name_list_find(&n, text) >= 0)
					free(text);
				else
					name_list_add(&n, text);
			}
		}
	return n;
}

void page_chosen(const struct document *d, FILE *out)
{
	struct name_list n = choices_of(d);

	if (n.count) {
		html_folded_begin(out, "Loops that kernels chose by themselves");
		fputs("<ul>\n", out);
		for (size_t i = 0; i < n.count; i++)
			html(out, "<li>%s</li>\n", n.list[i]);
		fputs("</ul>\n", out);
		html_folded_end(out);
	}
	for (size_t i = 0; i < n.count; i++)
		free((char *)n.list[i]);
	name_list_free(&n);
}
