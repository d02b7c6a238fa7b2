/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawings of an experiment, each of a part of the page. draw.h and panel.h have their pieces. */
#ifndef REPORT_DRAWINGS_H
#define REPORT_DRAWINGS_H

#include "affinity-report/figures/html.h"
#include "affinity-report/store/store.h"

/* places.c: on which nodes pages were before each operation whose kernels can move them, and after
 * it, folded; nothing where there are none */
void page_places(const struct document *d, FILE *out);

/* trace.c: the clock rates of all threads over the time of the experiment, folded; nothing where
 * the document has no times of samples or no rates */
void page_clock(const struct document *d, FILE *out);
/* The same of a plot of clock rates over time; false: the table is something else, or has nothing
 * to draw */
bool page_trace(const struct document_table *m, FILE *out);

/* gantt.c: when each of several threads worked in the middle sample of each operation, folded
 * unless open */
void page_work(const struct document *d, const struct document_run *r, bool open, FILE *out);
/* wander.c: on which CPUs threads ran that were not bound, folded unless open; nothing where the
 * document does not say which nodes these belong to */
void page_wander(const struct document *d, const struct document_run *r, bool open, FILE *out);

/* tails.c: the distributions of single events of all runs, folded; nothing where there are none */
void page_tails(const struct document *d, FILE *out);

#endif
