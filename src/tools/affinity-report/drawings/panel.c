/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a plot of a document: a curve for each column. */
#include "affinity-report/drawings/panel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "analysis/heading.h"
#include "base/text.h"
#include "affinity-report/figures/captions.h"
#include "affinity-report/drawings/draw.h"
#include "report/plot_axes.h"

/* Of a letter that is 12 high, and between two names on an axis. */
#define LETTER 6.4
#define APART  8.0

struct amount panel_amount(const struct panel *p, size_t row, size_t column)
{
	return amount_times(p->grid->rows[row].cells[column], p->scale.factor);
}

double panel_place(const struct panel *p, size_t row, size_t column)
{
	double value = NAN;

	if (p->table->places)
		return p->table->places[row * p->table->columns.count + column];
	return text_position(p->table->rows.list[row], &value) ? NAN : value;
}

bool panel_has(const struct panel *p, size_t row, size_t column)
{
	return isfinite(panel_amount(p, row, column).value) &&
	       isfinite(panel_place(p, row, column));
}

/* ---- the ends of the axes */

static void widen_axis(struct axis *a, double value)
{
	if (!isfinite(value))
		return;
	a->least = fmin(a->least, value);
	a->most = fmax(a->most, value);
}

static const struct axis no_ends = {.least = INFINITY, .most = -INFINITY};

/* Widens both axes to the points, and `figures` to what these are without their intervals. Returns
 * how many there are. */
static size_t find_ends(struct panel *p, struct axis *figures)
{
	size_t n = 0;

	for (size_t i = 0; i < p->grid->nrows; i++)
		for (size_t k = 0; k < p->grid->ncolumns; k++) {
			struct amount a = panel_amount(p, i, k);

			if (!panel_has(p, i, k))
				continue;
			widen_axis(&p->x, panel_place(p, i, k));
			widen_axis(figures, a.value);
			widen_axis(&p->y, a.value);
			widen_axis(&p->y, grids_low(p->table->unit, a));
			widen_axis(&p->y, a.high);
			n++;
		}
	return n;
}

static void choose_scales(struct panel *p, const struct axis *figures)
{
	p->x.log = !p->table->places && plot_geometric(p->x.least, p->x.most);
	p->y.log = p->sizes && p->x.log &&
		   plot_logarithmic(p->table->unit, figures->least, figures->most);
	if (p->y.log) /* an interval that reaches 0 has no end on this axis */
		p->y.least = fmax(p->y.least, figures->least / 2);
}

static void set_axes(struct panel *p, const struct axis *figures)
{
	choose_scales(p, figures);
	p->x.from = PANEL_LEFT;
	p->x.to = PANEL_RIGHT;
	p->y.from = PANEL_BOTTOM;
	p->y.to = PANEL_TOP;
	if (!p->y.log && !(p->y.most > 0 || p->y.least < 0))
		p->y.most = 1;
	axis_round(&p->y);
	if (p->table->places)
		axis_round(&p->x);
	if (!(p->y.most > p->y.least)) /* one power of two */
		p->y.most = 2 * p->y.least;
	if (!(p->x.most > p->x.least))
		p->x.most = p->x.least + 1;
	if (!p->x.log && !p->table->places) { /* the first dot is not on the edge */
		double margin = (p->x.most - p->x.least) * 0.02;

		p->x.least -= margin;
		p->x.most += margin;
	}
}

/* ---- what stands at the axes */

static void y_marks(FILE *out, const struct panel *p)
{
	for (double v = p->y.least; v <= p->y.most * (1 + 1e-9); v = axis_next(&p->y, v)) {
		double y = axis_at(&p->y, v);

		fprintf(out,
			"<path class=grid d='M%g %.1fH%g' /><text class=tick x=%g y=%.1f>%.6g"
			"</text>",
			PANEL_LEFT, y, PANEL_RIGHT, PANEL_LEFT - 6, y + 4, v);
	}
}

