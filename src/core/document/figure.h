/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one door to the figures of a result document: who uses a figure gets its interval and its
 * mark (analysis/trust.h) with it, and decides what a weak one, or one that must be measured again,
 * is good for. No other file reads the fields that are behind it (tests/project/figures.bats).
 *
 * A figure that must be measured again (trust.of.again) says nothing: who goes on computing with it
 * refuses it, with a hint, unless --force takes it; who shows it shows its mark, too.
 */
#ifndef DOCUMENT_FIGURE_H
#define DOCUMENT_FIGURE_H

#include "analysis/trust.h"
#include "document/document.h"

struct document_figure {
	struct amount amount; /* value NAN: not measured */
	struct trust trust;   /* of figures that exist */
};

enum document_quantity {
	DOCUMENT_COST,        /* seconds; with mode: time seconds per unit */
	DOCUMENT_NS_PER_UNIT, /* of a thread with the interval of its cost */
	DOCUMENT_UNITS_PER_S,
	DOCUMENT_BYTES_PER_S,
	DOCUMENT_TRAFFIC /* bytes per second, with write-allocate */
};

/* Of a thread of an operation, or ALL_THREADS (analysis/derive.h) together. */
struct document_figure document_figure(const struct document_run *r,
	const struct document_operation *o, int thread, enum document_quantity quantity);

/* The figures of a row of reports, each with its own interval: of a thread, of ALL_THREADS or of
 * THREADS_OF_KIND, the index of one of the operation's kinds. Value NAN: not measured. */
struct document_row {
	struct amount cost, busy, whole_time; /* seconds */
	struct amount ns_per_unit, units_per_s, bytes_per_s, traffic;
	const struct document_mark *mark; /* of the row */
};
struct document_row document_row(const struct document_operation *o, int who);

/* cells.c: a cell of a table, with the worst mark of the runs, operations and threads that it is
 * of; firm where these have none. */
struct document_figure document_cell(
	const struct document *d, const struct document_table *t, size_t cell);
/* Was the run measured, and does it have the values of this cell, where these are of variables? */
bool document_is_of_cell(const struct document_run *r, const struct document_table *t,
	const char *row, size_t column);

/* The parts of its title; unit: in which its figures are shown, or NULL: its own. */
struct heading document_heading(
	const struct document *d, const struct document_table *t, const char *unit);

/* The runs of a cell one after another: after NULL the first; NULL: there is no further one. */
const struct document_run *document_next_of_cell(const struct document *d,
	const struct document_table *t, size_t cell, const struct document_run *after);
/* Are both of the same operation and values by the same axes? Of the same quantity,
 * thread, operation and values, perhaps of another machine? By the same axes, too? */
bool document_alike(const struct document_table *a, const struct document_table *b);
bool document_same_subject(const struct document_table *a, const struct document_table *b);
bool document_same_numbers(const struct document_table *a, const struct document_table *b);

/* A figure with the mark that the document has of it. */
struct document_figure document_marked(const struct document_marked *m);

/* What figures of the thread, or of ALL_THREADS, have in common. */
struct trust_samples document_trust_samples(
	const struct document_run *r, const struct document_operation *o, int thread);

/* Were pages of a vector absent, elsewhere than asked for, or moved? Names of several nodes ask for
 * none of them. */
bool document_is_misplaced(const struct document_vector *v);

#endif
