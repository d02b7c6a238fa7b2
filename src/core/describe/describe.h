/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is known without measuring, as JSON documents for scripts: --list, --topology, --plan and
 * --check with --json. results/schema-list-1.json and its like describe each field. Texts are
 * to be freed; NULL: out of memory.
 */
#ifndef DESCRIBE_H
#define DESCRIBE_H

#include "analysis/trust.h"
#include "base/text.h"
#include "document/value.h"
#include "measure/experiment.h"
#include "system/environment.h"

/* The kernels that have one of the patterns; without patterns all. */
char *describe_kernels(const struct words *patterns);

char *describe_topology(const struct topo *t);

/* Facts, and messages about those that spoil measurements: those that are accepted apart. */
char *describe_state(
	const struct environment *env, const struct errors *spoils, const struct errors *accepted);

/* Plans of argument files, one after another. */
struct described_plans {
	json_t *list; /* NULL: none yet */
};

/* A plan, and all messages about the file. x NULL: the file is refused. */
void describe_plan(struct described_plans *p, const char *path, const struct experiment *x,
	const struct errors *messages);

/* The document of all; the plans are freed. */
char *describe_plans(struct described_plans *p, const struct topo *t);

/* A figure of the first screen. */
struct described_figure {
	const char *what, *unit;
	char *row, *column; /* "": it has none */
	char *of;           /* what it is of; NULL: the row says it */
	struct amount amount;
	enum trust_word mark;
	long enough;            /* threads that reach nearly as much; 0: not known */
	const char *experiment; /* which file measures it in full: "latency/1_staircase" */
};

char *describe_figures(const char *host, const char *date, const char *trust,
	const struct described_figure *list, size_t count);

/* The members that such a document begins with, what: "affinity --list". forecast/ makes some, too.
 */
json_t *describe_begin(const char *what);

/* A document as text; it is released. */
char *describe_text(json_t *document);

#endif
