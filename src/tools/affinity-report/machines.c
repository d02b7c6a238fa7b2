/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machines side by side: the tables of experiments that several of them measured. */
#include <stdlib.h>
#include <string.h>

#include "analysis/derive.h"
#include "document/figure.h"
#include "base/alloc.h"
#include "document/arguments.h"
#include "base/text.h"
#include "affinity-report/figures/grids.h"
#include "affinity-report/machines.h"
#include "affinity-report/page.h"

#define CELLS_SHOWN 64

static const struct stored_document *stored_at(const struct page *p, size_t i)
{
	return &p->results->documents[i];
}

const struct document *page_of_machine(const struct page *p, size_t machine, const char *bare)
{
	for (size_t i = 0; i < p->results->ndocuments; i++)
		if (stored_at(p, i)->machine == machine && !strcmp(stored_at(p, i)->bare, bare))
			return &stored_at(p, i)->document;
	return NULL;
}

/* Is it the first one of that experiment, and did another machine measure it too? */
static bool is_shared(const struct page *p, size_t i)
{
	bool shared = false;

	for (size_t k = 0; k < p->results->ndocuments; k++) {
		if (k == i || strcmp(stored_at(p, k)->bare, stored_at(p, i)->bare) != 0)
			continue;
		if (k < i)
			return false;
		shared |= stored_at(p, k)->machine != stored_at(p, i)->machine;
	}
	return stored_at(p, i)->machine && shared;
}

bool page_has_machines(const struct page *p)
{
	for (size_t i = 0; i < p->results->ndocuments; i++)
		if (is_shared(p, i))
			return true;
	return false;
}

static const char *cost_unit(const struct document *d)
{
	return d->method.cost ? d->method.cost : "seconds";
}

const struct document_table *page_same_table(
	const struct document *d, const struct document_table *t)
{
	for (size_t i = 0; d && i < d->ntables; i++) {
		const struct document_table *o = &d->tables[i];

		if (o->shown == t->shown && document_same_numbers(o, t))
			return o;
	}
	return NULL;
}

static void fill_machines(const struct page *p, const char *bare, const struct document_table *t,
	const char *row, const char *column, struct grid *g)
{
	grid_row(g, "%s%s%s", row, *t->column_axis ? ", " : "", *t->column_axis ? column : "");
	for (size_t m = 0; m < p->results->machines.count; m++) {
		const struct document *d = page_of_machine(p, m + 1, bare);
		const struct document_table *o = page_same_table(d, t);

		if (o)
			grids_put(g, m, grids_cell(d, o, row, column));
	}
}

/* Each cell of the table is a row, each machine a column. */
static void table(const struct page *p, const char *bare, const struct document *d,
	const struct document_table *t, FILE *out)
{
	struct grid g = {.corner = grids_corner(t, ", "), .unit = t->unit};
	size_t n = t->rows.count * t->columns.count;

	for (size_t m = 0; m < p->results->machines.count; m++)
		grid_column(&g, "%s", p->results->machines.word[m]);
	for (size_t i = 0; i < n && i < CELLS_SHOWN; i++)
		fill_machines(p, bare, t, t->rows.list[i / t->columns.count],
			t->columns.list[i % t->columns.count], &g);
	char *title = caption_title(d, t, grid_scale(&g).unit);

	const struct compared c = {p, bare, !strcmp(t->unit, "s")};

	html_figure_begin(out, "", title);
	machines_picture(&c, t, &g, title, out);
	html_grid(out, &g);
	if (n > CELLS_SHOWN)
		fprintf(out,
			"<p class=note>The first %d of %zu figures; all are in the section of "
			"each machine.</p>\n",
			CELLS_SHOWN, n);
	html_figure_end(out);
	free(title);
	grid_free(&g);
}

/* The cost of all threads together, in the unit of `unit`. */
static struct document_figure cost_of(
	const struct document *d, const char *unit, const char *run, const char *operation)
{
	for (size_t i = 0; d && i < d->nruns && !strcmp(unit, cost_unit(d)); i++) {
		const struct document_run *r = &d->runs[i];

		for (size_t k = 0; !r->skipped && !strcmp(r->label, run) && k < r->operations.count;
			k++)
			if (!strcmp(r->operations.list[k].name, operation))
				return document_figure(
					r, &r->operations.list[k], ALL_THREADS, DOCUMENT_COST);
	}
	return (struct document_figure){.amount = AMOUNT_NONE};
}

