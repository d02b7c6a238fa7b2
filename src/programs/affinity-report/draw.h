/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawings as SVG: where threads and vectors are, shares of accesses, bars. */
#ifndef DRAW_H
#define DRAW_H

#include "document/document.h"
#include "programs/affinity-report/html.h"

/* The mark that all arrows of the page use; once, before the first drawing. */
void draw_arrow_head(FILE *out);

/* A run as figures 5.3 to 5.8 show it: who uses what. A vector of several nodes is drawn in each of
 * them. Where that is too much for a drawing, a sentence. */
void draw_placement(FILE *out, const struct document_run *r);

/* Figures 5.10 to 5.13: the source of a line when threads on the nodes x and y share a vector. */
void draw_line_sources(FILE *out, int x, int y);

/* Figure 5.14: which part of the vector each thread visits. Nothing without accesses. */
void draw_shares(FILE *out, const struct document_run *r);

/* chart.c: every row of the grid as a bar of shares that sum to 1. */
void draw_stacked(FILE *out, const struct grid *g);

/* chart.c: a group of bars for each row, with intervals and a line at 1. */
void draw_grouped(FILE *out, const struct grid *g);

#endif
