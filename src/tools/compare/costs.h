/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The costs of a result document as one list, for comparisons. */
#ifndef COSTS_H
#define COSTS_H

#include "document/document.h"

/* The cost of one thread, or of all (ALL_THREADS of analysis/derive.h), in one operation of one
 * run. The texts belong to the document. */
struct cost {
	const char *run; /* "d=100 n=2"; "" if there is no sweep */
	const char *operation;
	int thread;
	bool disturbed;     /* so many of its samples that it must be measured again */
	struct amount cost; /* seconds; with mode: time seconds per unit */
	double *rounds; /* [nrounds] of programs: of each run of these, owned; NULL: of kernels */
	size_t nrounds;
};

struct costs {
	struct document document;
	struct cost *list; /* in the document's order: each thread, then all threads together */
	size_t count;
	const struct cost **sorted; /* by run, operation and thread, for costs_find() */
};

/* 0, or -1 like document_read();
 * call costs_free() in both cases. */
int costs_read(struct costs *c, const char *path, struct errors *e);
void costs_free(struct costs *c);

/* The first cost of the same run, operation and thread; NULL: there is none. */
const struct cost *costs_find(const struct costs *c, const struct cost *like);

#endif
