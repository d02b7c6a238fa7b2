/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rates by the number of threads, out of a table that the driver wrote: a curve for each value of
 * the other axis. */
#ifndef RATES_H
#define RATES_H

#include <stdbool.h>

#include "document/document.h"

/* Threads that reach this part of the highest rate suffice. */
#define SUFFICIENT 0.9

struct rates {
	const struct document_table *table;
	const struct document_texts *threads, *others;
	const char *threads_axis, *other_axis; /* "": there is one curve */
	bool across;                           /* threads are its columns */
};

/* Does the table have rates of all threads, and no earlier one the same? */
bool rates_is(const struct document *d, const struct document_table *t);

/* False: the table has no such curves, or an earlier one those of the same. */
bool rates_find(const struct document *d, const struct document_table *t, struct rates *c);

/* Does this variable say how many threads every run has? */
bool rates_count_threads(const struct document *d, const char *variable);

/* The figure of a curve with the i-th number of threads; value NAN: not measured. */
struct amount rates_at(const struct rates *c, size_t curve, size_t i);

/* The number of the highest figure of a curve; -1: fewer than two were measured. */
long rates_highest(const struct rates *c, size_t curve);

/* The curve with the highest figure of all; -1: none was measured. */
long rates_best(const struct rates *c);

/* The fewest threads with which a curve reaches this rate; -1: none do. */
long rates_fewest(const struct rates *c, size_t curve, double rate);

/* Are the curves what one has to choose between? Where they cross is then asked too. */
bool rates_are_choices(const struct document *d, const struct rates *c);

/* Do the curves differ in where the first vector of a run was asked for? */
bool rates_are_placements(const struct document *d, const struct rates *c);

/* Adds a rate as a part of a sentence. */
void rates_add(struct finding *f, const char *name, const struct rates *c, struct amount rate);

#endif
