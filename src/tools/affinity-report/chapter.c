/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the chapters, piece by piece. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "affinity-report/drawings/draw.h"
#include "affinity-report/figures/grids.h"
#include "affinity-report/page.h"

static const struct document_run *first_run(const struct page *p, const char *name)
{
	const struct document *d = stored_document(p->results, name);

	return d ? grids_run(d, NULL, NULL) : NULL;
}

static const struct table_key total_key = {"cost", "operation", "", false};
static const struct table_key overhead_key = {"overhead", "operation", "", false};

static const struct document_table *table_of(const struct document *d, const struct table_key *k)
{
	return d ? grids_find(d, k, NULL, false) : NULL;
}

static struct name_list overhead_operations(const struct page *p)
{
	struct name_list n = {0};

	for (const struct overhead_column *c = overhead_columns; c->name; c++) {
		const struct document_table *t =
			table_of(stored_document(p->results, c->name), &overhead_key);

		for (size_t i = 0; t && i < t->rows.count; i++)
			name_list_add(&n, t->rows.list[i]);
	}
	return n;
}

/* A row with the cell of an operation from each experiment's table; it has one unit. */
static void overhead_row(const struct page *p, struct grid *g, const struct table_key *k,
	const char *operation, const char *quantity)
{
	const char *unit = NULL;

	for (size_t i = 0; overhead_columns[i].name; i++) {
		const struct document *d = stored_document(p->results, overhead_columns[i].name);
		const struct document_table *t = table_of(d, k);

		if (!t || (unit && strcmp(t->unit, unit)))
			continue;
		if (!unit)
			grid_row(g, "%s: %s", operation, quantity);
		unit = t->unit;
		g->rows[g->nrows - 1].unit = unit;
		grids_put(g, i, grids_cell(d, t, operation, t->columns.list[0]));
	}
}

static void overheads(const struct page *p, const struct piece *piece, FILE *out)
{
	struct name_list operations = overhead_operations(p);
	struct grid g = {.corner = alloc_format("%s", "")};

	for (const struct overhead_column *c = overhead_columns; c->name; c++)
		grid_column(&g, "%s", c->title);
	for (size_t i = 0; i < operations.count; i++) {
		overhead_row(p, &g, &total_key, operations.list[i], "cost");
		overhead_row(p, &g, &overhead_key, operations.list[i], "overhead");
	}
	if (operations.count) {
		html_figure_begin(out, piece->text, piece->caption);
		html_grid(out, &g);
		html_figure_end(out);
	}
	grid_free(&g);
	name_list_free(&operations);
}

static void sources(const struct page *p, const struct piece *piece, FILE *out)
{
	const struct document_run *r = first_run(p, piece->id);

	if (!r || r->nthreads < 2)
		return;
	html(out, "<p>%s</p>\n", piece->text);
	draw_line_sources(out, r->threads[0].node, r->threads[1].node);
}

static void series(const struct page *p, const struct piece *piece, FILE *out)
{
	const struct document *d = stored_document(p->results, piece->id);
	struct name_list operations = d ? grids_operations(d) : (struct name_list){0};
	bool measured = name_list_find(&operations, piece->operation) >= 0;

	name_list_free(&operations);
	if (!measured) {
		char *what = alloc_format("%s, %s,", piece->text, piece->caption);

		page_missing(p, piece->id, what, out);
		free(what);
		return;
	}
	char *caption = alloc_format("cost by delay of thread 1, %s ({unit})", piece->caption);
	const struct block b = {.kind = BLOCK_PLOTS,
		.what = piece->text,
		.caption = caption,
		.key = piece->key,
		.operation = piece->operation};

	page_plot(p, piece->id, &b, d, out);
	free(caption);
}

/* ---- figure 1a: kernel,variant,method,instructions,shares of kinds */

#define MIX_KINDS_FROM 4

static void mix_columns(struct grid *g, const char *line)
{
	struct words cells = {0};

	words_split(&cells, line, ",");
	for (size_t i = MIX_KINDS_FROM; i < cells.count; i++)
		grid_column(g, "%s", cells.word[i]);
	words_free(&cells);
}

/* The n-th field of a line; fields may be empty. NAN: the line has fewer fields. */
static double mix_share(const char *line, size_t n)
{
	for (; n && line; n--) {
		line = strchr(line, ',');
		line = line ? line + 1 : NULL;
	}
	return line ? strtod(line, NULL) : NAN;
}

