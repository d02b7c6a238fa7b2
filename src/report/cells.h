/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the blocks of a run in the text report have in common. Included in report/ only. */
#ifndef REPORT_CELLS_H
#define REPORT_CELLS_H

#include "report/report.h"

/* Prints a blank and the value, or n/a if there is no figure. */
void report_cell(FILE *out, int width, int digits, double value);

/* " (L1)": what holds the data of the figures before it, of a thread and of all threads. */
void report_held(const char *words, FILE *out);
void report_held_together(const struct plan *p, int op, FILE *out);

/* The mark of a row, last in it. */
void report_mark(const struct samples *r, int op, int who, FILE *out);

/* The width of the column of the operations' names. */
int report_label_width(const struct plan *p);

/* ratios.c: speedups, alone and together, speedups against the baseline. */
void report_ratios(const struct experiment *x, size_t run, FILE *out);

#endif
