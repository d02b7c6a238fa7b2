/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What affinity tells without measuring, as JSON documents for scripts: --list, --topology, --plan
 * and --check with --json. results/schema-list-1.json and its like describe each field. Texts are
 * to be freed; NULL: out of memory.
 */
#ifndef DESCRIBE_H
#define DESCRIBE_H

#include "document/value.h"

#include "analysis/trust.h"
#include "base/text.h"
#include "measure/experiment.h"
#include "system/environment.h"

/* The kernels that have one of the patterns; without patterns all. */
char *told_kernels(const struct words *patterns);

char *told_topology(const struct topo *t);

/* Facts, and messages about those that spoil measurements: those that are accepted apart. */
char *told_state(
	const struct environment *env, const struct errors *spoils, const struct errors *accepted);

/* Plans of argument files, one after another. */
struct told_plans {
	json_t *list; /* NULL: none yet */
};

/* A plan, and all messages about the file. x NULL: the file is refused. */
void told_plan(struct told_plans *p, const char *path, const struct experiment *x,
	const struct errors *messages);

/* The document of all; the plans are freed. */
char *told_plans(struct told_plans *p, const struct topo *t);

/* A figure of the first screen. */
struct told_figure {
	const char *what, *unit;
	char *row, *column; /* "": it has none */
	char *of;           /* what it is of; NULL: the row says it */
	struct amount amount;
	enum trust_word mark;
	long enough;            /* threads that reach nearly as much; 0: not known */
	const char *experiment; /* which file measures it in full: "latency/1_staircase" */
};

char *told_figures(const char *host, const char *date, const char *trust,
	const struct told_figure *list, size_t count);

/* For told_*.c: the members that each document begins with, `what` as "affinity --list". */
json_t *told_begin(const char *what);

/* For told_*.c: a document as text; it is released. */
char *told_text(json_t *document);

#endif