static void mix_row(struct grid *g, const struct words *lines, const char *kernel)
{
	size_t length = strlen(kernel);

	for (size_t i = 1; i < lines->count; i++) {
		const char *line = lines->word[i];

		if (strncmp(line, kernel, length) || line[length] != ',')
			continue;
		struct amount *cells = grid_row(g, "%s", kernel);

		for (size_t k = 0; k < g->ncolumns; k++)
			cells[k].value = mix_share(line, MIX_KINDS_FROM + k);
		return;
	}
}

/* The same in percent, as a table shows it. */
static struct grid in_percent(const struct grid *g)
{
	struct grid percent = {.corner = alloc_format("kernel")};

	for (size_t k = 0; k < g->ncolumns; k++)
		grid_column(&percent, "%s, %%", g->columns[k]);
	for (size_t i = 0; i < g->nrows; i++) {
		struct amount *cells = grid_row(&percent, "%s", g->rows[i].head);

		for (size_t k = 0; k < g->ncolumns; k++)
			cells[k].value = g->rows[i].cells[k].value * 100;
	}
	return percent;
}

static void mix(const struct page *p, const struct piece *piece, FILE *out)
{
	struct words lines = {0};
	struct grid g = {.corner = alloc_format("kernel")};

	words_split(&lines, p->mix, "\n");
	if (!lines.count) {
		html(out,
			"<p class=missing><b>%s</b> skipped: the kernels of this build could not "
			"be disassembled</p>\n",
			piece->text);
		return;
	}
	mix_columns(&g, lines.word[0]);
	for (size_t i = 0; mix_kernels[i]; i++)
		mix_row(&g, &lines, mix_kernels[i]);
	struct grid percent = in_percent(&g);

	html_figure_begin(out, piece->text, piece->caption);
	draw_stacked(out, &g);
	html_folded_begin(out, "Numbers");
	html_grid(out, &percent);
	html_folded_end(out);
	html_figure_end(out);
	grid_free(&percent);
	grid_free(&g);
	words_free(&lines);
}

/* ---- pieces */

static void heading(const struct page *p, const struct piece *piece, FILE *out)
{
	char *tag = alloc_format("h2 id='%s'", piece->id);

	page_title(p, out, tag, piece->text);
	free(tag);
}

static void paragraph(const struct piece *piece, FILE *out)
{
	html(out, "<p>%s</p>\n", piece->text);
}

static void write_piece(const struct page *p, const struct piece *piece, FILE *out)
{
	switch (piece->kind) {
	case PIECE_HEADING:
		heading(p, piece, out);
		break;
	case PIECE_SUBHEADING:
		page_title(p, out, "h2 class=sub", piece->text);
		break;
	case PIECE_MINOR:
		page_title(p, out, "h3", piece->text);
		fputs("<div class=plots>", out);
		break;
	case PIECE_MINOR_END:
		fputs("</div>\n", out);
		break;
	case PIECE_PARAGRAPH:
		paragraph(piece, out);
		break;
	case PIECE_EXPERIMENT:
		page_experiment(p, piece->experiment, out);
		break;
	case PIECE_OVERHEADS:
		overheads(p, piece, out);
		break;
	case PIECE_SOURCES:
		sources(p, piece, out);
		break;
	case PIECE_SERIES:
		series(p, piece, out);
		break;
	case PIECE_MIX:
		mix(p, piece, out);
		break;
	case PIECE_END:
		break;
	}
}

bool page_has_chapter(const struct page *p, const struct piece *heading)
{
	for (const struct piece *at = heading + 1;
		at->kind != PIECE_END && at->kind != PIECE_HEADING; at++)
		if (at->kind == PIECE_EXPERIMENT &&
			stored_document(p->results, at->experiment->name))
			return true;
	return false;
}

static void write_pieces(const struct page *p, const struct piece *list, FILE *out)
{
	bool shown = false;

	for (; list->kind != PIECE_END; list++) {
		if (list->kind == PIECE_HEADING)
			shown = page_has_chapter(p, list);
		if (shown)
			write_piece(p, list, out);
	}
}

static void write_group(const struct page *p, const char *id, const char *title,
	const size_t *members, size_t n, FILE *out)
{
	html(out, "<h2 id='%s'>%s", id, title);
	page_mark(p, out);
	fputs("</h2>\n", out);
	for (size_t i = 0; i < n; i++) {
		struct experiment_text x = other_experiment;

		x.name = p->results->documents[members[i]].name;
		page_experiment(p, &x, out);
	}
}

void page_chapters(const struct page *p, FILE *out)
{
	page_groups(p, write_group, out);
	for (size_t i = 0; chapters_all[i]; i++)
		write_pieces(p, chapters_all[i], out);
}
