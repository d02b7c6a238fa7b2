/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture of what several machines measured of the same work: curves where rows are numbers, else
 * a lane of dots for each machine. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "document/arguments.h"
#include "base/buffer.h"
#include "base/text.h"
#include "affinity-report/drawings/axis.h"
#include "affinity-report/figures/captions.h"
#include "affinity-report/drawings/draw.h"
#include "affinity-report/machines.h"
#include "affinity-report/page.h"
#include "affinity-report/drawings/panel.h"

/* The field in the picture's 400 units, and the height of a row: its name, and a lane for each
 * machine. */
#define LEFT  10.0
#define RIGHT 388.0
#define TOP   24.0
#define HEAD  18.0
#define LANE  11.0
#define APART 5.0

/* More would have the colours of others, or be too many to read. */
#define MOST_MACHINES DRAW_COLOURS
#define MOST_ROWS     24
#define MOST_CURVES   6

/* Figures that span more have a logarithmic axis. */
#define LOG_FROM 10

/* ---- which machines did the same work */

/* The first machine of hardware that measured the experiment. */
static const struct document *machines_reference(
	const struct page *p, const char *bare, size_t *machine)
{
	for (*machine = 1; *machine <= p->results->machines.count; ++*machine) {
		const struct document *d = page_of_machine(p, *machine, bare);

		if (d && !document_simulated(d))
			return d;
	}
	return NULL;
}

/* Why the figures of a machine are not compared with those of the reference; NULL: they are. */
static const char *why_not(const struct compared *c, size_t machine)
{
	const struct document *d = page_of_machine(c->page, machine, c->bare);
	size_t first;
	const struct document *reference = machines_reference(c->page, c->bare, &first);

	if (!d)
		return "did not measure it";
	if (document_simulated(d))
		return "is a simulated machine";
	if (!document_same_arguments(reference, d))
		return "had other arguments";
	if (c->whole && !page_same_sizes(reference, d))
		return "had vectors of other sizes";
	return NULL;
}

/* The cell, of machines that are compared. */
static struct amount compared_cell(
	const struct compared *c, const struct grid *g, size_t row, size_t column)
{
	return why_not(c, column + 1) ? AMOUNT_NONE : g->rows[row].cells[column];
}

static bool has_interval(struct amount a)
{
	return isfinite(a.value);
}

/* Is the row of more than one machine? */
static bool is_common(const struct compared *c, const struct grid *g, size_t row)
{
	size_t n = 0;

	for (size_t k = 0; k < g->ncolumns; k++)
		n += has_interval(compared_cell(c, g, row, k));
	return n > 1;
}

/* "b had other arguments; c is a simulated machine" */
static void name_others(const struct compared *c, FILE *out)
{
	const struct words *names = &c->page->results->machines;
	bool any = false;

	for (size_t m = 0; m < names->count; m++) {
		const char *why = why_not(c, m + 1);

		if (!why)
			continue;
		html(out, "%s%s %-s", any ? "; " : "", names->word[m], why);
		any = true;
	}
}

/* ---- dots */

struct dots {
	const struct compared *compared;
	const struct grid *grid;
	struct axis axis;
	double factor, bottom;
	size_t reference; /* column */
	size_t lanes;     /* machines that are compared */
};

static struct amount shown_dot(const struct dots *d, size_t row, size_t column)
{
	return amount_times(compared_cell(d->compared, d->grid, row, column), d->factor);
}

static void set_axis(struct dots *d)
{
	double least = INFINITY, most = 0, low = 0;

	d->axis = (struct axis){.from = LEFT, .to = RIGHT};
	for (size_t i = 0; i < d->grid->nrows; i++)
		for (size_t k = 0; k < d->grid->ncolumns && is_common(d->compared, d->grid, i);
			k++) {
			struct amount a = shown_dot(d, i, k);

			if (!has_interval(a))
				continue;
			least = fmin(least, a.value);
			most = fmax(most,
				has_interval((struct amount){a.high, 0, 0}) ? a.high : a.value);
			low = fmin(low, isfinite(a.low) ? grids_low(d->grid->unit, a) : a.value);
		}
	d->axis.log = least > 0 && most > LOG_FROM * least;
	d->axis.least = d->axis.log ? least : low;
	d->axis.most = most > low ? most : low + 1;
	axis_round(&d->axis);
}

