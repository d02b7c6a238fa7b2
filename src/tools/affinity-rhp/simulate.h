/* SPDX-License-Identifier: GPL-3.0-or-later */
/* affinity-rhp --simulate: which ranges areas would get, and what that would cost. */
#ifndef SIMULATE_H
#define SIMULATE_H

#include <stdio.h>

#include "affinity-rhp/scenario.h"

/* Prints each area's pieces under the rule, then what they cover, compared with the program's own
 * node alone. Takes the ranges of s. */
void simulate(struct scenario *s, const struct rcm_rule *rule, FILE *out);

#endif
