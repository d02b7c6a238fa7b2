/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tables of crossings compare. */
#ifndef FINDINGS_CROSSINGS_H
#define FINDINGS_CROSSINGS_H

#include "document/quality.h"
#include "findings/findings.h"

/* Of more points than these their number is said. */
#define MOST_OPEN 3

/* What is compared in a cell. */
struct crossing_pair {
	const struct document_run *first, *base; /* with the first value along; NULL: nothing */
	double least, most; /* values along which were measured with their baseline */
	size_t points;
	double open[MOST_OPEN]; /* the first ones whose intervals do not tell which is quicker */
	size_t nopen;
	bool certain;    /* all costs have intervals */
	bool same_place; /* all vectors were asked for elsewhere, and lie on the same one node */
	struct quality own, bases; /* of the runs, and of their baselines; judged */
};

/* The variable that a table follows; NULL: it has no crossings. */
const char *crossing_variable(const struct document_table *t);

/* Has no earlier table its figures? */
bool crossing_is_first(const struct document *d, const struct document_table *t);

/* Do both runs ask for other nodes for their first vectors? */
bool crossing_places_differ(const struct document_run *a, const struct document_run *b);

struct crossing_pair crossing_compared(
	const struct document *d, const struct document_table *t, size_t row, size_t column);

/* In what `of` differs from `other`: "placement slices"; to be freed. */
char *crossing_difference(const struct document_run *of, const struct document_run *other);

/* Adds what a cell says, and returns it. */
struct finding *crossing_add(struct finding_list *to, const struct document_table *t, size_t cell,
	const struct crossing_pair *c);

#endif
