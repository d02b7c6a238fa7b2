/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of a list of values, for all keys:
 *
 *   WORD   VALUE, VALUE*COUNT, VALUE*
 *   VALUE  A-B (in lists with ranges), CALL, or what the key reads by itself
 *   CALL   NAME(ARGUMENT,ARGUMENT ...), an argument may be a CALL: kind(HBM,far(0))
 */
#ifndef LIST_H
#define LIST_H

#include "base/text.h"

/* Any number of values: the list itself says how many. */
#define LIST_ANY 0

/* How a key's list is written out. */
struct list_rules {
	const char *key; /* for messages */
	size_t want;     /* V* repeats V until there are so many values */
	bool ranges;     /* 0-3 is 0 1 2 3, and 0-3* is 0* 1* 2* 3* where `each` is given */
	/* V* is what this adds to out, as the machine has it, wherever it stands: so many values.
	 * 0: this value needs a count; -1 with a message. NULL: `want` says how often V stands. */
	int (*each)(void *user, const char *value, struct words *out, struct errors *e);
	void *user;
};

/* Writes `in` out: V*4 is V four times. 0, or -1 with a message (STATUS_USAGE, or as `each` has
 * it) and nothing to free; the number of values is not checked. */
int list_expand(const struct words *in, const struct list_rules *rules, struct words *out,
	struct errors *e);

/* NAME(ARGUMENTS); without arguments there is one, which is empty. */
struct list_call {
	char *name;
	struct words arguments;
};

/* Reads all of text as a call, to be freed also if it is none (false). */
bool list_call_read(struct list_call *c, const char *text);
void list_call_free(struct list_call *c);

/* Is the text a call of this name? */
bool list_calls(const char *text, const char *name);

/* words_split() at commas, but not at those between parentheses. */
void list_split(struct words *w, const char *text);

#endif
