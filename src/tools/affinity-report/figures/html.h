/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces of HTML: figures, tables, captions, pictures. All write to `out`. */
#ifndef HTML_H
#define HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "analysis/trust.h"
#include "base/amount.h"
#include "base/html.h"
#include "base/numbers.h"
#include "base/say.h"

/* Parts of html(): a label, with its sizes as people write them: "16 KiB" for "16KiB" and "16384B";
 */
#define HTML_LABEL(label) (&(const struct html_part){html_label, .text = (label)})
void html_label(FILE *out, const struct html_part *p);

/* A figure with half its interval, with as many digits as in the text report; HTML_MISSING if there
 * is no value. */
#define HTML_MISSING "<abbr title='not measured'>n/m</abbr>"
void html_amount(FILE *out, struct amount a);

/* A table of amounts; it owns everything. All columns must be added before the rows. */
struct grid {
	char *corner;
	char **columns;
	size_t ncolumns;
	struct grid_row {
		char *head;
		const char *begins;   /* places that begin there; NULL: none */
		const char *unit;     /* of its cells, behind its head; NULL: the grid's */
		struct amount *cells; /* [ncolumns] */
		double *spreads;      /* [ncolumns] of placements, beside the interval; NAN: none */
		struct trust *marks;  /* [ncolumns]; those that are firm are not shown */
	} * rows;
	size_t nrows;
	const char *const *column_begins; /* [ncolumns]; NULL: nothing does */
	bool ranges;                      /* cells are those of statistics/crossing.h */
	const char *unit;                 /* of all cells; NULL: several, or none */
	/* HEAT_UNKNOWN: would have colours, but nobody knows which figures are worse */
	enum grid_heat { HEAT_NONE, HEAT_UNKNOWN, HEAT_MORE_IS_WORSE, HEAT_LESS_IS_WORSE } heat;
	char *held; /* what holds the data of the cells, shown below; NULL: not known */
	bool mean;  /* the last row, and the last of several columns, are means: without heat */
};

/* The unit in which the grid's cells are shown. */
struct scale grid_scale(const struct grid *g);

/* Appends a column; its head is formatted like printf(). */
void grid_column(struct grid *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends a row with only missing cells, without spreads; its head is formatted like printf().
 * Returns the cells; the row is the last one until another is appended. */
struct amount *grid_row(struct grid *g, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* html_grid.c. Rows and columns without any figure are named below the table instead. In a wide
 * table, each interval is below its figure. Figures have as many digits as they are certain;
 * data-value is the figure as the document has it. */
void html_grid(FILE *out, const struct grid *g);
void grid_free(struct grid *g);

/* A figure with a caption. what: "Table 5.1", which gets the id table-5.1, or "". */
void html_figure_begin(FILE *out, const char *what, const char *caption);
void html_figure_end(FILE *out);

void html_folded_begin(FILE *out, const char *summary);
/* The same, open until the reader folds it, where `open` says so. */
void html_foldable_begin(FILE *out, const char *summary, bool open);
void html_folded_end(FILE *out);

/* A picture in base64. */
void html_picture(FILE *out, const char *base64, const char *alt);

#endif