static double place_on_axis(const struct dots *d, double value)
{
	return axis_at(&d->axis, fmin(fmax(value, d->axis.least), d->axis.most));
}

static void dot(FILE *out, const struct dots *d, size_t row, size_t column, double y)
{
	struct amount a = shown_dot(d, row, column);

	if (a.high > a.low)
		fprintf(out, "<path d='M%.1f %.1fH%.1f' style='stroke:%s' />",
			place_on_axis(d, a.low), y, place_on_axis(d, a.high), draw_colour(column));
	fprintf(out, "<path d='M%.1f %.1f%s' fill='%s' style='stroke:%s' />",
		place_on_axis(d, a.value), y, draw_mark(column), draw_colour(column),
		draw_colour(column));
}

static void draw_dots_row(FILE *out, const struct dots *d, size_t i, double y)
{
	const struct amount reference = shown_dot(d, i, d->reference);
	size_t lane = 0;

	html(out, "<text class=head x=%g y=%.1f>%p</text>", LEFT, y + 13,
		HTML_LABEL(d->grid->rows[i].head));
	if (has_interval(reference))
		fprintf(out, "<path class=one d='M%.1f %.1fv%.1f' />",
			place_on_axis(d, reference.value), y + HEAD, (double)d->lanes * LANE);
	for (size_t k = 0; k < d->grid->ncolumns; k++) {
		if (why_not(d->compared, k + 1))
			continue;
		if (has_interval(shown_dot(d, i, k)))
			dot(out, d, i, k, y + HEAD + ((double)lane + 0.5) * LANE);
		lane++;
	}
}

static void marks(FILE *out, const struct dots *d)
{
	const struct axis *a = &d->axis;

	for (double v = a->least; v <= a->most * (1 + 1e-9) + 1e-12; v = axis_next(a, v))
		fprintf(out, "<path class=grid d='M%.1f %gV%.1f' /><text x=%.1f y=%.1f>%.6g</text>",
			axis_at(a, v), TOP, d->bottom, axis_at(a, v), d->bottom + 16, v);
}

static void write_machines_legend(FILE *out, const struct compared *c, size_t reference)
{
	const struct words *names = &c->page->results->machines;

	fputs("<p class=legend>", out);
	for (size_t m = 0; m < names->count; m++) {
		if (why_not(c, m + 1))
			continue;
		fputs("<span>", out);
		panel_sample(out, m);
		html(out, "%s%-s", names->word[m],
			m == reference ? ", the reference</span>" : "</span>");
	}
	fputs("</p>\n", out);
}

static void dots(FILE *out, struct dots *d, const char *title, size_t rows)
{
	double y = TOP;
	const double height = HEAD + (double)d->lanes * LANE + APART;

	set_axis(d);
	d->bottom = TOP + (double)rows * height;
	html(out,
		"<svg class=panel role=img viewBox='0 0 400 %.0f'><title>%s of each machine; the "
		"table below has the figures</title><text class=title x=2 y=13>%s%s</text>",
		d->bottom + 24, title, title, d->axis.log ? ", log scale" : "");
	marks(out, d);
	for (size_t i = 0; i < d->grid->nrows; i++) {
		if (!is_common(d->compared, d->grid, i))
			continue;
		draw_dots_row(out, d, i, y);
		y += height;
	}
	fputs("</svg>\n", out);
}

/* ---- curves */

/* The table that a column of `of` makes with a column for each machine. */
static struct document_table by_machine(
	const struct compared *c, const struct document_table *of, size_t column)
{
	const struct words *names = &c->page->results->machines;
	const size_t rows = of->rows.count;
	struct document_table t = *of;

	t.row_begins.list = t.column_begins.list = NULL; /* of one machine */
	t.columns = (struct document_texts){
		alloc_zeroed(names->count, sizeof(*t.columns.list)), names->count};
	t.cells = alloc_zeroed(rows * names->count, sizeof(*t.cells));
	for (size_t m = 0; m < names->count; m++) {
		const struct document *d = page_of_machine(c->page, m + 1, c->bare);
		const struct document_table *o = why_not(c, m + 1) ? NULL : page_same_table(d, of);

		t.columns.list[m] = names->word[m];
		for (size_t i = 0; i < rows; i++)
			t.cells[i * names->count + m] =
				o ? grids_cell(d, o, of->rows.list[i], of->columns.list[column])
						.amount
				  : AMOUNT_NONE;
	}
	return t;
}