static void x_name(FILE *out, double x, const char *label)
{
	html(out, "<text x=%.1f y=%g>%p</text>", x, PANEL_BOTTOM + 17, HTML_LABEL(label));
}

/* Is there room for a name beside those that are there? */
static bool has_room(const double *from, const double *to, size_t n, double left, double right)
{
	for (size_t i = 0; i < n; i++)
		if (left < to[i] + APART && right > from[i] - APART)
			return false;
	return true;
}

/* A size has a blank before its unit. */
static double shown_letters(const char *label)
{
	uint64_t bytes;

	return (double)(strlen(label) + !text_bytes(label, &bytes));
}

/* Only what was measured has a name: nobody measured with 1.2 threads. */
static void x_rows(FILE *out, const struct panel *p)
{
	const size_t rows = p->grid->nrows;
	double *from = alloc_zeroed(rows + 1, sizeof(*from));
	double *to = alloc_zeroed(rows + 1, sizeof(*to));
	size_t n = 0;

	for (size_t i = 0; i < rows; i++) {
		const char *label = p->table->rows.list[i];
		const double half = LETTER * shown_letters(label) / 2;
		const double x = axis_at(&p->x, panel_place(p, i, 0));
		const double middle = fmin(x, PANEL_WIDTH - half);

		if (!isfinite(x) || !has_room(from, to, n, middle - half, middle + half))
			continue;
		from[n] = middle - half;
		to[n++] = middle + half;
		fprintf(out, "<path class=rim d='M%.1f %gv4' />", x, PANEL_BOTTOM);
		x_name(out, middle, label);
	}
	free(from);
	free(to);
}

static void x_marks(FILE *out, const struct panel *p)
{
	for (double v = p->x.least; v <= p->x.most * (1 + 1e-9); v = axis_next(&p->x, v)) {
		char label[32];

		snprintf(label, sizeof(label), "%.6g", v);
		x_name(out, axis_at(&p->x, v), label);
	}
}

/* ---- the picture */

static void y_title(FILE *out, const struct panel *p)
{
	char *title = caption_quantity(p->document, p->table, p->scale.unit);

	const bool known = p->subject && *p->subject;

	html(out, "<text class=title x=2 y=13>%s%s%p%s</text>", title, known ? ", " : "",
		HTML_LABEL(known ? p->subject : ""), p->y.log ? ", log scale" : "");
	free(title);
}

static void x_title(FILE *out, const struct panel *p)
{
	char *words = caption_rows(p->table);

	html(out, "<text class=tick x=%g y=%g>%s%s</text>", PANEL_RIGHT, PANEL_BOTTOM + 38, words,
		p->x.log ? ", log scale" : "");
	free(words);
}

static bool has_dots(const struct grid *g, size_t column)
{
	bool any = false;

	for (size_t i = 0; i < g->nrows; i++)
		any |= isfinite(g->rows[i].cells[column].value);
	return any;
}

static void draw_panel_legend(FILE *out, const struct panel *p)
{
	fputs("<p class=legend>", out);
	for (size_t k = 0; k < p->grid->ncolumns; k++) {
		if (!has_dots(p->grid, k))
			continue; /* the table of its numbers names it */
		fputs("<span>", out);
		panel_sample(out, k);
		html(out, "%p</span>", HTML_LABEL(p->grid->columns[k]));
	}
	fputs("</p>\n", out);
}

/* Where a sweep reaches further places or kinds of cores. */
static void begins(FILE *out, const struct panel *p)
{
	for (size_t i = 0; p->table->row_begins.list && !p->table->places && i < p->grid->nrows;
		i++) {
		double x = axis_at(&p->x, panel_place(p, i, 0));

		if (!p->table->row_begins.list[i] || !isfinite(x))
			continue;
		html(out,
			"<path class=one d='M%.1f %gV%g' /><text class=title x=%.1f y=%g>%s</text>",
			x, PANEL_TOP, PANEL_BOTTOM, x + 4, PANEL_TOP + 12,
			p->table->row_begins.list[i]);
	}
}

