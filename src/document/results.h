/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Result documents read back: what json.c wrote. */
#ifndef RESULTS_H
#define RESULTS_H

#include "analysis/derive.h"

/* The cost of one thread (or of all, thread ALL_THREADS) in one operation of one run. */
struct result {
	char *run; /* "d=100 n=2"; "" without a sweep */
	char *operation;
	int thread;
	struct amount cost; /* seconds */
};

struct results {
	char *path;
	bool per_unit; /* mode: time: costs are those of a unit */
	struct result *list;
	size_t count;
	struct environment_fact {
		char *name, *value;
	} * facts;
	size_t nfacts;
};

/* 0, or -1 with a message (STATUS_USAGE): no such file, no JSON (with line), another program's,
 * another schema. */
int results_read(struct results *r, const char *path, struct errors *e);
void results_free(struct results *r);

/* NULL when the document has no such cost. */
const struct result *results_find(const struct results *r, const struct result *like);

#endif
