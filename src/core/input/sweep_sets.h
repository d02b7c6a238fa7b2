/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of the machine as values of a sweep: nodes, cores, cpus, cores(L3(0)), count(L3), L3(each).
 */
#ifndef SWEEP_SETS_H
#define SWEEP_SETS_H

#include "input/names.h"
#include "base/text.h"

bool sweep_is_set(const char *word);

/* Adds its members. 0, or -1 with a message: places that the machine lacks, or that are none. */
int sweep_add_set(
	struct words *values, const char *set, const struct names *names, struct errors *e);

#endif
