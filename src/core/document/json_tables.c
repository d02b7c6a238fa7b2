/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes tables and plots into the JSON document. */
#include "document/json_tables.h"

#include <stdlib.h>

#include "analysis/overheads.h"
#include "base/alloc.h"
#include "statistics/crossing.h"
#include "counters/counting.h"
#include "document/json_trust.h"
#include "document/value.h"

static json_t *labels(char *const *list, size_t n)
{
	json_t *texts = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(texts, value_string(list[i]));
	return texts;
}

/* A crossing has a word where it has no value. */
static json_t *cell(const struct table *t, size_t i)
{
	const char *word = t->ranges ? crossing_word(t->cells[i]) : NULL;
	json_t *o = t->trust ? json_marked(t->cells[i], &t->trust[i]) : value_amount(t->cells[i]);

	if (word)
		json_object_set_new(o, "word", json_string(word));
	if (word && t->trust)
		json_object_set_new(o, "mark", json_trust(&t->trust[i]));
	return o;
}

static json_t *cells(const struct table *t)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < t->rows; i++) {
		json_t *row = json_array();

		for (size_t k = 0; k < t->cols; k++)
			json_array_append_new(row, cell(t, i * t->cols + k));
		json_array_append_new(rows, row);
	}
	return rows;
}

/* The places at which a plot draws its points if it does not use the rows' labels. */
static json_t *against(const struct table *t)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < t->rows; i++) {
		json_t *row = json_array();

		for (size_t k = 0; k < t->cols; k++)
			json_array_append_new(row, value_number(t->places[i * t->cols + k]));
		json_array_append_new(rows, row);
	}
	return json_pack("{s:s, s:s, s:o}", "quantity", t->place.name, "unit", t->place.unit,
		"places", rows);
}

struct list {
	json_t *tables;
	const struct view *view;
};

static const char *shown(const struct view *v)
{
	if (v->heat)
		return "heat";
	return v->plot ? "plot" : "table";
}

/* The values of the variables on no axis. */
static json_t *values(const struct table *t)
{
	json_t *pairs = json_object();

	for (size_t i = 0; i < t->nfixed; i++)
		json_object_set_new(pairs, t->fixed[i].name, value_string(t->fixed[i].value));
	return pairs;
}

static json_t *thread(const struct table *t)
{
	return t->thread == ALL_THREADS ? json_null() : json_integer(t->thread);
}

static const char *mean(const struct view *v)
{
	return v->mean == MEAN_NONE ? NULL : mean_names[v->mean];
}

static json_t *kinds(const struct table *t)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < t->rows; i++)
		json_array_append_new(
			rows, t->row_kinds[i] ? value_string(t->row_kinds[i]) : json_null());
	return rows;
}

static void append(void *arg, const struct table *t)
{
	struct list *l = arg;
	char *title = heading_title(&t->head);
	json_t *o = json_pack(
		"{s:s, s:o, s:o, s:s, s:s?, s:s, s:s?, s:o, s:o, s:o, s:s, s:o, s:s, s:o, s:o, "
		"s:s?, s:o, s:o}",
		"shown", shown(l->view), "title", value_string(title), "quantity",
		value_string(t->head.name), "kind", quantity_kind(t->head.id), "along",
		t->head.along, "unit", t->head.unit, "operation", t->operation, "thread", thread(t),
		"values", values(t), "row_axis", value_string(t->row_name), "rows_are",
		axis_kind(l->view->rows), "column_axis", value_string(t->col_name), "columns_are",
		axis_kind(l->view->cols), "rows", labels(t->row_labels, t->rows), "columns",
		labels(t->col_labels, t->cols), "mean", mean(l->view), "cells", cells(t), "against",
		t->places ? against(t) : json_null());

	free(title);
	if (t->held)
		json_object_set_new(o, "held_by", value_string(t->held));
	if (t->ranges)
		json_object_set_new(o, "ranges", json_true());
	if (t->row_kinds)
		json_object_set_new(o, "row_kinds", kinds(t));
	json_array_append_new(l->tables, o);
}

/* A line that was asked for must not be missing without a word. */
static json_t *lacking(const struct experiment *x, const struct view *v, size_t before)
{
	const struct counted_metric *lacks = v->counter && counter_missing(v->counter)
						     ? v->counter
						     : overheads_missing(x, v->quantity);
	char *title = view_title(x, v);
	char *why =
		lacks ? alloc_format("%s is not counted: %s", lacks->name, counter_missing(lacks))
		      : NULL;
	json_t *o = json_pack("{s:o, s:o, s:I}", "title", value_string(title), "reason",
		why ? value_string(why) : json_null(), "before", (json_int_t)before);

	free(title);
	free(why);
	return o;
}

json_t *json_tables(const struct experiment *x, const struct views *v, json_t **without)
{
	struct list l = {json_array(), NULL};

	*without = json_array();
	for (size_t i = 0; i < v->count; i++) {
		const size_t before = json_array_size(l.tables);

		l.view = &v->list[i];
		view_tables(x, l.view, append, &l);
		if (json_array_size(l.tables) == before && !l.view->plot)
			json_array_append_new(*without, lacking(x, l.view, before));
	}
	return l.tables;
}
