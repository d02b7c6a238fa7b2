/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds tables of documents and arranges their cells. */
#include "analysis/derive.h"
#include "affinity-report/figures/grids.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "analysis/heading.h"
#include "plan/held.h"

static const struct document_figure missing = {.amount = {NAN, NAN, NAN}};

void name_list_add(struct name_list *n, const char *name)
{
	if (name_list_find(n, name) >= 0)
		return;
	n->list = alloc_grow(n->list, n->count, sizeof(*n->list));
	n->list[n->count++] = name;
}

long name_list_find(const struct name_list *n, const char *name)
{
	for (size_t i = 0; i < n->count; i++)
		if (!strcmp(n->list[i], name))
			return (long)i;
	return -1;
}

void name_list_free(struct name_list *n)
{
	free(n->list);
	*n = (struct name_list){0};
}

struct name_list grids_operations(const struct document *d)
{
	struct name_list n = {0};

	for (size_t i = 0; i < d->nruns; i++)
		for (size_t k = 0; k < d->runs[i].operations.count; k++)
			name_list_add(&n, d->runs[i].operations.list[k].name);
	return n;
}

static const char *value_of(const struct document_run *r, const char *variable)
{
	const char *value = document_value(r, variable);

	return value ? value : "";
}

const struct document_run *grids_run(
	const struct document *d, const char *variable, const char *value)
{
	for (size_t i = 0; i < d->nruns; i++)
		if (!d->runs[i].skipped &&
			(!variable || !strcmp(value_of(&d->runs[i], variable), value)))
			return &d->runs[i];
	return NULL;
}

/* Adds a column for each operation's name. */
static void operation_columns(struct grid *g, const struct name_list *n)
{
	for (size_t i = 0; i < n->count; i++)
		grid_column(g, "%s", n->list[i]);
}

const char *grids_value(const struct document *d, const char *label, const char *variable)
{
	for (size_t i = 0; i < d->nruns; i++)
		if (!strcmp(d->runs[i].label, label))
			return document_value(&d->runs[i], variable);
	return NULL;
}

/* ---- tables */

/* Is it the axis that a key names, "thread", "operation" or a variable? */
static bool is_axis(const char *key, const char *name, int kind)
{
	const bool fixed =
		!strcmp(key, axis_kind(AXIS_THREAD)) || !strcmp(key, axis_kind(AXIS_OPERATION));

	return !strcmp(key, name) && fixed == (kind == AXIS_THREAD || kind == AXIS_OPERATION);
}

static bool grids_is(const struct document_table *t, const struct table_key *k)
{
	return !strcmp(t->quantity, k->quantity) && is_axis(k->rows, t->row_axis, t->rows_are) &&
	       is_axis(k->columns, t->column_axis, t->columns_are) &&
	       k->scenarios == (t->mean && !strcmp(t->mean, "scenarios"));
}

static bool is_operation(const struct document_table *t, const char *operation)
{
	return !operation || (t->operation && !strcmp(t->operation, operation));
}

const struct document_table *grids_find(
	const struct document *d, const struct table_key *k, const char *operation, bool drawn)
{
	const struct document_table *other = NULL;

	for (size_t i = 0; i < d->ntables; i++) {
		const struct document_table *t = &d->tables[i];

		if (!grids_is(t, k) || !is_operation(t, operation))
			continue;
		if ((t->shown != SHOWN_TABLE) == drawn)
			return t;
		other = other ? other : t;
	}
	return other;
}

/* Is this pair "NAME=VALUE"? */
static bool is_pair(const char *text, const char *name, const char *value)
{
	size_t n = strlen(name);

	return !strncmp(text, name, n) && text[n] == '=' && !strcmp(text + n + 1, value);
}

const struct document_table *grids_find_only(
	const struct document *d, const struct table_key *k, const char *only)
{
	const struct document_table *other = NULL;

	for (size_t i = 0; i < d->ntables; i++) {
		const struct document_table *t = &d->tables[i];
		bool has = false;

		for (size_t v = 0; v < t->values.count; v++)
			has |= is_pair(only, t->values.list[v].name, t->values.list[v].value);
		if (!has || !grids_is(t, k))
			continue;
		if (t->shown != SHOWN_TABLE)
			return t;
		other = other ? other : t;
	}
	return other;
}

const struct document_run *grids_run_only(const struct document *d, const char *only)
{
	char *name = alloc_string(only, strcspn(only, "="));
	const struct document_run *last = NULL;

	for (size_t i = 0; i < d->nruns; i++)
		if (!d->runs[i].skipped && is_pair(only, name, value_of(&d->runs[i], name)))
			last = &d->runs[i];
	free(name);
	return last;
}

static long find_label(const struct document_texts *labels, const char *label)
{
	for (size_t i = 0; i < labels->count; i++)
		if (!strcmp(labels->list[i], label))
			return (long)i;
	return -1;
}

struct document_figure grids_cell(const struct document *d, const struct document_table *t,
	const char *row, const char *column)
{
	long i = find_label(&t->rows, row), k = find_label(&t->columns, column);

	return i < 0 || k < 0 ? missing
			      : document_cell(d, t, (size_t)i * t->columns.count + (size_t)k);
}

