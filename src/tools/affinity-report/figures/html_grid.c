/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A grid as a table of HTML: units, digits, and colours of matrices. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "statistics/crossing.h"
#include "affinity-report/figures/html.h"

/* A table with more columns is wide. */
#define NARROW_COLUMNS 3

/* A table with more rows scrolls by itself, below its heads. */
#define TALL_ROWS 60

/* Cells that differ by less have no colours: these would show differences that nobody feels. */
#define HEAT_FROM    1.05
#define HEAT_CLASSES 7
#define HEAT_LARGEST 32

/* The cells that are measured in the grid's unit; to be freed. */
static struct amount *cells_of(const struct grid *g, size_t *n)
{
	struct amount *list = alloc_zeroed(g->nrows * g->ncolumns + 1, sizeof(*list));

	*n = 0;
	for (size_t i = 0; i < g->nrows; i++)
		for (size_t k = 0; k < g->ncolumns && !g->rows[i].unit; k++)
			list[(*n)++] = g->rows[i].cells[k];
	return list;
}

struct scale grid_scale(const struct grid *g)
{
	size_t n;
	struct amount *list = cells_of(g, &n);
	struct scale s = numbers_scale(g->unit, list, g->ranges ? 0 : n);

	free(list);
	return s;
}

/* ---- digits */

/* Of the cells that are measured in the grid's unit. */
struct digits {
	struct scale scale;
	int *decimals; /* decimals_of() */
};

static int column_decimals(const struct grid *g, size_t k, const struct scale *s)
{
	struct amount *list = alloc_zeroed(g->nrows + 1, sizeof(*list));
	size_t n = 0;

	for (size_t i = 0; i < g->nrows; i++)
		if (!g->rows[i].unit)
			list[n++] = amount_times(g->rows[i].cells[k], s->factor);
	int decimals = numbers_common_decimals(list, n);

	free(list);
	return decimals;
}

/* Of each column; -1: each cell has its own. To be freed. */
static int *decimals_of(const struct grid *g, const struct scale *s)
{
	int *decimals = alloc_zeroed(g->ncolumns + 1, sizeof(*decimals));
	size_t n;
	struct amount *list = cells_of(g, &n);

	for (size_t i = 0; i < n; i++)
		list[i] = amount_times(list[i], s->factor);
	int common = numbers_common_decimals(list, n);

	free(list);
	for (size_t k = 0; k < g->ncolumns; k++)
		decimals[k] = common >= 0 ? common : column_decimals(g, k, s);
	return decimals;
}

/* ---- colours */

struct heat {
	struct amount least, most; /* most.value 0: no colours */
};

static bool is_mean(const struct grid *g, size_t row, size_t column)
{
	return g->mean && (row + 1 == g->nrows || (g->ncolumns > 1 && column + 1 == g->ncolumns));
}

/* Do the extremes differ by more than what is not certain? */
static bool differ(const struct heat *h)
{
	if (!(h->most.value > HEAT_FROM * h->least.value))
		return false;
	return !isfinite(h->least.high) || !isfinite(h->most.low) || h->least.high < h->most.low;
}

static struct heat heat_of(const struct grid *g)
{
	const struct heat none = {{0, 0, 0}, {0, 0, 0}};
	struct heat h = {{INFINITY, 0, 0}, {0, 0, 0}};

	if (g->heat == HEAT_NONE || g->heat == HEAT_UNKNOWN || g->nrows > HEAT_LARGEST ||
		g->ncolumns > HEAT_LARGEST)
		return none;
	for (size_t i = 0; i < g->nrows; i++)
		for (size_t k = 0; k < g->ncolumns; k++) {
			struct amount a = g->rows[i].cells[k];

			if (!isfinite(a.value) || a.value <= 0 || is_mean(g, i, k))
				continue;
			if (a.value < h.least.value)
				h.least = a;
			if (a.value > h.most.value)
				h.most = a;
		}
	return differ(&h) ? h : none;
}

static bool begins(const struct grid *g, size_t column)
{
	return g->column_begins && g->column_begins[column];
}

