/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces of HTML. */
#include "affinity-report/figures/html.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

void html_label(FILE *out, const struct html_part *p)
{
	say_text(out, SAY_HTML, p->text);
}

void html_amount(FILE *out, struct amount a)
{
	if (!isfinite(a.value)) {
		fputs(HTML_MISSING, out);
		return;
	}
	fprintf(out, "%.6g", a.value);
	const double half = (a.high - a.low) / 2;

	if (isfinite(half)) /* no exponent where %.6g has none */
		fprintf(out,
			half < 99.5 || half >= 1e6 ? " <small>±%.2g</small>"
						   : " <small>±%.0f</small>",
			half);
}

void grid_column(struct grid *g, const char *format, ...)
{
	va_list values;

	g->columns = alloc_grow(g->columns, g->ncolumns, sizeof(*g->columns));
	va_start(values, format);
	g->columns[g->ncolumns++] = alloc_vformat(format, values);
	va_end(values);
}

struct amount *grid_row(struct grid *g, const char *format, ...)
{
	struct grid_row row = {.cells = alloc_zeroed(g->ncolumns + 1, sizeof(*row.cells)),
		.spreads = alloc_zeroed(g->ncolumns + 1, sizeof(*row.spreads)),
		.marks = alloc_zeroed(g->ncolumns + 1, sizeof(*row.marks))};
	va_list values;

	va_start(values, format);
	row.head = alloc_vformat(format, values);
	va_end(values);
	for (size_t i = 0; i < g->ncolumns; i++) {
		row.cells[i] = (struct amount){NAN, NAN, NAN};
		row.spreads[i] = NAN;
	}
	g->rows = alloc_grow(g->rows, g->nrows, sizeof(*g->rows));
	g->rows[g->nrows++] = row;
	return row.cells;
}

void grid_free(struct grid *g)
{
	for (size_t i = 0; i < g->nrows; i++) {
		free(g->rows[i].head);
		free(g->rows[i].cells);
		free(g->rows[i].spreads);
		free(g->rows[i].marks);
	}
	for (size_t i = 0; i < g->ncolumns; i++)
		free(g->columns[i]);
	free(g->rows);
	free(g->columns);
	free(g->corner);
	free(g->held);
	*g = (struct grid){0};
}

/* "Table 5.1" -> "table-5.1" */
static char *id_of(const char *what)
{
	char *id = alloc_string(what, strlen(what));

	for (char *c = id; *c; c++)
		*c = *c == ' ' ? '-' : (char)tolower((unsigned char)*c);
	return id;
}

void html_figure_begin(FILE *out, const char *what, const char *caption)
{
	char *id = id_of(what);

	if (*what)
		html(out, "<figure id='%s'><figcaption><b>%s</b>: ", id, what);
	else
		fputs("<figure><figcaption>", out);
	html(out, "%p</figcaption>\n", HTML_LABEL(caption));
	free(id);
}

void html_figure_end(FILE *out)
{
	fputs("</figure>\n", out);
}

void html_folded_begin(FILE *out, const char *summary)
{
	html_foldable_begin(out, summary, false);
}

void html_foldable_begin(FILE *out, const char *summary, bool open)
{
	html(out, "%-s%s</summary>\n", open ? "<details open><summary>" : "<details><summary>",
		summary);
}

void html_folded_end(FILE *out)
{
	fputs("</details>\n", out);
}

void html_picture(FILE *out, const char *base64, const char *alt)
{
	html(out,
		"<div class=scroll><img class=plot alt='%s' "
		"src='data:image/svg+xml;base64,%s'></div>\n",
		alt, base64);
}
