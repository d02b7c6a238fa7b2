/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws on which nodes the pages of vectors were, before and after operations that move them. */
#include <inttypes.h>

#include "affinity-report/drawings/draw.h"
#include "affinity-report/drawings/drawings.h"

#define WIDTH 160.0

static double sum(const struct document_pages *pages, size_t n)
{
	double all = 0;

	for (size_t i = 0; i < n; i++)
		all += pages[i].pages > 0 ? (double)pages[i].pages : 0;
	return all;
}

/* A bar as long as `all` pages, in the colours of their nodes, and their numbers. */
static void draw_pages_bar(FILE *out, const struct document_pages *pages, size_t n, double all)
{
	double at = 0;

	fprintf(out, "<td><svg class=chart role=img viewBox='0 0 %g 12' style='width:%gpx'><title>",
		WIDTH, WIDTH);
	for (size_t i = 0; i < n; i++)
		fprintf(out, "%snode %d: %" PRId64, i ? ", " : "", pages[i].node, pages[i].pages);
	fputs("</title>", out);
	for (size_t i = 0; i < n && all > 0; i++) {
		double width = pages[i].pages > 0 ? (double)pages[i].pages / all * WIDTH : 0;

		fprintf(out, "<rect x=%.1f y=0 width=%.1f height=12 fill='%s' />", at, width,
			draw_colour((size_t)pages[i].node));
		at += width;
	}
	fputs("</svg><small>", out);
	for (size_t i = 0; i < n; i++)
		fprintf(out, "%snode %d: %" PRId64, i ? ", " : "", pages[i].node, pages[i].pages);
	fputs("</small></td>", out);
}

static void draw_places_row(FILE *out, const struct document_run *r,
	const struct document_operation *o, const struct document_places *v)
{
	double before = sum(v->before, v->nbefore), after = sum(v->after, v->nafter);
	double all = before > after ? before : after;

	html(out, "<tr><th scope=row>%s%s%s, vector %zu</th>", r->label, *r->label ? " " : "",
		o->name, v->vector);
	draw_pages_bar(out, v->before, v->nbefore, all);
	draw_pages_bar(out, v->after, v->nafter, all);
	fputs("</tr>\n", out);
}

static void rows(FILE *out, const struct document_run *r)
{
	for (size_t i = 0; i < r->operations.count; i++)
		for (size_t k = 0; k < r->operations.list[i].nplaces; k++)
			draw_places_row(
				out, r, &r->operations.list[i], &r->operations.list[i].places[k]);
}

static bool any(const struct document *d)
{
	for (size_t i = 0; i < d->nruns; i++)
		for (size_t k = 0; k < d->runs[i].operations.count; k++)
			if (d->runs[i].operations.list[k].nplaces)
				return true;
	return false;
}

void page_places(const struct document *d, FILE *out)
{
	if (!any(d))
		return;
	html_folded_begin(out, "Pages on each node, as placed and after the last sample");
	fputs("<div class=scroll><table class=places><thead><tr><th>run</th>"
	      "<th scope=col>before</th><th scope=col>after</th></tr></thead><tbody>\n",
		out);
	for (size_t i = 0; i < d->nruns; i++)
		rows(out, &d->runs[i]);
	fputs("</tbody></table></div>\n", out);
	html_folded_end(out);
}
