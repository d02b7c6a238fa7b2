/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instruction mixes from counters: which figures of events.txt give the shares of a mix. */
#ifndef COUNTED_MIX_H
#define COUNTED_MIX_H

#include <stdbool.h>

#include "counters/counting.h"
#include "mapping/mapping.h"

/* Finds the metric, a percentage of all instructions, that gives the share of a type. An event that
 * counts something other than its name says gives none: its share would look right and be wrong.
 * bound: what is counted stays on its CPU, so an event may count on some kinds of cores only.
 * Returns NULL, or the reason why there is no metric, to be freed; *m is NULL then. c counts the
 * group mix. */
char *counted_mix_find(const struct counting *c, enum mapping_type type, bool bound,
	const struct counted_metric **m);

/* The share that a percentage is; NAN for what no share can be. */
double counted_mix_share(double percent);

#endif
