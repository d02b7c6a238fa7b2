/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares result documents before and after a change: what differs in the work, and what became
 * slower. */
#ifndef COMPARE_H
#define COMPARE_H

#include <stdio.h>

#include "document/document.h"

struct comparison {
	const char *before, *after; /* one document each, or several of the same work, separated by
				       commas */
	const char *history;        /* further documents, history_read(); NULL: none */
	double tolerance;           /* a fraction */
	bool force;
};

/* Prints the differences in arguments and machine, then the ratio of costs after / before for each
 * run, operation and thread. With enough documents on both sides (verdict_runs()) it judges
 * (verdict_judge()); slower means by more than the tolerance. A history adds to what is known of
 * the change from run to run, and lists costs (verdict_list()) where nothing is judged. 0, or -1
 * with a message: a file that cannot be read, other work without force, several documents a side
 * that are too few, no document of a history that can be used (STATUS_USAGE); a cost that became
 * slower, or only disturbed costs (STATUS_FAILED). */
int compare_files(const struct comparison *c, FILE *out, struct errors *e);

#endif