/* Has any machine that is compared a figure in the column? */
static bool is_measured(const struct compared *c, const struct document_table *of, size_t column)
{
	struct document_table t = by_machine(c, of, column);
	bool any = false;

	for (size_t i = 0; i < t.rows.count * t.columns.count; i++)
		any |= has_interval(t.cells[i]);
	free(t.columns.list);
	free(t.cells);
	return any;
}

/* "read" of operations, "node=0" of others, "" of one column. To be freed. */
static char *subject_of(const struct document_table *t, size_t column)
{
	if (!*t->column_axis)
		return alloc_format("%s", "");
	if (t->columns_are == AXIS_OPERATION)
		return alloc_format("%s", t->columns.list[column]);
	return alloc_format("%s=%s", t->column_axis, t->columns.list[column]);
}

static void curves(FILE *out, const struct compared *c, const struct document *reference,
	const struct document_table *of)
{
	struct panel_part *parts = alloc_zeroed(of->columns.count, sizeof(*parts));
	size_t n = 0;
	char *caption = caption_title(reference, of, NULL);

	alloc_append(&caption, "", "%s", " of each machine; the table below has the figures");

	for (size_t k = 0; k < of->columns.count; k++) {
		if (!is_measured(c, of, k))
			continue;
		parts[n].table = by_machine(c, of, k);
		parts[n].grid = grids_table(NULL, &parts[n].table);
		parts[n].subject = subject_of(of, k);
		n++;
	}
	fputs("<div class=row>", out);
	panel_parts(out, reference, parts, n, caption);
	fputs("</div>\n", out);
	for (size_t k = 0; k < n; k++) {
		free(parts[k].subject);
		grid_free(&parts[k].grid);
		free(parts[k].table.columns.list);
		free(parts[k].table.cells);
	}
	free(parts);
	free(caption);
}

/* ---- the picture, or why there is none */

static void write_machines_note(
	FILE *out, const struct compared *c, const struct document *reference)
{
	struct buffer others;
	FILE *text = buffer_open(&others);
	const double confidence = reference->method.confidence;

	name_others(c, text);
	buffer_close(&others, text);
	fputs("<p class=note>Dots are figures", out);
	if (isfinite(confidence))
		fprintf(out, "; lines through them are intervals of %.3g&nbsp;%%",
			confidence * 100);
	fprintf(out, ".%s%s%s</p>\n", *others.data ? " Not drawn: " : "", others.data,
		*others.data ? "." : "");
	free(others.data);
}

static void write_no_picture(FILE *out, const struct compared *c, const char *why)
{
	fprintf(out, "<p class=note>No picture: %s", why);
	name_others(c, out);
	fputs(".</p>\n", out);
}

void machines_picture(const struct compared *c, const struct document_table *t,
	const struct grid *g, const char *title, FILE *out)
{
	size_t machine, rows = 0, lanes = 0;
	const struct document *reference = machines_reference(c->page, c->bare, &machine);
	const size_t machines = c->page->results->machines.count;

	for (size_t m = 1; reference && m <= machines; m++)
		lanes += !why_not(c, m);
	if (lanes < 2) {
		write_no_picture(out, c, "the same work was not measured on two machines: ");
		return;
	}
	for (size_t i = 0; i < g->nrows; i++)
		rows += is_common(c, g, i);
	if (!rows)
		fputs("<p class=note>No picture: no figure was measured by more than one "
		      "machine.</p>\n",
			out);
	else if (machines > MOST_MACHINES)
		fprintf(out,
			"<p class=note>No picture: colours and shapes tell %d machines apart, not "
			"%zu.</p>\n",
			MOST_MACHINES, machines);
	else if (t && panel_is_numbered(t) && t->columns.count <= MOST_CURVES) {
		write_machines_legend(out, c, machine - 1);
		curves(out, c, reference, t);
		write_machines_note(out, c, reference);
	} else if (rows > MOST_ROWS)
		fprintf(out,
			"<p class=note>No picture: it would have %zu rows, and %d can be "
			"read.</p>\n",
			rows, MOST_ROWS);
	else {
		struct dots d = {c, g, .factor = grid_scale(g).factor, .reference = machine - 1,
			.lanes = lanes};

		write_machines_legend(out, c, machine - 1);
		dots(out, &d, title, rows);
		write_machines_note(out, c, reference);
	}
}
