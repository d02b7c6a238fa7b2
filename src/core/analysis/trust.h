/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The mark of a figure: how far it can be trusted, and why no further. It is made of what belongs
 * to this figure alone: its interval, the samples that it is made of, and the pages that its thread
 * used. What holds for all figures of a file, such as a quick trial, is in quality.h.
 */
#ifndef TRUST_H
#define TRUST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/amount.h"

struct kernel;
struct samples;

enum trust_word { TRUST_FIRM, TRUST_FAIR, TRUST_WEAK };
extern const char *const trust_words[]; /* "firm", "fair", "weak", NULL */

/* What figures of the same samples have in common. */
struct trust_samples {
	int64_t taken, disturbed;
	bool unsettled;             /* the cost still changed while they were taken: settling.h */
	bool missed;                /* the load beside them is not the stated one: loads.h */
	bool lost;                  /* of single events: in many blocks the CPU was lost: tails.h */
	bool again;                 /* so many are disturbed that nothing is known */
	size_t misplaced, unproven; /* vectors; unproven: where their pages were is not known */
};

struct trust {
	enum trust_word word;
	double interval; /* half of it, in percent of the figure; NAN: there is none */
	struct trust_samples of;
	const char *written; /* why a result says that it is worse than these; NULL: it does not */
};

/* Half of an interval, in percent, and samples, in percent, that a word allows. A twentieth of
 * samples changes no middle value; the interval reaches over what up to half of them change, and
 * above that the operation is measured again (undisturbed.h). */
#define TRUST_FIRM_INTERVAL  3
#define TRUST_FIRM_DISTURBED 5
#define TRUST_FAIR_INTERVAL  10
#define TRUST_FAIR_DISTURBED 50

/* The mark of a figure that is measured. One without an interval is weak. */
struct trust trust_of(const struct trust_samples *of, struct amount figure);

/* Of a figure that is made of both: each of the worse one. */
struct trust trust_worse(const struct trust *a, const struct trust *b);

/* Of its name; TRUST_FIRM for all others. */
enum trust_word trust_word_named(const char *name);

/* Do its samples alone make a figure fair or weak? */
enum trust_word trust_word_of_samples(const struct trust_samples *of);

/* Between reasons: a comma would need quotes in CSV. */
#define TRUST_AND "; "

/* "interval +-11 %; disturbed samples: 3 of 10"; "" of a firm figure. To be freed. */
char *trust_why(const struct trust *t);
/* "weak: interval +-11 %"; "firm". To be freed. */
char *trust_text(const struct trust *t);

/* trust_measured.c: the same of samples as they were measured, of a thread or ALL_THREADS. */
struct trust_samples trust_samples_of(const struct samples *r, int op, int thread);
struct trust trust_measured(const struct samples *r, int op, int thread, struct amount figure);

/* That of a ratio of the key speedup. */
struct trust trust_of_speedup(
	const struct samples *r, int speedup, int thread, struct amount ratio);

/* The mark of a row of reports: that of the cost of a thread, of ALL_THREADS or THREADS_OF_KIND; in
 * the row of all, or of the only thread, also that of the bandwidth, where kernels measure one. 0,
 * or -1: not measured. */
int trust_of_row(const struct samples *r, int op, int thread, struct trust *t);
/* That bandwidth; value NAN: none. */
struct amount trust_bandwidth(const struct samples *r, int op);
/* Does the kernel measure a bandwidth? That of all threads is then a figure, too: it is what the
 * kernel is there for, and they do not begin together, so that its interval may be wider than those
 * of their costs. */
bool trust_measures_bandwidth(const struct kernel *k);

#endif
