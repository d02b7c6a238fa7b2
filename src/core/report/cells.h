/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The blocks of the text report, and what they have in common. Included in report/ only. */
#ifndef REPORT_CELLS_H
#define REPORT_CELLS_H

#include "document/document.h"
#include "report/report.h"

/* Prints a blank and the value, or n/a if there is no figure. */
void report_cell(FILE *out, int width, int digits, double value);
/* In buffer: a number that was asked for, as %.12g, or n/a where a document lacks it. */
const char *report_number(double value, char *buffer, size_t n);

/* " +-" and half of an interval, with three decimals. */
void report_half(FILE *out, int width, struct amount a);

/* " (L1)": what holds the data of the figures before it, of a thread and of all threads. */
void report_held(const char *words, FILE *out);
void report_held_together(const struct document_operation *o, FILE *out);
/* Its words in buffer. */
const char *report_held_words(const struct document_operation *o, char *buffer, size_t n);

/* " | weak: interval +-11 %": the mark of a row, last in it. */
void report_mark(const struct document_mark *m, FILE *out);

/* The width of the column of the operations' names. */
int report_label_width(const struct document_run *r);

/* "ns/unit" or "s", and the factor to that unit. */
const char *report_cost_unit(const struct document_method *m);
double report_cost_scale(const struct document_method *m);

/* run.c: a run. Those below are its blocks; one that has nothing to say prints nothing. */
void report_run(const struct document *d, size_t run, FILE *out);

/* vectors.c: fragmented nodes; the vectors, as asked for and as found; what rhp_frag_profiler was
 * judged by; physical ranges. */
void report_leaves(const struct document_run *r, FILE *out);
void report_vectors(const struct document_run *r, FILE *out);
void report_profiler(const struct document_run *r, FILE *out);
void report_physical(const struct document_run *r, FILE *out);

/* samples.c: what the intervals are about: one placement says nothing of the next. And how many
 * samples of each operation were taken, what disturbed them and why sampling ended. */
void report_placements(const struct document_run *r, FILE *out);
void report_samples(const struct document *d, const struct document_run *r, FILE *out);

/* figures.c: the figures that kernels have of their own, with solo also of each thread alone. */
void report_figures(const struct document_run *r, FILE *out);

/* tails.c: percentiles of single events. */
void report_tails(const struct document_run *r, FILE *out);

/* places.c: on which nodes the pages of vectors were before an operation and after it. */
void report_places(const struct document_run *r, FILE *out);

/* ratios.c: speedups, alone and together, speedups against the baseline. */
void report_ratios(const struct document_run *r, FILE *out);

/* cores.c: the clock rates of the cores, and where threads ran that are not bound. */
void report_clock(const struct document_run *r, FILE *out);
void report_unbound(const struct document *d, const struct document_run *r, FILE *out);

/* counters.c: the counts of one run, and how all runs were counted. */
void report_counters(const struct document *d, const struct document_run *r, FILE *out);
void report_counting(const struct document_counting *c, FILE *out);

/* claims.c: all `claim` lines with their verdicts. */
void report_claims(const struct document *d, FILE *out);

#endif
