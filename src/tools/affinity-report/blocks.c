/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The blocks of an experiment: a drawing, a table or a picture, with its caption. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "findings/crossings.h"
#include "statistics/crossing.h"
#include "affinity-report/figures/captions.h"
#include "affinity-report/drawings/draw.h"
#include "affinity-report/figures/grids.h"
#include "affinity-report/page.h"
#include "affinity-report/drawings/panel.h"

/* A column whose runs were all skipped is no curve. */
static bool has_curve(const struct document_table *t, const char *column)
{
	for (size_t k = 0; k < t->columns.count; k++)
		for (size_t i = 0; i < t->rows.count && !strcmp(t->columns.list[k], column); i++)
			if (isfinite(t->cells[i * t->columns.count + k].value))
				return true;
	return false;
}

/* Names those of the curves of the work's figure that the plot's table lacks, or has no value of.
 */
static void name_missing_curves(
	const struct document_table *t, const struct curve *curves, FILE *out)
{
	bool any = false;

	for (const struct curve *c = curves; c && c->column; c++) {
		if (has_curve(t, c->column))
			continue;
		html(out, "%-s%s (%s=%s)",
			any ? ", "
			    : "<p class=missing>Curves of the work's figure that were not "
			      "measured: ",
			c->name, t->column_axis, c->column);
		any = true;
	}
	fputs(any ? "</p>\n" : "", out);
}

static void begin_block(FILE *out, const struct block *b, const struct subject *s)
{
	char *caption = caption_of(b, s);

	html_figure_begin(out, b->what ? b->what : "", caption);
	free(caption);
}

/* A table with a figure element of its own; frees the grid. */
static void write_block_table(
	FILE *out, const struct block *b, const struct subject *s, struct grid g)
{
	if (g.nrows) {
		struct subject shown = *s;

		shown.unit = grid_scale(&g).unit;
		begin_block(out, b, &shown);
		html_grid(out, &g);
		html_figure_end(out);
	}
	grid_free(&g);
}

/* For a block with a number of its own. */
static void no_table(FILE *out, const char *what, const struct table_key *k, const char *operation)
{
	html(out,
		"<p class=missing><b>%s</b> no such table in these results: their file asks for "
		"none of %s by %s%s%s%s%s</p>\n",
		what, k->quantity, k->rows, *k->columns ? " and " : "", k->columns,
		operation ? ", " : "", operation ? operation : "");
}

/* ---- pictures */

/* The picture of a plot has its number among the document's plots. */
static const char *picture_of(const struct page *p, const char *name, const struct document *d,
	const struct document_table *t)
{
	size_t all = 0, number = 0;

	for (size_t i = 0; i < d->ntables; i++) {
		all += d->tables[i].shown != SHOWN_TABLE;
		if (&d->tables[i] == t)
			number = all;
	}
	if (t->shown == SHOWN_TABLE)
		return NULL;
	char *numbered = all > 1 ? alloc_format("%s-%zu", name, number) : alloc_format("%s", name);
	const char *picture = stored_picture(p->results, numbered);

	free(numbered);
	return picture;
}

/* Folds the numbers of a picture; they may be in another unit than it. */
static void numbers_begin(FILE *out, const struct grid *g)
{
	const char *unit = grid_scale(g).unit;
	char *summary = unit ? alloc_format("Numbers (%s)", unit) : alloc_format("Numbers");

	html_folded_begin(out, summary);
	free(summary);
}

/* Pairs of CPUs that are equally near, before the pairs themselves. */
static void classes(const struct document_table *t, FILE *out)
{
	struct grid g = grids_classes(t);

	if (document_has_classes(t))
		html_grid(out, &g);
	grid_free(&g);
}

/* Documents of earlier versions have "always" and the like where all is the same memory. */
static void mark_same(const struct document *d, const struct document_table *t, struct grid *g)
{
	for (size_t i = 0; crossing_variable(t) && i < t->rows.count * t->columns.count; i++) {
		const size_t row = i / t->columns.count, column = i % t->columns.count;
		const struct crossing_pair c = crossing_compared(d, t, row, column);

		if (!c.first || !c.same_place)
			continue;
		g->rows[row].cells[column] = crossing_same_memory();
		g->rows[row].marks[column] = (struct trust){.word = TRUST_FIRM};
	}
}

/* A picture with its numbers folded. Where gnuplot left none, the figures are drawn here; what
 * cannot be drawn is numbers, unless a table of the file has them too: `twice`. b NULL: no block
 * of its own names it. */
