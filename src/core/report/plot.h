/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of tables, drawn by gnuplot as SVG. */
#ifndef PLOT_H
#define PLOT_H

#include <signal.h>

#include "analysis/view.h"

/* Calls each(arg, path) for every file that a picture may be written to, before anything is
 * measured: results.txt gives results.svg, or results-1.svg, results-2.svg ... if there are several
 * pictures. Only the samples show which pictures have figures. Makes no call if out is not a file.
 */
void plot_paths(const struct experiment *x, const struct views *v, const char *out,
	void (*each)(void *arg, const char *path), void *arg);

/* Will there be pictures? If gnuplot is missing, or out is "-" or a device, one warning gives the
 * reason. Must be called before the results are written, because they contain the warning. */
bool plot_possible(
	const struct experiment *x, const struct views *v, const char *out, struct errors *e);

/* Draws every `plot` line into files beside out. A picture that gnuplot cannot draw, or cannot draw
 * in time, is a warning. *stop, set by a signal handler, stops drawing at once. 0, or -1 if a file
 * cannot be written. */
int plot_all(const struct experiment *x, const struct views *v, const char *out,
	const volatile sig_atomic_t *stop, struct errors *e);

/* The gnuplot script of one picture, written to f; for plot_all() and the tests. */
void plot_script(const struct view *v, const struct table *m, FILE *f);

#endif
