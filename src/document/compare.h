/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two result documents side by side: what became slower, beyond noise and beyond a tolerance. */
#ifndef COMPARE_H
#define COMPARE_H

#include <stdio.h>

#include "document/document.h"

struct verdicts {
	size_t compared, slower, faster;
	size_t unknown;  /* no interval: too few samples */
	size_t only_one; /* in one document only */
};

/* Prints for every run, operation and thread, and for all threads together, the ratio of costs b /
 * a with its interval (error propagation), and what changed in the machine. Slower: the whole
 * interval lies above 1 + tolerance; faster: below 1 - tolerance. */
struct verdicts compare(
	const struct document *a, const struct document *b, double tolerance, FILE *out);

/* Reads and compares two files. 0, or -1 with a message: a file that cannot be read (STATUS_USAGE),
 * something that became slower (STATUS_FAILED). */
int compare_files(const char *a, const char *b, double tolerance, FILE *out, struct errors *e);

#endif