static void plot(FILE *out, const struct block *b, const char *picture, const struct document *d,
	const struct document_table *t, bool twice)
{
	struct grid g = grids_table(d, t);

	mark_same(d, t, &g);
	if (g.heat != HEAT_NONE && t->shown != SHOWN_PLOT) /* its table is a map; curves are none */
		picture = NULL;
	const char *unit = picture ? NULL : grid_scale(&g).unit;
	const struct subject s = {d, grids_run(d, NULL, NULL), t, unit};
	char *head = b ? caption_of(b, &s) : caption_title(d, t, unit);

	html_figure_begin(out, b ? b->what : "", head);
	if (picture)
		html_picture(out, picture, head);
	bool drawn = picture || page_trace(t, out) || panel_draw(out, d, t, &g, head);

	if (!twice)
		classes(t, out);
	if (drawn)
		numbers_begin(out, &g);
	if (drawn || !twice)
		html_grid(out, &g);
	if (drawn)
		html_folded_end(out);
	name_missing_curves(t, b ? b->curves : NULL, out);
	html_figure_end(out);
	free(head);
	grid_free(&g);
}

/* NULL: the document has none that the block could draw. */
static const struct document_table *drawn_by(const struct block *b, const struct document *d)
{
	return b->only ? grids_find_only(d, &b->key, b->only)
		       : grids_find(d, &b->key, b->operation, true);
}

void page_plot(const struct page *p, const char *name, const struct block *b,
	const struct document *d, FILE *out)
{
	const struct document_table *t = drawn_by(b, d);

	if (t)
		plot(out, b, picture_of(p, name, d, t), d, t, false);
	else
		no_table(out, b->what, &b->key, b->operation);
}

/* ---- tables */

static void table(
	const struct block *b, const struct document *d, const struct document_run *run, FILE *out)
{
	const struct document_table *t = grids_find(d, &b->key, b->operation, false);
	struct subject s = {d, run, t, NULL};

	if (!t) {
		no_table(out, b->what, &b->key, b->operation);
		return;
	}
	struct grid g = grids_table(d, t);

	s.unit = grid_scale(&g).unit;
	begin_block(out, b, &s);
	classes(t, out);
	html_grid(out, &g);
	html_figure_end(out);
	grid_free(&g);
}

static void plots(const struct page *p, const struct experiment_text *x, const struct block *b,
	const struct document *d, FILE *out)
{
	struct name_list operations = grids_operations(d);
	bool any = false;

	for (size_t i = 0; i < operations.count; i++) {
		struct block one = *b;
		char *what = alloc_format("%s %s", b->what, operations.list[i]);

		one.what = what;
		one.operation = operations.list[i];
		if (grids_find(d, &b->key, one.operation, true)) {
			page_plot(p, x->name, &one, d, out);
			any = true;
		}
		free(what);
	}
	if (!any)
		page_plot(p, x->name, b, d, out);
	name_list_free(&operations);
}

static void write_block_row(const struct experiment_text *x, const struct block *b,
	const struct document *d, const struct document_run *run, FILE *out)
{
	const struct subject s = {d, run, grids_find(d, &b->key, NULL, false), NULL};

	if (s.table)
		write_block_table(out, b, &s, grids_row(d, &b->key, x->value));
	else
		no_table(out, b->what, &b->key, NULL);
}

static void gains(const struct experiment_text *x, const struct block *b, const struct document *d,
	const struct document_run *run, FILE *out)
{
	const char *base = run->baseline ? grids_value(d, run->baseline, x->variable) : NULL;

	if (base)
		write_block_table(out, b, &(struct subject){d, run, NULL, NULL},
			grids_gains(d, x->variable, x->value, base));
}

static void bars(FILE *out, const char *what, const char *caption, const struct document *d,
	const struct document_table *t)
{
	struct grid g = grids_table(d, t);

	html_figure_begin(out, what, caption);
	draw_grouped(out, &g, grid_scale(&g), "", caption);
	html_folded_begin(out, "Numbers");
	html_grid(out, &g);
	html_folded_end(out);
	html_figure_end(out);
	grid_free(&g);
}

static void bars_block(const struct block *b, const struct document *d, FILE *out)
{
	const struct document_table *t = grids_find(d, &b->key, NULL, false);

	if (t)
		bars(out, b->what, b->caption, d, t);
	else
		no_table(out, b->what, &b->key, NULL);
}

/* Do they have the same numbers, one as a table, the other as a plot? */
static bool same_numbers(const struct document_table *a, const struct document_table *b)
{
	return !a->mean == !b->mean && document_same_numbers(a, b);
}

