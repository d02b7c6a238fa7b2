/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the tables and plots of a document. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "statistics/crossing.h"
#include "document/parts.h"

static enum document_shown shown(const char *name)
{
	if (name && !strcmp(name, "heat"))
		return SHOWN_HEAT;
	return name && !strcmp(name, "plot") ? SHOWN_PLOT : SHOWN_TABLE;
}

/* The value in row i and column k of a list of lists. */
static const json_t *cell(const json_t *rows, size_t i, size_t k)
{
	return json_array_get(json_array_get(rows, i), k);
}

static bool is_matrix(const json_t *list, const struct document_table *t)
{
	if (json_array_size(list) != t->rows.count)
		return false;
	for (size_t i = 0; i < t->rows.count; i++)
		if (json_array_size(json_array_get(list, i)) != t->columns.count)
			return false;
	return true;
}

static struct amount read_amount(const struct document_table *t, const json_t *o)
{
	struct amount a = document_amount(o);

	return t->ranges ? crossing_from_word(document_text(o, "word"), a) : a;
}

static void read_cells(
	struct document *d, struct document_table *t, const json_t *cells, const json_t *places)
{
	size_t columns = t->columns.count;

	t->cells = document_list(d, t->rows.count * columns, sizeof(*t->cells));
	t->marks = document_list(d, t->rows.count * columns, sizeof(*t->marks));
	if (places)
		t->places = document_list(d, t->rows.count * columns, sizeof(*t->places));
	for (size_t i = 0; i < t->rows.count; i++)
		for (size_t k = 0; k < columns; k++) {
			const json_t *at = cell(places, i, k);

			t->cells[i * columns + k] = read_amount(t, cell(cells, i, k));
			t->marks[i * columns + k] =
				document_mark(json_object_get(cell(cells, i, k), "mark"));
			if (places)
				t->places[i * columns + k] =
					json_is_number(at) ? json_number_value(at) : NAN;
		}
}

/* AXIS_VARIABLE .. AXIS_TIME; below that: there is no such kind. */
static int axis_of_kind(const char *kind)
{
	int axis = AXIS_VARIABLE;

	while (axis >= AXIS_TIME && strcmp(kind, axis_kind(axis)) != 0)
		axis--;
	return axis;
}

static int whose(const json_t *thread)
{
	return json_is_integer(thread) ? (int)json_integer_value(thread) : -1;
}

static void read_kinds(struct document *d, struct document_table *t, const json_t *kinds)
{
	if (json_array_size(kinds) != t->rows.count)
		return;
	t->row_kinds = document_list(d, t->rows.count, sizeof(*t->row_kinds));
	for (size_t i = 0; i < t->rows.count; i++)
		t->row_kinds[i] = json_string_value(json_array_get(kinds, i));
}

/* A run by its value of the row's variable, equal ones in the document's order. */
struct place_of_run {
	const char *value;
	size_t run;
};

static int by_value(const void *a, const void *b)
{
	const struct place_of_run *x = a, *y = b;
	const int by = strcmp(x->value, y->value);

	return by ? by : (x->run > y->run) - (x->run < y->run);
}

/* So that a cell's runs are found without looking at all. */
static void sort_runs(struct document *d, struct document_table *t)
{
	struct place_of_run *runs = document_list(d, d->nruns, sizeof(*runs));
	size_t n = 0;

	for (size_t i = 0; i < d->nruns; i++) {
		const char *value = document_value(&d->runs[i], t->row_axis);

		if (value)
			runs[n++] = (struct place_of_run){value, i};
	}
	if (n < d->nruns)
		return;
	qsort(runs, n, sizeof(*runs), by_value);
	t->by_row = document_list(d, n, sizeof(*t->by_row));
	for (size_t i = 0; i < n; i++)
		t->by_row[i] = runs[i].run;
}

static int read_table(
	struct document *d, struct document_table *t, const json_t *o, struct errors *e)
{
	const json_t *cells = json_object_get(o, "cells");
	const json_t *against = json_object_get(o, "against");
	const char *place = document_text(against, "quantity");
	const json_t *places = place ? json_object_get(against, "places") : NULL;

	*t = (struct document_table){
		.shown = shown(document_text(o, "shown")),
		.quantity = document_text_or_empty(o, "quantity"),
		.id = quantity_of_kind(
			document_text_or_empty(o, "kind"), document_text_or_empty(o, "quantity")),
		.along = document_text(o, "along"),
		.unit = document_text_or_empty(o, "unit"),
		.operation = document_text(o, "operation"),
		.thread = whose(json_object_get(o, "thread")),
		.values = document_pairs(d, json_object_get(o, "values")),
		.row_axis = document_text_or_empty(o, "row_axis"),
		.rows_are = axis_of_kind(document_text_or_empty(o, "rows_are")),
		.column_axis = document_text_or_empty(o, "column_axis"),
		.columns_are = axis_of_kind(document_text_or_empty(o, "columns_are")),
		.rows = document_texts(d, json_object_get(o, "rows")),
		.columns = document_texts(d, json_object_get(o, "columns")),
		.mean = document_text(o, "mean"),
		.place = place,
		.place_unit = document_text_or_empty(against, "unit"),
		.held = document_text(o, "held_by"),
		.ranges = json_is_true(json_object_get(o, "ranges")),
	};
	if (t->id == QUANTITY_ROWS || t->rows_are < AXIS_TIME || t->columns_are < AXIS_TIME) {
		error_add(e, STATUS_USAGE, (struct place){d->path, 0},
			"table %zu does not say what its figures and its axes are",
			(size_t)(t - d->tables) + 1);
		return error_hint(e, "it is of an earlier version: measure again");
	}
	if (!is_matrix(cells, t) || (places && !is_matrix(places, t))) {
		error_add(e, STATUS_USAGE, (struct place){d->path, 0},
			"table %zu has cells that do not match its rows and columns",
			(size_t)(t - d->tables) + 1);
		return error_hint(e, "the file was changed or damaged: measure again");
	}
	read_cells(d, t, cells, places);
	read_kinds(d, t, json_object_get(o, "row_kinds"));
	sort_runs(d, t);
	return 0;
}

int document_read_tables(struct document *d, const json_t *tables, struct errors *e)
{
	d->ntables = json_array_size(tables);
	d->tables = document_list(d, d->ntables, sizeof(*d->tables));
	for (size_t i = 0; i < d->ntables; i++)
		if (read_table(d, &d->tables[i], json_array_get(tables, i), e))
			return -1;
	return 0;
}
