/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tables of crossings compare, and the sentences for it. */
#ifndef REPORT_CROSSINGS_H
#define REPORT_CROSSINGS_H

#include "affinity-report/page.h"

/* Of more points than these their number is told. */
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

struct crossing_pair crossing_compared(const struct document *d, const struct document_table *t,
	const char *along, size_t row, size_t column);

/* Documents of earlier versions have "always" and the like where all is the same memory. g: the
 * grid of that table */
void crossing_mark_same(const struct document *d, const struct document_table *t, struct grid *g);

/* crossing_words.c: "placement slices": in what `of` differs from `other` */
void crossing_difference(
	FILE *out, const struct document_run *of, const struct document_run *other);
/* "16 MiB", "8": a value of the variable along */
struct crossing_place {
	char text[32];
} crossing_position(const struct document_table *t, double x);
/* "placement slices is quicker than placement X (node 0) from n 5.3 on (3.9 ..
 * 7.2)". a: the cell */
void crossing_sentence(FILE *out, const struct document_table *t, const char *along,
	struct amount a, const struct crossing_pair *c);
/* "; gemv, weights q4": of what table and column it is */
void crossing_where(FILE *out, const struct document_table *t, size_t column);

#endif
