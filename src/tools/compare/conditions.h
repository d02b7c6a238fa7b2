/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The conditions of a result document as a list of facts, so that two documents can be compared. */
#ifndef COMPARE_CONDITIONS_H
#define COMPARE_CONDITIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "document/document.h"

struct condition_fact {
	char *name, *value; /* "vector 0 of d=1: bytes", "1048576"; owned */
	bool work;          /* a different value means different work: costs cannot be compared */
	bool argument;      /* a line of the file: if it is missing, the default holds */
};

struct conditions {
	struct condition_fact *list;
	size_t count;
	const struct condition_fact **sorted; /* by name, for conditions_find() */
};

/* Reads the facts that define the work (sizes, types, kernels, units, passes and sleeps), and those
 * that do not: places, pages and what kernels chose by themselves. */
void conditions_read(struct conditions *c, const struct document *d);
void conditions_free(struct conditions *c);

/* Is it what a kernel chose by itself? That differs between runs of one build. */
bool condition_is_chosen(const struct condition_fact *f);

/* NULL: no fact has that name. Similar documents have a fact at the same index: the search starts
 * at `near`. */
const struct condition_fact *conditions_find(
	const struct conditions *c, const char *name, size_t near);

#endif
