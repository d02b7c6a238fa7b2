/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chapter of affinity-map --pairs: figures 1b, 5, 6 and 7 of the paper on instruction-aware
 * mapping. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "affinity-report/drawings/draw.h"
#include "affinity-report/page.h"

static struct grid grid_of(const struct pairings_figure *f, double factor)
{
	struct grid g = {.corner = alloc_format("%s", "")};

	for (size_t k = 0; k < f->columns.count; k++)
		grid_column(&g, factor == 1 ? "%s" : "%s, %%", f->columns.list[k]);
	for (size_t i = 0; i < f->rows.count; i++) {
		struct amount *cells = grid_row(&g, "%s", f->rows.list[i]);

		for (size_t k = 0; k < f->columns.count; k++)
			cells[k] = amount_times(f->cells[i * f->columns.count + k], factor);
	}
	return g;
}

static void write_pairs_figure(const struct pairings_figure *f, FILE *out)
{
	if (!f->rows.count) {
		if (!*f->what)
			return;
		html(out, "<p class=missing><b>%s</b> no program belongs to it: %s</p>\n", f->what,
			f->title);
		return;
	}
	struct grid drawn = grid_of(f, 1), numbers = grid_of(f, f->stacked ? 100 : 1);

	html_figure_begin(out, f->what, f->title);
	if (f->stacked)
		draw_stacked(out, &drawn);
	else
		draw_grouped(out, &drawn, grid_scale(&drawn), "", f->title);
	html_folded_begin(out, "Numbers");
	html_grid(out, &numbers);
	html_folded_end(out);
	html_figure_end(out);
	grid_free(&drawn);
	grid_free(&numbers);
}

static void write_one_pairing(const struct stored_pairings *s, FILE *out)
{
	const struct pairings *p = &s->pairings;

	html(out,
		"<section><h3>%s</h3>\n<p>%s, %s, affinity %s. Bars below 1 are shorter times than "
		"under the first mapping; lines are 95 %% intervals.</p>\n",
		s->name, p->host, p->kernel, p->version);
	for (size_t i = 0; i < p->nfigures; i++)
		write_pairs_figure(&p->figures[i], out);
	if (p->warnings.count)
		fputs("<ul class=warnings>\n", out);
	for (size_t i = 0; i < p->warnings.count; i++)
		html(out, "<li>%s</li>\n", error_plain(p->warnings.list[i]));
	if (p->warnings.count)
		fputs("</ul>\n", out);
	fputs("</section>\n", out);
}

void page_pairs(const struct page *p, FILE *out)
{
	if (!p->results->npairings)
		return;
	page_title(p, out, "h2 id='pairs'", "Pairs of programs");
	for (size_t i = 0; i < p->results->npairings; i++)
		write_one_pairing(&p->results->pairings[i], out);
}
