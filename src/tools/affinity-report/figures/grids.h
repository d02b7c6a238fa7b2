/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the tables of documents and arranges their cells. Nothing is computed here or anywhere else
 * in the page: each cell is one of a table that the driver wrote (analysis/view.h), also where a
 * table of the page has cells of several tables or documents. Only grids_runs() shows costs of runs
 * instead.
 */
#ifndef GRIDS_H
#define GRIDS_H

#include "document/figure.h"
#include "affinity-report/store/chapters.h"
#include "affinity-report/figures/html.h"

/* Names in the order in which they first appear; the list is to be freed, the names are not. */
struct name_list {
	const char **list;
	size_t count;
};

void name_list_add(struct name_list *n, const char *name);
/* -1: the list does not contain the name. */
long name_list_find(const struct name_list *n, const char *name);
void name_list_free(struct name_list *n);

/* The operations of all runs that were measured. */
struct name_list grids_operations(const struct document *d);

/* The first run that was measured, or the first measured run with this value; NULL: none. */
const struct document_run *grids_run(
	const struct document *d, const char *variable, const char *value);
/* The value of a variable in the run with this label ("d=100 n=2"); NULL: none. */
const char *grids_value(const struct document *d, const char *label, const char *variable);

/* The first table with that key, and of that operation unless it is NULL. If drawn, rather one that
 * is a plot, otherwise rather one that is not. NULL: none. */
const struct document_table *grids_find(
	const struct document *d, const struct table_key *k, const char *operation, bool drawn);

/* The same for the value of a variable that the table has, "test=no". */
const struct document_table *grids_find_only(
	const struct document *d, const struct table_key *k, const char *only);
/* The last run that was measured with that value; NULL: none. */
const struct document_run *grids_run_only(const struct document *d, const char *only);

/* The cell with these labels and its mark; NAN if there is none. */
struct document_figure grids_cell(const struct document *d, const struct document_table *t,
	const char *row, const char *column);
/* A figure with its mark into a cell of the last row. */
void grids_put(struct grid *g, size_t column, struct document_figure f);

/* Which direction of a table's figures is worse; HEAT_NONE: nobody knows. */
enum grid_heat grids_direction(const struct document_table *t);
/* Is it one of times, or of something per second? */
bool grids_is_time(const char *unit);
bool grids_is_rate(const char *unit);

/* The lower end of a figure's interval as it is drawn: times and rates are not below 0. */
double grids_low(const char *unit, struct amount a);

/* "rows \ columns": the axes of a table in words; to be freed. */
char *grids_corner(const struct document_table *t, const char *between);

/* Each makes a grid, which is to be freed; it has no rows if the document lacks the tables. d NULL:
 * the table is none of a document, and has no marks. */
struct grid grids_table(const struct document *d, const struct document_table *t);
/* Its pairs of CPUs by how near they are. */
struct grid grids_classes(const struct document_table *t);
/* For each operation's table with that key, the row with that label, as a column. */
struct grid grids_row(const struct document *d, const struct table_key *k, const char *row);
/* Empirical and hypothetical speedups in the row `row` of their tables, by `rows` and thread, and
 * the costs in the row `base`. */
struct grid grids_gains(
	const struct document *d, const char *rows, const char *row, const char *base);
/* Slowdowns by thread, and overheads. */
struct grid grids_slowdowns(const struct document *d);
/* The cost of each thread in each run and operation, with the spread of its placements, and the
 * total, in d->method.cost. */
struct grid grids_runs(const struct document *d);

#endif