/* Where the file asks for no table: the cost of each run and operation is a row. */
static void costs(const struct page *p, const char *bare, const struct document *d, FILE *out)
{
	struct grid g = {.corner = alloc_format("operation"), .unit = cost_unit(d)};

	for (size_t m = 0; m < p->results->machines.count; m++)
		grid_column(&g, "%s", p->results->machines.word[m]);
	for (size_t i = 0; i < d->nruns; i++) {
		const struct document_run *r = &d->runs[i];

		for (size_t k = 0; !r->skipped && k < r->operations.count && g.nrows < CELLS_SHOWN;
			k++) {
			const char *operation = r->operations.list[k].name;

			grid_row(&g, "%s%s%s", r->label, *r->label ? ", " : "", operation);
			for (size_t m = 0; m < p->results->machines.count; m++)
				grids_put(&g, m,
					cost_of(page_of_machine(p, m + 1, bare), g.unit, r->label,
						operation));
		}
	}
	char *title = alloc_format(
		"Cost of all threads (%s)", grid_scale(&g).unit ? grid_scale(&g).unit : g.unit);

	const struct compared c = {p, bare, !d->method.per_unit};

	html_figure_begin(out, "", title);
	machines_picture(&c, NULL, &g, title, out);
	html_grid(out, &g);
	html_figure_end(out);
	free(title);
	grid_free(&g);
}

/* Vectors of other sizes are other work, though the file asks for the same parts of a cache. */
bool page_same_sizes(const struct document *a, const struct document *b)
{
	for (size_t i = 0; i < a->nruns; i++)
		for (size_t j = 0; j < b->nruns; j++) {
			const struct document_run *r = &a->runs[i], *s = &b->runs[j];

			if (strcmp(r->label, s->label) || r->skipped || s->skipped)
				continue;
			for (size_t k = 0; k < r->nvectors && k < s->nvectors; k++)
				if (r->vectors[k].bytes != s->vectors[k].bytes)
					return false;
		}
	return true;
}

/* What was not the same, or cannot be trusted. */
static void doubts(const struct page *p, const char *bare, const struct document *first, FILE *out)
{
	bool differ = false, sizes = false;

	fputs("<ul class=quality>\n", out);
	for (size_t m = 0; m < p->results->machines.count; m++) {
		const struct document *d = page_of_machine(p, m + 1, bare);

		html(out, "<li>%s: %s</li>\n", p->results->machines.word[m],
			d ? page_quality_word(document_quality_of(d).word) : "not measured");
		differ |= d && !document_same_arguments(first, d);
		sizes |= d && !page_same_sizes(first, d);
	}
	fputs("</ul>\n", out);
	if (differ)
		fputs("<p class=missing>Their arguments are not the same: the figures may be of "
		      "different work.</p>\n",
			out);
	if (sizes)
		fputs("<p class=missing>Their vectors are not of the same sizes.</p>\n", out);
}

/* A plot is one more table where no table has its figures. */
static bool is_shown(const struct document *d, const struct document_table *t)
{
	bool told = false;

	for (size_t i = 0; i < d->ntables && t->shown != SHOWN_TABLE; i++)
		told |= d->tables[i].shown == SHOWN_TABLE &&
			document_same_subject(&d->tables[i], t);
	return !told && !t->ranges && !t->places;
}

static void experiment(const struct page *p, size_t i, FILE *out)
{
	const char *bare = stored_at(p, i)->bare;
	const struct document *d = &stored_at(p, i)->document;
	char *name = page_short_name(bare);

	html(out, "<section class=experiment>\n<p class=path><code>%s</code></p>\n<h3>%s", bare,
		name);
	page_mark(p, out);
	fputs("</h3>\n", out);
	doubts(p, bare, d, out);
	fputs("<div class=row>", out);
	bool any = false;

	for (size_t k = 0; k < d->ntables; k++)
		if (is_shown(d, &d->tables[k])) {
			table(p, bare, d, &d->tables[k], out);
			any = true;
		}
	if (!any)
		costs(p, bare, d, out);
	fputs("</div>\n</section>\n", out);
	free(name);
}

const char *page_machines_title(const struct page *p)
{
	return p->results->of_files ? "Results side by side" : "Machines side by side";
}

void page_machines(const struct page *p, FILE *out)
{
	if (!page_has_machines(p))
		return;
	struct words bare = {0};

	page_title(p, out, "h2 id='machines'", page_machines_title(p));
	for (size_t i = 0; i < p->results->ndocuments; i++)
		if (is_shared(p, i))
			words_add(&bare, stored_at(p, i)->bare, strlen(stored_at(p, i)->bare));
	page_machines_means(p, &bare, out);
	words_free(&bare);
	for (size_t i = 0; i < p->results->ndocuments; i++)
		if (is_shared(p, i))
			experiment(p, i, out);
}
