/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writers of results. All take their figures from derive.h, so text, JSON and CSV show the same
 * numbers. */
#ifndef REPORT_H
#define REPORT_H

#include <stdio.h>

#include "input/args.h"
#include "analysis/claims.h"
#include "analysis/derive.h"
#include "analysis/view.h"
#include "system/environment.h"

struct report {
	const struct experiment *experiment;
	const struct views *views;
	const struct claims *claims; /* judged */
	const struct environment *environment;
	const struct args *args;
	const struct errors *warnings; /* of the whole run */
	double elapsed_s;              /* from the first page to the last check */
};

/* The layout of the thesis's Code A.6 first, with further columns to its right; then the placement
 * as found, disturbances, warnings and the machine. Like every writer of results it returns 0, or
 * -1 if out of memory. */
int report_text(const struct report *r, FILE *out);

/* One document, "schema": 3; manual/output.md describes it. 0, or -1 if out of memory. */
int report_json(const struct report *r, FILE *out);

/* A head line, then one row for each thread of each sample; warm-up samples are included and
 * marked. */
int report_csv(const struct report *r, FILE *out);

/* summary.c: a head line, then one row for each figure of each thread and of all threads (whose
 * kernel, thread, node, cpu and vectors are empty), with the ends of its interval. Figures and
 * their units are those of tables (analysis/view.h); one that does not exist has no row. Always 0.
 */
int report_summary(const struct report *r, FILE *out);

/* mix.c: the counted mix of each thread, as a profile (mapping/profile.h): a row for each kernel
 * and thread, types that are not counted are empty. Always 0. */
int report_mix(const struct report *r, FILE *out);
/* Can it be written? Before anything is measured. 0, or -1 with a message: STATUS_USAGE, the file
 * does not count the group mix, or has several mixes for a thread and a kernel; STATUS_COUNTERS,
 * this machine counts no type. */
int report_mix_check(const struct experiment *x, struct errors *e);

/* verdict.c: what was found, and how far it can be trusted, in a line without its end. To be freed.
 */
char *report_verdict(const struct report *r);

/* run.c: one run of the experiment, for the text report. */
void report_run(const struct experiment *x, size_t run, FILE *out);

/* vectors.c: the vectors of a run, as asked for and as found. */
void report_vectors(const struct samples *r, FILE *out);
/* vectors.c: their physical ranges; nothing without physicalRanges. */
void report_physical(const struct run *t, FILE *out);
/* vectors.c: nodes of leaveHuge; nothing without it. */
void report_leaves(const struct samples *r, FILE *out);

/* vectors.c: what rhp_frag_profiler was judged by; nothing without it. */
void report_profiler(const struct experiment *x, size_t run, FILE *out);

/* unbound.c: a line for each operation and each thread that is not bound; nothing if all threads
 * are bound. */
void report_unbound(const struct samples *r, FILE *out);
/* clock.c: the clock rates of the cores, a line for each operation and thread; nothing if they were
 * not measured. */
void report_clock(const struct samples *r, FILE *out);
/* How many samples of each operation were taken, what disturbed them and why sampling ended. */
void report_samples(const struct samples *r, FILE *out);
/* What the intervals are about: one placement says nothing of the next. */
void report_placements(const struct samples *r, FILE *out);

/* figures.c: the figures that kernels have of their own, with solo also of each thread alone;
 * nothing if they have none. */
void report_figures(const struct run *t, FILE *out);

/* places.c: on which nodes the pages of vectors were before an operation and after it; nothing if
 * no kernel can move pages. */
void report_places(const struct samples *r, FILE *out);

/* counters.c: the counts of one run, and how all runs were counted. */
void report_counters(const struct samples *r, FILE *out);
void report_counting(const struct counting *c, FILE *out);

/* tables.c: the matrices of all `table` lines, aligned. */
void report_tables(const struct experiment *x, const struct views *v, FILE *out);

/* claims.c: all `claim` lines with their verdicts; nothing without one. */
void report_claims(const struct experiment *x, const struct claims *c, FILE *out);
/* Before they are judged: which tests will be. */
void report_claims_plan(const struct claims *c, FILE *out);

/* plan.c: what each run would do, for --plan; full: every run whole, not what differs from the run
 * before. */
void report_plan(const struct experiment *x, const struct claims *c, bool full, FILE *out);

/* topology.c: the machine, for --topology. */
void report_topology(const struct topo *t, FILE *out);

/* list.c: --list, the kernels that have one of the patterns, a line each; without patterns all, by
 * groups. */
void report_kernels(const struct words *patterns, FILE *out);

/* kernels.c: --help NAME ("keys" and "quantities" of the argument file). -1 if there is no such
 * kernel. */
int report_help(const char *name, FILE *out, struct errors *e);

#endif
