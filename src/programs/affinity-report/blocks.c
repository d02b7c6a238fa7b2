/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The blocks of an experiment: a drawing, a table or a picture, with its caption. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "programs/affinity-report/draw.h"
#include "programs/affinity-report/grids.h"
#include "programs/affinity-report/page.h"

static const char *placeholder(const struct document_run *r, const char *name)
{
	const char *value = !strcmp(name, "baseline") ? r->baseline : document_value(r, name);

	return value ? value : "?";
}

/* A caption with {NAME} replaced; to be freed. */
static char *caption_of(const struct block *b, const struct document_run *r)
{
	const char *from = b->caption ? b->caption : "";
	char *text = alloc_string("", 0);

	while (*from) {
		size_t plain = strcspn(from, "{"), length = strcspn(from + plain, "}");
		char *name = from[plain] ? alloc_string(from + plain + 1, length - 1) : NULL;
		char *longer = alloc_format(
			"%s%.*s%s", text, (int)plain, from, name ? placeholder(r, name) : "");

		free(text);
		free(name);
		text = longer;
		from += plain + (from[plain] ? length + 1 : 0);
	}
	return text;
}

static void begin(FILE *out, const struct block *b, const struct document_run *r)
{
	char *caption = caption_of(b, r);

	html_figure_begin(out, b->what ? b->what : "", caption);
	free(caption);
}

/* A table with a figure element of its own. */
static void table(FILE *out, const struct block *b, const struct document_run *r, struct grid g)
{
	begin(out, b, r);
	html_grid(out, &g);
	html_figure_end(out);
	grid_free(&g);
}

const char *page_drawn(const struct page *p, const char *name, const char *operation)
{
	const char *picture = stored_picture(p->results, name);
	struct name_list operations = grids_operations(stored_document(p->results, name));
	long i = name_list_find(&operations, operation);

	if (!picture && i >= 0) {
		char *numbered = alloc_format("%s-%ld", name, i + 1);

		picture = stored_picture(p->results, numbered);
		free(numbered);
	}
	name_list_free(&operations);
	return picture;
}

void page_figure(FILE *out, const char *what, const char *caption, const char *picture,
	const char *alt, const struct grid *numbers)
{
	html_figure_begin(out, what, caption);
	if (picture) {
		html_picture(out, picture, alt);
		html_folded_begin(out, "Numbers");
	}
	html_grid(out, numbers);
	if (picture)
		html_folded_end(out);
	html_figure_end(out);
}

static void nodes(const struct page *p, const struct experiment_text *x, const struct block *b,
	const struct document *d, const struct document_run *run, FILE *out)
{
	struct name_list operations = grids_operations(d);
	bool measured = name_list_find(&operations, b->operation) >= 0;
	const char *picture = d->nruns > 1 ? page_drawn(p, x->name, b->operation) : NULL;

	name_list_free(&operations);
	if (!measured)
		return;
	struct grid g = grids_nodes(d, b->operation);

	begin(out, b, run);
	html_grid(out, &g);
	if (picture) {
		char *alt = alloc_format(
			"Heat map of t%s", b->what + 1); /* "Table 5.1" within a sentence */

		html_picture(out, picture, alt);
		free(alt);
	}
	html_figure_end(out);
	grid_free(&g);
}

static void types(const struct page *p, const struct experiment_text *x, const struct block *b,
	const struct document *d, FILE *out)
{
	struct name_list operations = grids_operations(d);

	for (size_t i = 0; i < operations.count; i++) {
		struct grid g = grids_types(d, operations.list[i]);
		char *what = alloc_format("%s %s", b->what, operations.list[i]);

		page_figure(out, what, b->caption, page_drawn(p, x->name, operations.list[i]),
			"Time of an access by stride", &g);
		free(what);
		grid_free(&g);
	}
	name_list_free(&operations);
}

static void strides(const struct page *p, const struct experiment_text *x, const struct block *b,
	const struct document *d, FILE *out)
{
	struct grid g = grids_strides(d);

	page_figure(out, b->what, b->caption, stored_picture(p->results, x->name), "Cost by stride",
		&g);
	grid_free(&g);
}

static void pairs(const struct block *b, const struct document *d, FILE *out)
{
	struct grid g = grids_pairs(d);

	html_figure_begin(out, b->what, b->caption);
	draw_grouped(out, &g);
	html_folded_begin(out, "Numbers");
	html_grid(out, &g);
	html_folded_end(out);
	html_figure_end(out);
	grid_free(&g);
}

/* Is the picture's name "NAME" or "NAME-1"; with `all`: "NAME", or "NAME-" and any number? */
static bool is_of(const char *picture, const char *name, bool all)
{
	size_t n = strlen(name);

	if (strncmp(picture, name, n))
		return false;
	if (!picture[n])
		return true;
	if (!all)
		return !strcmp(picture + n, "-1");
	return picture[n] == '-' && picture[n + 1] &&
	       !picture[n + 1 + strspn(picture + n + 1, "0123456789")];
}

static void pictures(
	const struct page *p, const struct experiment_text *x, const struct block *b, FILE *out)
{
	for (size_t i = 0; i < p->results->npictures; i++) {
		const struct stored_picture *s = &p->results->pictures[i];

		if (!is_of(s->name, x->name, b->all))
			continue;
		html_figure_begin(out, "", "");
		html_picture(out, s->base64, b->all ? s->name : x->title);
		html_figure_end(out);
	}
}

static void placement(
	const struct block *b, const struct document *d, const struct document_run *run, FILE *out)
{
	if (b->caption) {
		begin(out, b, run);
	} else {
		char *caption = d->nruns > 1 ? alloc_format("The first of %zu runs", d->nruns)
					     : alloc_format("Placement");

		html_figure_begin(out, "", caption);
		free(caption);
	}
	draw_placement(out, run);
	html_figure_end(out);
}

static void shares(const struct block *b, const struct document_run *run, FILE *out)
{
	begin(out, b, run);
	draw_shares(out, run);
	html_figure_end(out);
}

void page_block(const struct page *p, const struct experiment_text *x, const struct block *b,
	const struct document *d, const struct document_run *run, FILE *out)
{
	switch (b->kind) {
	case BLOCK_PLACEMENT:
		placement(b, d, run, out);
		break;
	case BLOCK_NODES:
		nodes(p, x, b, d, run, out);
		break;
	case BLOCK_STRIDES:
		strides(p, x, b, d, out);
		break;
	case BLOCK_TYPES:
		types(p, x, b, d, out);
		break;
	case BLOCK_THREADS:
		table(out, b, run, grids_threads(run));
		break;
	case BLOCK_SLOWDOWNS:
		if (run->has_solo)
			table(out, b, run, grids_slowdowns(run));
		break;
	case BLOCK_GAINS:
		if (run->baseline)
			table(out, b, run, grids_gains(run));
		break;
	case BLOCK_SHARES:
		shares(b, run, out);
		break;
	case BLOCK_PAIRS:
		pairs(b, d, out);
		break;
	case BLOCK_ALL_COSTS:
		table(out, b, run, grids_all_costs(d));
		break;
	case BLOCK_PICTURES:
		pictures(p, x, b, out);
		break;
	case BLOCK_END:
		break;
	}
}