/* Does a table, perhaps with means beside them, have the numbers of a heat map? */
static bool has_map(const struct document *d, const struct document_table *map)
{
	for (size_t i = 0; i < d->ntables; i++) {
		const struct document_table *t = &d->tables[i];

		if (t->shown == SHOWN_TABLE && document_same_numbers(t, map) &&
			(!t->mean || !strcmp(t->mean, "geometric")))
			return true;
	}
	return false;
}

/* Is there a table with the numbers of this plot? */
static bool has_table(const struct document *d, const struct document_table *plot)
{
	for (size_t i = 0; i < d->ntables; i++)
		if (d->tables[i].shown == SHOWN_TABLE && same_numbers(&d->tables[i], plot))
			return true;
	return false;
}

/* Does a block of its own show these numbers? */
static bool is_shown(
	const struct experiment_text *x, const struct document *d, const struct document_table *t)
{
	for (const struct block *b = x->blocks; b->kind != BLOCK_END; b++) {
		const struct document_table *drawn = b->kind == BLOCK_PLOT ? drawn_by(b, d) : NULL;

		if (drawn && same_numbers(t, drawn))
			return true;
	}
	return false;
}

/* What the file asks for, in its order. */
static void tables(const struct page *p, const struct experiment_text *x, const struct block *b,
	const struct document *d, FILE *out)
{
	for (size_t i = 0; i < d->ntables; i++) {
		const struct document_table *t = &d->tables[i];
		const char *picture = picture_of(p, x->name, d, t);

		if (is_shown(x, d, t) || (t->shown == SHOWN_HEAT && has_map(d, t)))
			continue;
		if (t->mean && !strcmp(t->mean, "scenarios")) {
			char *title = caption_title(d, t, NULL);

			if (b->all)
				bars(out, "", title, d, t);
			free(title);
		} else {
			plot(out, NULL, picture, d, t, t->shown != SHOWN_TABLE && has_table(d, t));
		}
	}
}

static void placement(
	const struct block *b, const struct document *d, const struct document_run *run, FILE *out)
{
	if (b->caption) {
		begin_block(out, b, &(struct subject){d, run, NULL, NULL});
	} else {
		char *caption = d->nruns > 1 ? alloc_format("The first of %zu runs", d->nruns)
					     : alloc_format("Placement");

		html_figure_begin(out, "", caption);
		free(caption);
	}
	draw_placement(out, run);
	html_figure_end(out);
}

static void in_time(const struct block *b, const struct document *d, FILE *out)
{
	const struct document_run *run = grids_run_only(d, b->only);

	if (!run)
		return;
	fputs("<div style='grid-column:1/-1'>", out); /* charts are wider than a column */
	begin_block(out, b, &(struct subject){d, run, NULL, NULL});
	page_work(d, run, b->kind == BLOCK_WHEN, out);
	page_wander(d, run, b->kind == BLOCK_WHERE, out);
	html_figure_end(out);
	fputs("</div>\n", out);
}

static void shares(
	const struct block *b, const struct document *d, const struct document_run *run, FILE *out)
{
	begin_block(out, b, &(struct subject){d, run, NULL, NULL});
	draw_shares(out, run);
	html_figure_end(out);
}

/* Folded where the file's own tables come first. */
static void write_runs_table(const struct block *b, const struct subject *s, FILE *out)
{
	if (s->document->ntables)
		html_folded_begin(out, "Each run, thread and operation");
	write_block_table(out, b, s, grids_runs(s->document));
	if (s->document->ntables)
		html_folded_end(out);
}

void page_block(const struct page *p, const struct experiment_text *x, const struct block *b,
	const struct document *d, const struct document_run *run, FILE *out)
{
	const struct subject s = {d, run, NULL, NULL};

	switch (b->kind) {
	case BLOCK_PLACEMENT:
		placement(b, d, run, out);
		break;
	case BLOCK_SHARES:
		shares(b, d, run, out);
		break;
	case BLOCK_TABLE:
		table(b, d, run, out);
		break;
	case BLOCK_PLOTS:
		plots(p, x, b, d, out);
		break;
	case BLOCK_PLOT:
		page_plot(p, x->name, b, d, out);
		break;
	case BLOCK_WHEN:
	case BLOCK_WHERE:
		in_time(b, d, out);
		break;
	case BLOCK_ROW:
		write_block_row(x, b, d, run, out);
		break;
	case BLOCK_SLOWDOWNS:
		write_block_table(out, b, &s, grids_slowdowns(d));
		break;
	case BLOCK_GAINS:
		gains(x, b, d, run, out);
		break;
	case BLOCK_BARS:
		bars_block(b, d, out);
		break;
	case BLOCK_RUNS:
		write_runs_table(b, &s, out);
		break;
	case BLOCK_TABLES:
		tables(p, x, b, d, out);
		break;
	case BLOCK_END:
		break;
	}
}
