/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the costs of two sides, and judges them where there are enough runs. */
#ifndef COMPARE_RATIOS_H
#define COMPARE_RATIOS_H

#include <stdio.h>

#include "statistics/verdict.h"
#include "compare/sides.h"

/* If no cost changed, the share of comparisons that may still report a cost as slower or faster. */
#define COMPARE_ERRORS 0.05

/* Where nothing is judged: a larger difference should be measured again. */
#define COMPARE_LOOK_AT 0.03

/* A cost that all documents have. */
struct ratio {
	const struct cost *like; /* of the first document */
	bool disturbed;          /* in some document; then it is not judged */
	bool unjudged;           /* others are judged, and this one has too few runs */
	bool differs;            /* by more than COMPARE_LOOK_AT, or than a history explains; only
				    if it is not judged */
	struct verdict verdict;
};

struct ratios {
	struct ratio *list;
	size_t count;
	bool judged;
	bool listed;    /* not judged, and `differs` says what the history does not explain */
	size_t history; /* its results; 0: none */
	size_t needed;  /* results a side, to be judged */
	size_t slower, faster, differing, disturbed, unjudged;
	size_t missing; /* costs that some document has and another one lacks */
	bool two_files; /* there are two documents in all */
	bool by_rounds; /* runs of programs are what results of kernels are */
};

/* Fills in r: costs are slower or faster by more than `tolerance` (a fraction). history: further
 * results without a change, or NULL. With force, disturbed costs are judged too. Call
 * ratios_free(). */
void ratios_judge(struct ratios *r, const struct side *before, const struct side *after,
	const struct side *history, double tolerance, bool force);
void ratios_free(struct ratios *r);

/* Prints a row for each cost and a sum of the verdicts; d: one of the documents. */
void ratios_print(const struct ratios *r, const struct document *d, double tolerance, FILE *out);

#endif
