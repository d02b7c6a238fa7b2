/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Result documents before and after a change: what was done otherwise, and what became slower. */
#ifndef COMPARE_H
#define COMPARE_H

#include <stdio.h>

#include "document/document.h"

/* Differences of arguments that are listed; what follows is counted. */
#define COMPARE_LISTED 20

/* Of comparisons in which nothing became slower or faster, the part that may say so of any cost. */
#define COMPARE_ERRORS 0.05

/* With one document a side: from here on a difference is worth to be measured again. */
#define COMPARE_LOOK_AT 0.03

struct verdicts {
	size_t compared, slower, faster;
	size_t differing; /* by more than COMPARE_LOOK_AT, where nothing is judged */
	size_t only_one;  /* in one document only */
};

/* a and b: one document each, or several of the same work divided by commas. Says what differs in
 * arguments and machine, then for every run, operation and thread the ratio of costs b / a. With
 * two documents or more on both sides it judges: Student's t on logarithms, Holm over all costs,
 * slower: by more than the tolerance (a fraction). 0, or -1 with a message: a file that cannot be
 * read, other work without force (STATUS_USAGE); something that became slower (STATUS_FAILED). */
int compare_files(
	const char *a, const char *b, double tolerance, bool force, FILE *out, struct errors *e);

#endif
