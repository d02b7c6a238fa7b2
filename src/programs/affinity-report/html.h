/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces of HTML: escaped text, figures, tables, captions, pictures. All write to `out`. */
#ifndef HTML_H
#define HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/amount.h"

/* Text from files: every character that HTML gives a meaning is escaped, control characters are
 * left out. n bytes of it, or all. */
void html_text(FILE *out, const char *text);
void html_text_n(FILE *out, const char *text, size_t n);

/* A coordinate: the fewest digits that give the same number back. */
void html_number(FILE *out, double number);

/* A figure with half its interval, with the digits of the text report; a dash without value. */
void html_amount(FILE *out, struct amount a);

/* A table of amounts; all but the corner is owned. Columns are added before rows. */
struct grid {
	const char *corner;
	char **columns;
	size_t ncolumns;
	struct grid_row {
		char *head;
		struct amount *cells; /* [ncolumns] */
	} * rows;
	size_t nrows;
};

/* Appends a column whose head is made as by printf(). */
void grid_column(struct grid *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends a row whose head is made as by printf(), with cells that all are missing; returns them.
 */
struct amount *grid_row(struct grid *g, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* In wide tables, intervals stand below their figures. */
void html_grid(FILE *out, const struct grid *g);
void grid_free(struct grid *g);

/* A figure with a caption; what: "Table 5.1", whose id is table-5.1, or "". */
void html_figure_begin(FILE *out, const char *what, const char *caption);
void html_figure_end(FILE *out);

void html_folded_begin(FILE *out, const char *summary);
void html_folded_end(FILE *out);

/* A picture in base64. */
void html_picture(FILE *out, const char *base64, const char *alt);

#endif
