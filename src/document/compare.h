/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares result documents before and after a change: what differs in the work, and what became
 * slower. */
#ifndef COMPARE_H
#define COMPARE_H

#include <stdio.h>

#include "document/document.h"

/* a and b: one document each, or several documents of the same work, separated by commas. Prints
 * the differences in arguments and machine, then the ratio of costs b / a for each run, operation
 * and thread. With enough documents on both sides (verdict_runs()) it judges (verdict_judge());
 * slower means by more than the tolerance (a fraction). 0, or -1 with a message: a file that cannot
 * be read, other work without force, several documents a side that are too few (STATUS_USAGE); a
 * cost that became slower, or only disturbed costs (STATUS_FAILED). */
int compare_files(
	const char *a, const char *b, double tolerance, bool force, FILE *out, struct errors *e);

#endif
