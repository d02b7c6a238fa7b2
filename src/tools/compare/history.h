/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of earlier runs of one build on this machine: they say how far costs change from run to
 * run when nothing is changed. */
#ifndef COMPARE_HISTORY_H
#define COMPARE_HISTORY_H

#include <stdio.h>

#include "compare/sides.h"

/* Reads the results that `paths` names, files, folders with their *.json and names of results
 * (named_history()) divided by commas, into s. Leaves out, and tells why: results that a side has
 * too or that are there twice, of another machine, of other arguments than the first result before,
 * of another build than the first one that is used, and those in which a cost is disturbed or
 * missing. 0, or -1 with messages (STATUS_USAGE): a file that cannot be read, or nothing is left.
 * Call side_free() in both cases.
 */
int history_read(struct side *s, const char *paths, const struct side *before,
	const struct side *after, FILE *out, struct errors *e);

#endif