/* The classes of a cell: its colour on a logarithmic scale, "w3", and whether a place begins. */
static void classes(
	FILE *out, const struct grid *g, const struct heat *h, size_t row, size_t column)
{
	double value = g->rows[row].cells[column].value;
	const char *line = begins(g, column) ? "begins" : "";

	if (h->most.value <= 0 || !isfinite(value) || value <= 0 || is_mean(g, row, column)) {
		fprintf(out, "%s%s", *line ? " class=" : "", line);
		return;
	}
	double part = log(value / h->least.value) / log(h->most.value / h->least.value);

	if (g->heat == HEAT_LESS_IS_WORSE)
		part = 1 - part;
	fprintf(out, *line ? " class='w%d %s'" : " class=w%d%s",
		(int)fmin(HEAT_CLASSES - 1, part * HEAT_CLASSES), line);
}

/* ---- what was not measured */

struct left_out {
	bool *rows, *columns;
	size_t nrows, ncolumns;
};

static bool is_known(const struct grid *g, size_t row, size_t column)
{
	struct amount a = g->rows[row].cells[column];

	return g->ranges ? crossing_known(a) : isfinite(a.value);
}

/* Rows and columns without a figure, as of runs that a machine cannot do, hide those that have one:
 * they are named below the table. A list of one row or column is kept, and so is what has no figure
 * at all. */
static struct left_out left_out_of(const struct grid *g)
{
	struct left_out l = {alloc_zeroed(g->nrows + 1, sizeof(*l.rows)),
		alloc_zeroed(g->ncolumns + 1, sizeof(*l.columns)), g->nrows, g->ncolumns};

	memset(l.rows, true, g->nrows);
	memset(l.columns, true, g->ncolumns);
	for (size_t i = 0; i < g->nrows; i++)
		for (size_t k = 0; k < g->ncolumns; k++)
			if (is_known(g, i, k)) {
				l.nrows -= l.rows[i];
				l.ncolumns -= l.columns[k];
				l.rows[i] = l.columns[k] = false;
			}
	if (l.nrows < g->nrows && g->nrows > 1 && g->ncolumns > 1 && !g->mean)
		return l;
	memset(l.rows, false, g->nrows);
	memset(l.columns, false, g->ncolumns);
	l.nrows = l.ncolumns = 0;
	return l;
}

static const char *row_head(const struct grid *g, size_t i)
{
	return g->rows[i].head;
}

static const char *column_head(const struct grid *g, size_t k)
{
	return g->columns[k];
}

/* What divides names that may have commas. */
static const char *divider(const struct grid *g, size_t n, const bool *left_out,
	const char *(*head)(const struct grid *g, size_t i))
{
	for (size_t i = 0; n; i++) {
		if (left_out[i] && strchr(head(g, i), ','))
			return "; ";
		n -= left_out[i];
	}
	return ", ";
}

/* "columns 1, 2": n of them. */
static void name_lines(FILE *out, const struct grid *g, const bool *left_out, size_t n,
	const char *what, const char *(*head)(const struct grid *g, size_t i))
{
	const char *separator = " ", *next = divider(g, n, left_out, head);

	fprintf(out, "%s%s", what, n > 1 ? "s" : "");
	for (size_t i = 0; n; i++) {
		if (!left_out[i])
			continue;
		html(out, "%s%p", separator, HTML_LABEL(head(g, i)));
		separator = next;
		n--;
	}
}

static void name_left_out(FILE *out, const struct grid *g, const struct left_out *l)
{
	if (!l->nrows && !l->ncolumns)
		return;
	fputs("<p class=note>Not measured: ", out);
	if (l->nrows)
		name_lines(out, g, l->rows, l->nrows, "row", row_head);
	if (l->nrows && l->ncolumns)
		fputs("; ", out);
	if (l->ncolumns)
		name_lines(out, g, l->columns, l->ncolumns, "column", column_head);
	fputs(".</p>\n", out);
}

/* ---- cells */

static void range(FILE *out, const struct grid *g, struct amount a)
{
	const bool sizes = g->unit && !strcmp(g->unit, "B");
	char *text = sizes ? crossing_text_of_sizes(a) : crossing_text(a);

	if (crossing_known(a))
		html_text(out, text);
	else
		fputs(HTML_MISSING, out);
	free(text);
}

