/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does the argument file ask for what a quantity needs? */
#ifndef NEEDS_H
#define NEEDS_H

#include "analysis/view.h"

/* 0, or -1 with a message (STATUS_USAGE). */
int needs_check(const struct view *v, const struct experiment *x, struct errors *e);

/* "; needs baseline, counters: tlb" of the table, or nothing. */
void needs_print(const struct quantity_row *q, FILE *out);

#endif
