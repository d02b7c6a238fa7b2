/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of matrices, drawn by gnuplot as SVG. */
#ifndef PLOT_H
#define PLOT_H

#include "analysis/view.h"

/* Draws every `plot` line into files beside out: results.txt gives results.svg, or results-1.svg,
 * results-2.svg ... where there are several pictures. Without gnuplot, or when out is "-" or a
 * device, one warning says so and nothing is drawn. 0, or -1 when a file cannot be written. */
int plot_all(const struct experiment *x, const struct views *v, const char *out, struct errors *e);

/* The gnuplot script of one picture, written to f; for plot_all() and the tests. */
void plot_script(const struct view *v, const struct table *m, FILE *f);

#endif
