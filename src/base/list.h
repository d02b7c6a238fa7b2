/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The short forms of a list of values. */
#ifndef LIST_H
#define LIST_H

#include "base/text.h"

/* Any number of values: the list itself says how many. */
#define LIST_ANY 0

/* Expands `in`: V*4 is V four times; V* repeats V until there are `want` values (not with
 * LIST_ANY); with ranges, 0-3 is 0 1 2 3. `key` is for messages. Returns 0, or -1 with a message
 * (STATUS_USAGE); the number of values is not checked. */
int list_expand(const struct words *in, const char *key, size_t want, bool ranges,
	struct words *out, struct errors *e);

#endif
