/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The facts of a run's plan, and those that differ from another run's. */
#ifndef PLAN_FACTS_H
#define PLAN_FACTS_H

#include <stdio.h>

#include "base/buffer.h"

/* In the order in which a plan has them. */
enum fact_kind {
	FACT_NODE,
	FACT_VECTOR,
	FACT_POOLS,
	FACT_MAPPING,
	FACT_PLACES,
	FACT_THREAD,
	FACT_BACKGROUND,
	FACT_OPERATION,
	FACT_PARAMETER,
	FACT_SPEEDUP,
	FACT_SAMPLES,
	FACT_EVENTS,
	FACT_KINDS
};

/* Between plan_facts_open() and plan_facts_close() facts are added; then they can be printed. */
struct plan_facts {
	struct buffer text;
	FILE *out;
	struct plan_fact {
		enum fact_kind kind;
		size_t at, named; /* where its text begins in `text`; bytes of its name there */
	} * list;
	size_t count;
};

void plan_facts_open(struct plan_facts *f);

/* Begins a fact with its name, that of the kind and what follows, such as "thread 3": in another
 * run the fact of this name is the same one. The rest of its text goes to the stream returned, up
 * to the end of a line. */
FILE *plan_facts_add(struct plan_facts *f, enum fact_kind kind, const char *name, ...)
	__attribute__((format(printf, 3, 4)));

void plan_facts_close(struct plan_facts *f);

void plan_facts_print(const struct plan_facts *f, FILE *out);

/* Of each kind: the facts that are new or differ, and a line "no NAME" for those that are gone. A
 * new fact stands after the old ones of its kind: where it does not, those after it are new too. */
void plan_facts_print_changes(
	const struct plan_facts *before, const struct plan_facts *now, FILE *out);

void plan_facts_free(struct plan_facts *f);

#endif