void grids_put(struct grid *g, size_t column, struct document_figure f)
{
	g->rows[g->nrows - 1].cells[column] = f.amount;
	g->rows[g->nrows - 1].marks[column] = f.trust;
}

/* A matrix has colours: both axes are variables of the sweep, and one direction is worse. */
static enum grid_heat heat_of(const struct document_table *t)
{
	if (!*t->column_axis || t->rows.count < 2 || t->columns.count < 2)
		return HEAT_NONE;
	if (t->rows_are != AXIS_VARIABLE || t->columns_are != AXIS_VARIABLE)
		return HEAT_NONE;
	const enum grid_heat heat = grids_direction(t);

	return heat == HEAT_NONE ? HEAT_UNKNOWN : heat;
}

char *grids_corner(const struct document_table *t, const char *between)
{
	char *rows = heading_axis(t->row_axis);
	char *columns = heading_axis(t->column_axis);
	char *corner = alloc_format("%s%s%s", rows, *columns ? between : "", columns);

	free(rows);
	free(columns);
	return corner;
}

struct grid grids_table(const struct document *d, const struct document_table *t)
{
	struct grid g = {.corner = grids_corner(t, " \\ "),
		.ranges = t->ranges,
		.unit = t->unit,
		.heat = t->ranges ? HEAT_NONE : heat_of(t),
		.held = t->held ? alloc_format("%s", t->held) : NULL,
		.column_begins = t->column_begins.list,
		.mean = t->mean && !strcmp(t->mean, "geometric")};

	for (size_t k = 0; k < t->columns.count; k++)
		grid_column(&g, "%s", t->columns.list[k]);
	for (size_t i = 0; i < t->rows.count; i++) {
		grid_row(&g, "%s", t->rows.list[i]);
		if (t->row_begins.list)
			g.rows[i].begins = t->row_begins.list[i];
		for (size_t k = 0; k < t->columns.count; k++) {
			const size_t cell = i * t->columns.count + k;

			grids_put(&g, k,
				d ? document_cell(d, t, cell)
				  : (struct document_figure){.amount = t->cells[cell]});
		}
	}
	return g;
}

struct grid grids_classes(const struct document_table *t)
{
	struct grid g = {.corner = alloc_format("pairs of CPUs"), .unit = t->unit};

	grid_column(&g, "fewest");
	grid_column(&g, "median");
	grid_column(&g, "most");
	for (size_t i = 0; i < t->nclasses; i++) {
		const struct document_class *c = &t->classes[i];
		const struct amount cells[] = {c->fewest, c->median, c->most};

		grid_row(&g, "%s%s%s, %" PRId64 " of %" PRId64, c->name, c->at ? ", " : "",
			c->at ? c->at : "", c->measured, c->pairs);
		for (size_t k = 0; k < 3; k++)
			grids_put(&g, k,
				document_marked(&(struct document_marked){cells[k], c->mark}));
	}
	return g;
}

/* The operations that have a table of their own with that key. */
static struct name_list operations_of(const struct document *d, const struct table_key *k)
{
	struct name_list n = {0};

	for (size_t i = 0; i < d->ntables; i++)
		if (grids_is(&d->tables[i], k) && d->tables[i].operation)
			name_list_add(&n, d->tables[i].operation);
	return n;
}

/* Adds a row for each column of the tables with that key: its cells in their row `row`. A row
 * without figures is left out. */
static void add_rows(struct grid *g, const struct document *d, const struct table_key *k,
	const char *row, const char *ending, const char *unit)
{
	struct name_list n = operations_of(d, k);
	const struct document_table *first = n.count ? grids_find(d, k, n.list[0], false) : NULL;

	for (size_t c = 0; first && c < first->columns.count; c++) {
		bool any = false;

		for (size_t i = 0; i < g->ncolumns; i++) {
			const struct document_table *t = grids_find(d, k, g->columns[i], false);
			const struct document_figure f =
				t ? grids_cell(d, t, row, first->columns.list[c]) : missing;

			if (!isfinite(f.amount.value))
				continue;
			if (!any)
				grid_row(g, "%s%s", first->columns.list[c], ending);
			any = true;
			g->rows[g->nrows - 1].unit = unit;
			grids_put(g, i, f);
		}
	}
	name_list_free(&n);
}

/* A grid without rows, with a column for each operation that has a table with that key. */
static struct grid by_operation(const struct document *d, const struct table_key *k)
{
	struct name_list n = operations_of(d, k);
	struct grid g = {.corner = alloc_format("%s", "")};

	operation_columns(&g, &n);
	name_list_free(&n);
	return g;
}

struct grid grids_row(const struct document *d, const struct table_key *k, const char *row)
{
	const struct document_table *t = grids_find(d, k, NULL, false);
	struct grid g = by_operation(d, k);

	g.unit = t ? t->unit : NULL;
	add_rows(&g, d, k, row, "", NULL);
	return g;
}

