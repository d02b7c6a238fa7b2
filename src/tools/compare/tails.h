/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the distributions of single events in two results. */
#ifndef COMPARE_TAILS_H
#define COMPARE_TAILS_H

#include <stdio.h>

#include "document/document.h"

/* Prints, for each run, operation and thread of which both have a distribution, the ratios of
 * percentiles, and the difference of the shares above the time that both count: near a step of the
 * distribution a percentile jumps, while the share moves little. Intervals are over the placements:
 * paired, where both have as many. Nothing where there are none. */
void compare_tails(const struct document *before, const struct document *after, FILE *out);

#endif
