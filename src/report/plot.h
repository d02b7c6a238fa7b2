/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of tables, drawn by gnuplot as SVG. */
#ifndef PLOT_H
#define PLOT_H

#include <signal.h>

#include "analysis/view.h"

/* Calls each(arg, path) for every file that a picture may become, before anything is measured:
 * results.txt gives results.svg, or results-1.svg, results-2.svg ... where there are several
 * pictures. Which of them have figures only the samples show. None when out is no file. */
void plot_paths(const struct experiment *x, const struct views *v, const char *out,
	void (*each)(void *arg, const char *path), void *arg);

/* Will there be pictures? Where gnuplot is missing, or out is "-" or a device, one warning says why
 * not. Asked before results are written, which contain it. */
bool plot_possible(
	const struct experiment *x, const struct views *v, const char *out, struct errors *e);

/* Draws every `plot` line into files beside out. A picture that gnuplot cannot draw, or not in
 * time, is a warning. *stop, set by a signal handler, ends it at once. 0, or -1 when a file cannot
 * be written. */
int plot_all(const struct experiment *x, const struct views *v, const char *out,
	const volatile sig_atomic_t *stop, struct errors *e);

/* The gnuplot script of one picture, written to f; for plot_all() and the tests. */
void plot_script(const struct view *v, const struct table *m, FILE *f);

#endif
