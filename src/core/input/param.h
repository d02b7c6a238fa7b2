/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns a text into a typed field by a row of struct param, or refuses it with the row's range. */
#ifndef PARAM_H
#define PARAM_H

#include "base/error.h"
#include "contract/kernel.h"

/* The row called `name` (or with that alias), or NULL. */
const struct param *param_find(const struct param *table, const char *name);

/* Is `written` the name or the alias of the row called `name`? */
bool param_is(const struct param *table, const char *written, const char *name);

/* Sets the row's field of the struct at `base` from text. 0, or -1 with a message (STATUS_USAGE).
 * Words and lines are added to what the field holds. */
int param_set(
	const struct param *p, void *base, const char *text, struct place at, struct errors *e);

/* What is chosen in the struct at `base` by the PARAM_CHOICE row called `name`; NULL: the table has
 * none. */
const char *param_choice(const struct param *table, const void *base, const char *name);

/* The row of a table that takes all other pairs (PARAM_PAIRS), or NULL. */
const struct param *param_find_pairs(const struct param *table);

/* Adds a pair to the field of such a row. 0, or -1 with a message: there is no room for it. */
int param_add_pair(const struct param *p, void *base, const char *name, const char *value,
	struct place at, struct errors *e);

/* Sets every field of the table to its default; rows without one are left alone. The defaults are
 * the program's own, so a bad one is a bug (assert). */
void param_defaults(const struct param *table, void *base);

/* "at least 1 element", "0 .. 1", "one of forward, reverse, random": what the row accepts; in
 * buffer. */
const char *param_range(const struct param *p, char *buffer, size_t n);

/* Frees what PARAM_WORDS and PARAM_LINES fields of the struct hold. */
void param_release(const struct param *table, void *base);

#endif
