/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What people read. The writers of results take a result document and nothing else, whether it was
 * just measured or read from a file: both are shown alike. */
#ifndef REPORT_H
#define REPORT_H

#include <stdio.h>

#include "analysis/claims.h"
#include "document/document.h"

/* The layout of the thesis's Code A.6 first, with further columns to its right; then the placement
 * as found, disturbances, warnings and the machine. */
void report_text(const struct document *d, FILE *out);

/* A head line, then one row for each thread of each sample; warm-up samples are included and
 * marked. */
void report_csv(const struct document *d, FILE *out);

/* summary.c: a head line, then one row for each figure of each thread and of all threads (whose
 * kernel, thread, node, cpu and vectors are empty), with the ends of its interval. Figures and
 * their units are those of tables (analysis/view.h); one that does not exist has no row. */
void report_summary(const struct document *d, FILE *out);

/* mix.c: the counted mix of each thread, as a profile (mapping/profile.h): a row for each kernel
 * and thread, types that are not counted are empty. */
void report_mix(const struct document *d, FILE *out);
/* Can it be written? Before anything is measured. 0, or -1 with a message: STATUS_USAGE, the file
 * does not count the group mix, or has several mixes for a thread and a kernel; STATUS_COUNTERS,
 * this machine counts no type. */
int report_mix_check(const struct experiment *x, struct errors *e);

/* text.c: what was found (src/core/findings), a line each, and how far it can be trusted, behind
 * `before`. */
void report_sentences(const struct document *d, const char *before, FILE *out);
void report_trust(const struct document *d, const char *before, FILE *out);

/* tables.c: the matrices of all `table` lines, aligned. */
void report_tables(const struct document *d, FILE *out);

/* claims.c: before they are judged: which tests will be. */
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
