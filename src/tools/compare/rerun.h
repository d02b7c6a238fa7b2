/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands that measure again what differed, often enough to judge it. */
#ifndef COMPARE_RERUN_H
#define COMPARE_RERUN_H

#include <stdio.h>

#include "compare/ratios.h"

/* Prints commands for a shell: the runs and operations in which something differs, three times a
 * side in turn, and their comparison. Prints nothing if nothing differs. */
void rerun_print(
	const struct ratios *r, const struct side *before, const struct side *after, FILE *out);

#endif