static bool any_interval(const struct document_table *t)
{
	for (size_t i = 0; i < t->rows.count * t->columns.count; i++)
		if (isfinite(t->cells[i].value) && isfinite(t->cells[i].low))
			return true;
	return false;
}

static void write_panel_note(FILE *out, const struct panel *p)
{
	const double confidence = p->document->method.confidence;

	fputs("<p class=note>Dots are measured", out);
	if (isfinite(confidence) && any_interval(p->table))
		fprintf(out, "; bars through them are intervals of %.3g&nbsp;%%", confidence * 100);
	fputs(".</p>\n", out);
}

static void draw_curves(FILE *out, const struct panel *p, const char *caption)
{
	html(out, "<svg class=panel role=img viewBox='0 0 400 268'><title>%s</title>", caption);
	if (p->sizes && p->x.log && !p->subject)
		panel_caches(out, p);
	y_marks(out, p);
	if (p->table->places)
		x_marks(out, p);
	else
		x_rows(out, p);
	begins(out, p);
	panel_curves(out, p);
	y_title(out, p);
	x_title(out, p);
	fputs("</svg>\n", out);
}

bool panel_is_numbered(const struct document_table *t)
{
	double value;

	for (size_t i = 0; i < t->rows.count; i++)
		if (text_position(t->rows.list[i], &value))
			return false;
	return t->rows.count > 1;
}

/* The larger one. */
static struct amount largest(const struct document_table *t, struct amount most)
{
	for (size_t i = 0; i < t->rows.count * t->columns.count; i++)
		if (isfinite(t->cells[i].value) && !(fabs(t->cells[i].value) <= fabs(most.value)))
			most = t->cells[i];
	return most;
}

/* The unit in which the largest figure is short; that of the table has room for the smallest. */
static struct scale scale_of(const struct document_table *t)
{
	struct amount most = largest(t, AMOUNT_NONE);

	return numbers_scale(t->unit, &most, 1);
}

static bool bars(FILE *out, const struct panel *p, const char *caption)
{
	char *title = caption_quantity(p->document, p->table, p->scale.unit);
	bool drawn = draw_grouped(out, p->grid, p->scale, title, caption);

	free(title);
	return drawn;
}

bool panel_draw(FILE *out, const struct document *d, const struct document_table *t,
	const struct grid *g, const char *caption)
{
	struct panel p = {.document = d,
		.table = t,
		.grid = g,
		.scale = scale_of(t),
		.x = no_ends,
		.y = no_ends,
		.sizes = panel_is_of_sizes(d, t)};
	struct axis figures = no_ends;

	if (t->ranges || t->shown != SHOWN_PLOT)
		return false;
	if (!t->places && !panel_is_numbered(t))
		return bars(out, &p, caption);
	if (find_ends(&p, &figures) < 2) {
		fputs("<p class=note>No picture: it would have a single dot.</p>\n", out);
		return false;
	}
	set_axes(&p, &figures);
	if (g->ncolumns > 1)
		draw_panel_legend(out, &p);
	draw_curves(out, &p, caption);
	write_panel_note(out, &p);
	return true;
}

void panel_parts(FILE *out, const struct document *d, const struct panel_part *parts, size_t n,
	const char *caption)
{
	struct panel p = {.document = d,
		.x = no_ends,
		.y = no_ends,
		.sizes = panel_is_of_sizes(d, &parts->table)};
	struct amount most = AMOUNT_NONE;
	struct axis figures = no_ends;

	for (size_t i = 0; i < n; i++)
		most = largest(&parts[i].table, most);
	p.scale = numbers_scale(parts->table.unit, &most, 1);
	for (size_t i = 0; i < n; i++) {
		p.table = &parts[i].table;
		p.grid = &parts[i].grid;
		find_ends(&p, &figures);
	}
	set_axes(&p, &figures);
	for (size_t i = 0; i < n; i++) {
		p.table = &parts[i].table;
		p.grid = &parts[i].grid;
		p.subject = parts[i].subject;
		draw_curves(out, &p, caption);
	}
}
