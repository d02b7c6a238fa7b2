/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result documents before or after a change: repetitions of one run. */
#ifndef COMPARE_SIDES_H
#define COMPARE_SIDES_H

#include <stdio.h>

#include "base/error.h"
#include "base/text.h"
#include "compare/conditions.h"
#include "compare/costs.h"

/* The number of differences of arguments that are listed; further ones are only counted. */
#define COMPARE_LISTED 20

struct side {
	struct words paths;
	struct costs *costs;           /* [paths.count] */
	struct conditions *conditions; /* [paths.count] */
};

/* The number of differences, and how many of them mean that other work was done. */
struct differences {
	size_t all, work;
	const char *first; /* name of the first difference in the work; of the conditions */
	FILE *out;         /* NULL: differences are only counted */
};

/* Adds the differences between two lists of conditions, and prints the first ones. */
void side_differences(
	struct differences *d, const struct conditions *was, const struct conditions *is);

/* Reads paths or names of results (named.h) that commas separate. 0, or -1 with messages; call
 * side_free() in both cases. */
int side_read(struct side *s, const char *paths, struct errors *e);
void side_free(struct side *s);

/* Is it a copy of one of the side's results? */
bool side_contains(const struct side *s, const struct costs *c);

/* Are all documents of a side results of the same work, and each a run of its own? With force,
 * other work is no fault. 0, or -1 with messages. */
int side_check(const struct side *s, bool force, struct errors *e);

#endif
