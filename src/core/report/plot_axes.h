/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The axes of a picture. */
#ifndef PLOT_AXES_H
#define PLOT_AXES_H

#include "analysis/view.h"

/* Do the rows lie on an axis? least, most: its ends. */
bool plot_numeric_rows(const struct table *m, double *least, double *most);
/* Six doublings: the rows are geometric or close to it. */
bool plot_geometric(double least, double most);
/* Do times in `unit`, over sizes, span so much that those of caches would lie on 0? */
bool plot_logarithmic(const char *unit, double least, double most);

/* Tics where rows are: nobody measured with 1.2 threads. Sizes are written as such. */
void plot_x_tics(const struct table *m, double least, double most, FILE *f);

/* Scale, range and name of the axis of the figures. Times by size have a logarithmic one, or that
 * of the memory presses those of the caches onto 0. */
void plot_y_axis(const struct table *m, bool by_size, FILE *f);

#endif
