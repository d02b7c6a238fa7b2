/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares result documents before and after a change: what differs in the work, and what became
 * slower. */
#ifndef COMPARE_H
#define COMPARE_H

#include <stdio.h>

#include "document/document.h"

/* The number of differences of arguments that are listed; further ones are only counted. */
#define COMPARE_LISTED 20

/* If no cost changed, the share of comparisons that may still report a cost as slower or faster. */
#define COMPARE_ERRORS 0.05

/* With one document per side: a larger difference should be measured again. */
#define COMPARE_LOOK_AT 0.03

struct verdicts {
	size_t compared, slower, faster;
	size_t differing; /* by more than COMPARE_LOOK_AT, if nothing is judged */
	size_t only_one;  /* in one document only */
};

/* a and b: one document each, or several documents of the same work, separated by commas. Prints
 * the differences in arguments and machine, then the ratio of costs b / a for each run, operation
 * and thread. With two documents or more on both sides it judges: Student's t on logarithms, Holm
 * over all costs; slower means by more than the tolerance (a fraction). 0, or -1 with a message: a
 * file that cannot be read or other work without force (STATUS_USAGE); a cost that became slower
 * (STATUS_FAILED). */
int compare_files(
	const char *a, const char *b, double tolerance, bool force, FILE *out, struct errors *e);

#endif
