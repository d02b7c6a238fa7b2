/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a number means that was typed without its unit: stride: 64 is 64 elements, timeLimit: 10 is
 * 10 ms. */
#ifndef PLAN_UNITS_H
#define PLAN_UNITS_H

#include <stdio.h>

#include "plan/plan.h"

/* The values of a kernel's parameter, each with its unit and bytes where it has none. */
void plan_units_parameter(const struct plan *p, const struct setting *s, FILE *out);

/* A line for each time of a key that has no unit. */
void plan_units_keys(const struct args *a, FILE *out);

#endif