/* As the document has it. */
static void exact(FILE *out, struct amount a)
{
	fprintf(out, " data-value='%.6g", a.value);
	if (isfinite(a.high - a.low))
		fprintf(out, " ±%.2g", (a.high - a.low) / 2);
	fputs("'", out);
}

static void write_cell_figure(FILE *out, struct amount a, int decimals)
{
	if (decimals < 0)
		decimals = numbers_decimals(a);
	fprintf(out, "%.*f", decimals, a.value);
	say_interval(out, SAY_HTML, " <small>", a, decimals, "</small>");
}

/* Before the value, and shown by page.css. */
static void mark(FILE *out, const struct trust *t)
{
	if (t->word == TRUST_FIRM)
		return;
	char *text = trust_text(t);

	html(out, " data-mark=%s title='%s'", trust_words[t->word], text);
	free(text);
}

static void write_grid_cell(FILE *out, const struct grid *g, const struct heat *h,
	const struct scale *s, int decimals, size_t row, size_t column)
{
	struct amount a = g->rows[row].cells[column];
	double spread = g->rows[row].spreads[column];
	bool known = isfinite(a.value) && !g->ranges;

	fputs("<td", out);
	classes(out, g, h, row, column);
	if (is_known(g, row, column))
		mark(out, &g->rows[row].marks[column]);
	if (known)
		exact(out, a);
	fputs(">", out);
	if (g->ranges)
		range(out, g, a);
	else if (known)
		write_cell_figure(out, amount_times(a, s->factor), decimals);
	else
		fputs(HTML_MISSING, out);
	if (isfinite(spread))
		fprintf(out, " <small>spread %.2f&nbsp;%%</small>", spread * 100);
	fputs("</td>", out);
}

static void write_grid_row(FILE *out, const struct grid *g, const struct left_out *l,
	const struct heat *h, const struct digits *digits, size_t i)
{
	const struct grid_row *r = &g->rows[i];
	const struct scale s =
		r->unit ? numbers_scale(r->unit, r->cells, g->ncolumns) : digits->scale;

	html(out, "<tr%s><th scope=row>%p%s%s%s%s%s</th>", r->begins ? " class=begins" : "",
		HTML_LABEL(r->head), r->begins ? " (" : "", r->begins ? r->begins : "",
		r->begins ? " begins)" : "", r->unit ? ", " : "",
		r->unit && s.unit ? s.unit : r->unit);
	for (size_t k = 0; k < g->ncolumns; k++)
		if (!l->columns[k])
			write_grid_cell(out, g, h, &s, r->unit ? -1 : digits->decimals[k], i, k);
	fputs("</tr>\n", out);
}

static void heads(FILE *out, const struct grid *g, const struct left_out *l)
{
	html(out, "<thead><tr><th>%s</th>", g->corner);
	for (size_t i = 0; i < g->ncolumns; i++) {
		if (!l->columns[i])
			html(out, "<th scope=col%s>%p</th>", begins(g, i) ? " class=begins" : "",
				HTML_LABEL(g->columns[i]));
	}
	fputs("</tr></thead>", out);
}

void html_grid(FILE *out, const struct grid *g)
{
	const struct heat h = heat_of(g);
	const struct left_out l = left_out_of(g);
	struct digits digits = {.scale = grid_scale(g)};

	digits.decimals = decimals_of(g, &digits.scale);

	fprintf(out,
		"<div class=%s tabindex=0 role=region aria-label=Table><table "
		"class='sortable%s%s'>",
		g->nrows - l.nrows > TALL_ROWS ? "'scroll tall'" : "scroll",
		g->ncolumns - l.ncolumns > NARROW_COLUMNS ? " wide" : "",
		h.most.value > 0 ? " heat" : "");
	heads(out, g, &l);
	fputs("<tbody>\n", out);
	for (size_t i = 0; i < g->nrows; i++)
		if (!l.rows[i])
			write_grid_row(out, g, &l, &h, &digits, i);
	fputs("</tbody></table></div>\n", out);
	name_left_out(out, g, &l);
	if (g->held)
		html(out, "<p class=note>Data in: %s</p>\n", g->held);
	if (g->heat == HEAT_UNKNOWN)
		fputs("<p class=note>No colours: it is not known whether more of this is "
		      "better.</p>\n",
			out);
	free(digits.decimals);
	free(l.columns);
	free(l.rows);
}
