/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plot of a document, drawn from the document's own figures. */
#ifndef PANEL_H
#define PANEL_H

#include "base/numbers.h"
#include "affinity-report/drawings/axis.h"
#include "affinity-report/figures/grids.h"

/* Draws curves where rows are numbers, else bars. caption: what it shows. false: it is no plot, or
 * has fewer than two figures. */
bool panel_draw(FILE *out, const struct document *d, const struct document_table *t,
	const struct grid *g, const char *caption);

/* One of several pictures of the same axes. */
struct panel_part {
	struct document_table table;
	struct grid grid; /* the table's */
	char *subject;    /* what it is of, beside the others, or "" */
};
/* Draws curves of several machines, whose legend is elsewhere. d: of one of them; the caches of
 * others are different ones. */
void panel_parts(FILE *out, const struct document *d, const struct panel_part *parts, size_t n,
	const char *caption);
/* Is each row a number? */
bool panel_is_numbered(const struct document_table *t);
/* A piece of a curve for a legend */
void panel_sample(FILE *out, size_t curve);

/* The rest is for the files panel_*.c only. The field of the picture in its 400 by 268 units: */
#define PANEL_WIDTH  400.0
#define PANEL_LEFT   52.0
#define PANEL_RIGHT  390.0
#define PANEL_TOP    26.0
#define PANEL_BOTTOM 224.0

struct panel {
	const struct document *document;
	const struct document_table *table;
	const struct grid *grid; /* the table's */
	struct scale scale;      /* in which figures are shown */
	struct axis x, y;
	bool sizes;          /* rows are sizes of vectors */
	const char *subject; /* of a part; NULL: the picture is the only one */
};

struct amount panel_amount(const struct panel *p, size_t row, size_t column);
/* Where a point is on the axis of the rows; NAN: nowhere. */
double panel_place(const struct panel *p, size_t row, size_t column);
/* Has the point a figure and a place? */
bool panel_has(const struct panel *p, size_t row, size_t column);

/* Where a figure is on the axis of the figures; one that is not on it is at the axis' end. */
double panel_height(const struct panel *p, double value);

/* panel_curves.c */
void panel_curves(FILE *out, const struct panel *p);

/* panel_caches.c: shades the sizes that every second cache of the document's machine holds and the
 * one below it does not. */
void panel_caches(FILE *out, const struct panel *p);
bool panel_is_of_sizes(const struct document *d, const struct document_table *t);

#endif
