/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawings as SVG: places of threads and vectors, shares of accesses, bars. */
#ifndef DRAW_H
#define DRAW_H

#include "document/document.h"
#include "affinity-report/figures/html.h"

/* The arrow head that all arrows of the page use; call it once, before the first drawing. */
void draw_arrow_head(FILE *out);

/* A run in the style of figures 5.3 to 5.8: which thread uses which vector. A vector on several
 * nodes is drawn in each of them. If a drawing would be too large, writes a sentence instead. */
void draw_placement(FILE *out, const struct document_run *r);

/* Figures 5.10 to 5.13: the source of a line if threads on the nodes x and y share a vector. */
void draw_line_sources(FILE *out, int x, int y);

/* Figure 5.14: the part of the vector that each thread accesses. Nothing without accesses. */
void draw_shares(FILE *out, const struct document_run *r);

/* chart.c: the colour of column or line i; they repeat after DRAW_COLOURS. */
#define DRAW_COLOURS 6
const char *draw_colour(size_t i);

/* chart.c: the shape of the dots of line i, around a point of a path: lines differ without colours
 * too */
const char *draw_mark(size_t i);

/* chart.c: the attribute with which the element of line i ends; colours repeat with other dashes */
void draw_line_style(FILE *out, size_t i);
/* A piece of that line, for a legend. */
void draw_line_sample(FILE *out, size_t i);

/* chart.c: five times below a field from left to right, 0 to `length` of the unit. */
void draw_times(FILE *out, double left, double right, double y, double length, const char *unit);

/* chart.c: the colours of columns */
void draw_legend(FILE *out, const struct grid *g);

/* chart.c: each row of the grid as a bar of shares that sum to 1. */
void draw_stacked(FILE *out, const struct grid *g);

/* bars.c: a group of bars for each row, with intervals, and a line at 1 where figures are ratios.
 * s: in which figures are shown; title: of the axis, or ""; caption: what it shows. Says so where
 * there would be too many bars to read. false: there are none. */
bool draw_grouped(
	FILE *out, const struct grid *g, struct scale s, const char *title, const char *caption);

#endif
