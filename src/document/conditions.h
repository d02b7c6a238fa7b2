/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was done in a result document, as facts that two documents can be compared by. */
#ifndef DOCUMENT_CONDITIONS_H
#define DOCUMENT_CONDITIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "document/document.h"

struct condition_fact {
	char *name, *value; /* "vector 0 of d=1: bytes", "1048576"; owned */
	bool work;          /* another value is other work: costs cannot be compared */
	bool argument;      /* a line of the file: without it the default holds */
};

struct conditions {
	struct condition_fact *list;
	size_t count;
};

/* Sizes, types, kernels, units, passes and sleeps, which are the work; places, pages and what
 * kernels chose by themselves. */
void conditions_read(struct conditions *c, const struct document *d);
void conditions_free(struct conditions *c);

/* NULL: there is none of that name. Facts of like documents have like indices: `near` is where to
 * look first. */
const struct condition_fact *conditions_find(
	const struct conditions *c, const char *name, size_t near);

#endif
