/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of options that are no files. Each function returns 0, or -1 with a message. */
#ifndef OPTION_VALUES_H
#define OPTION_VALUES_H

#include "programs/affinity/options.h"

int options_given_twice(const char *option, struct errors *e);

/* --tolerance: per cent, or a fraction. */
int options_take_tolerance(struct options *o, const char *value, struct errors *e);

/* --verify: a number of placements. */
int options_take_verify(struct options *o, const char *value, struct errors *e);

/* --plan: full. */
int options_take_plan(struct options *o, const char *value, struct errors *e);

#endif
