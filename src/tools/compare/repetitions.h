/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What keeps the results of a side from being repetitions of one run. */
#ifndef COMPARE_REPETITIONS_H
#define COMPARE_REPETITIONS_H

#include <stdio.h>

#include "compare/sides.h"

/* Does this fact differ in every run although the machine did not change? */
bool repetitions_fact_varies(const char *fact);

/* Prints, under a heading of their own, the results of both sides that were interrupted, and what
 * sets the further results of a side apart from its first one: arguments, places and facts of the
 * machine, but no choices of kernels. Prints nothing where there is nothing of that. */
void repetitions_print(const struct side *before, const struct side *after, FILE *out);

#endif