struct grid grids_gains(
	const struct document *d, const char *rows, const char *row, const char *base)
{
	const struct table_key empirical = {"speedup", rows, "thread", false};
	const struct table_key hypothetical = {"hypothetical", rows, "thread", false};
	const struct table_key cost = {"cost", rows, "thread", false};
	const struct document_table *costs = grids_find(d, &cost, NULL, false);
	struct grid g = by_operation(d, &empirical);

	add_rows(&g, d, &empirical, row, " (E)", NULL);
	add_rows(&g, d, &hypothetical, row, " (H)", NULL);
	add_rows(&g, d, &cost, base, ": base", costs ? costs->unit : "");
	return g;
}

struct grid grids_slowdowns(const struct document *d)
{
	static const struct table_key slowdown = {"slowdown", "thread", "operation", false};
	static const struct table_key overhead = {"overhead", "operation", "", false};
	const struct document_table *slow = grids_find(d, &slowdown, NULL, false);
	const struct document_table *over = grids_find(d, &overhead, NULL, false);
	struct grid g =
		slow ? grids_table(d, slow) : (struct grid){.corner = alloc_format("%s", "")};

	if (slow && over) {
		grid_row(&g, "overhead");
		g.rows[g.nrows - 1].unit = over->unit;
		for (size_t k = 0; k < g.ncolumns; k++)
			grids_put(&g, k, grids_cell(d, over, g.columns[k], over->columns.list[0]));
	}
	return g;
}

/* ---- costs of runs */

/* A cost with its mark, and its spread, into cell k of the last row. */
static void add_cost(struct grid *g, size_t k, const struct document_run *r, int thread)
{
	const struct document_operation *o = document_operation(r, g->columns[k]);
	struct grid_row *row = &g->rows[g->nrows - 1];

	if (!o || (thread != ALL_THREADS && (size_t)thread >= o->njobs))
		return;
	grids_put(g, k, document_figure(r, o, thread, DOCUMENT_COST));
	if (thread != ALL_THREADS)
		row->spreads[k] = o->jobs[thread].figures.spread;
}

static void add_run(struct grid *g, const struct document_run *r)
{
	for (size_t t = 0; t < r->nthreads; t++) {
		const char *kind = r->threads[t].kind;

		grid_row(g, "%s Thread %zu%s%s", r->label, t, kind ? ", " : "", kind ? kind : "");
		for (size_t k = 0; k < g->ncolumns; k++)
			add_cost(g, k, r, (int)t);
	}
	if (r->nthreads < 2) /* the total is the thread's */
		return;
	grid_row(g, "%s Total", r->label);
	for (size_t k = 0; k < g->ncolumns; k++)
		add_cost(g, k, r, ALL_THREADS);
}

/* What holds the data of the threads of all runs; NULL: no run says it. */
static char *held_of(const struct document *d)
{
	const char **words = NULL;
	size_t n = 0;
	char all[512];

	for (size_t i = 0; i < d->nruns; i++)
		for (size_t k = 0; k < d->runs[i].operations.count; k++) {
			const struct document_operation *o = &d->runs[i].operations.list[k];

			for (size_t j = 0; j < o->njobs; j++) {
				words = alloc_grow(words, n, sizeof(*words));
				words[n++] = o->jobs[j].held;
			}
		}
	held_join(words, n, all, sizeof(all));
	free(words);
	return *all ? alloc_format("%s", all) : NULL;
}

struct grid grids_runs(const struct document *d)
{
	struct name_list operations = grids_operations(d);
	struct grid g = {
		.corner = alloc_format("run"), .unit = d->method.cost ? d->method.cost : "seconds"};

	operation_columns(&g, &operations);
	for (size_t i = 0; i < d->nruns; i++)
		if (!d->runs[i].skipped)
			add_run(&g, &d->runs[i]);
	g.held = held_of(d);
	name_list_free(&operations);
	return g;
}

bool grids_is_time(const char *unit)
{
	return !strcmp(unit, "s") || !strcmp(unit, "ns") || !strcmp(unit, "ns/unit") ||
	       !strncmp(unit, "seconds", strlen("seconds"));
}

bool grids_is_rate(const char *unit)
{
	const char *per = strrchr(unit, '/');

	return per && !strcmp(per, "/s");
}

double grids_low(const char *unit, struct amount a)
{
	const bool from_0 = unit && (grids_is_time(unit) || grids_is_rate(unit)) && a.value >= 0;

	return from_0 && a.low < 0 ? 0 : a.low;
}

/* Of counters and figures of kernels the unit alone says it. */
enum grid_heat grids_direction(const struct document_table *t)
{
	const bool known = t->id < QUANTITIES;
	const enum quantity_direction direction = quantities[t->id].direction;
	const bool time = known ? direction == MORE_IS_WORSE : grids_is_time(t->unit);
	const bool rate = known ? direction == LESS_IS_WORSE : grids_is_rate(t->unit);

	return time ? HEAT_MORE_IS_WORSE : rate ? HEAT_LESS_IS_WORSE : HEAT_NONE;
}
