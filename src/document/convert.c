/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes the tables of a document of schema 1, which has none, from the figures of its runs: one for
 * each table and plot that its argument file asks for, as analysis/view.c makes them. Only figures
 * that the document contains are used; there are no geometric means. At the end come tables for
 * which files of that time could not ask.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/means.h"
#include "base/alloc.h"
#include "base/text.h"
#include "document/old_figures.h"
#include "document/parts.h"

#define MAX_VARIABLES 16 /* a sweep of more is not converted in full */

/* What a line asks for. An axis is "thread", "operation", a variable, or "". */
struct asked {
	enum document_shown shown;
	const struct old_figure *figure;
	const char *rows, *columns;
	int thread; /* -1: all threads together */
	bool scenarios;
};

/* Costs of mode: time are seconds per unit in runs, and nanoseconds in tables. */
static bool in_ns(const struct document *d, const struct old_figure *f)
{
	return f->is_cost && d->method.per_unit;
}

static const char *own(struct document *d, char *text)
{
	char *kept = document_list(d, strlen(text), 1);

	strcpy(kept, text);
	free(text);
	return kept;
}

/* ---- axes */

static const struct document_run *first_run(const struct document *d)
{
	for (size_t i = 0; i < d->nruns; i++)
		if (!d->runs[i].skipped)
			return &d->runs[i];
	return NULL;
}

static size_t most_threads(const struct document *d)
{
	size_t most = 0;

	for (size_t i = 0; i < d->nruns; i++)
		if (!d->runs[i].skipped && d->runs[i].nthreads > most)
			most = d->runs[i].nthreads;
	return most;
}

static void add_label(struct document_texts *t, const char *label)
{
	for (size_t i = 0; i < t->count; i++)
		if (!strcmp(t->list[i], label))
			return;
	t->list[t->count++] = label;
}

static struct document_texts thread_labels(struct document *d)
{
	struct document_texts t = {NULL, most_threads(d)};

	t.list = document_list(d, t.count, sizeof(*t.list));
	for (size_t i = 0; i < t.count; i++)
		t.list[i] = own(d, alloc_format("thread %zu", i));
	return t;
}

static struct document_texts labels_of(struct document *d, const char *axis)
{
	const struct document_operations *o = &first_run(d)->operations;
	struct document_texts t = {document_list(d, d->nruns + o->count, sizeof(*t.list)), 0};

	if (!strcmp(axis, "thread"))
		return thread_labels(d);
	if (!*axis)
		t.list[t.count++] = "all threads";
	for (size_t i = 0; !strcmp(axis, "operation") && i < o->count; i++)
		t.list[t.count++] = o->list[i].name;
	for (size_t i = 0; *axis && strcmp(axis, "operation") && i < d->nruns; i++) {
		const char *value = document_value(&d->runs[i], axis);

		add_label(&t, value ? value : "");
	}
	return t;
}

static bool is_axis(const struct document *d, const char *name)
{
	return !*name || !strcmp(name, "thread") || !strcmp(name, "operation") ||
	       (first_run(d) && document_value(first_run(d), name));
}

/* ---- a table */

/* Is the value of an axis, if it is a variable, that of the run? */
static bool has_value(const struct document_run *r, const char *axis, const char *label)
{
	const char *value = document_value(r, axis);

	return !value || !strcmp(value, label);
}

static const struct document_run *run_at(
	const struct document *d, const struct document_table *t, size_t row, size_t column)
{
	for (size_t i = 0; i < d->nruns; i++) {
		const struct document_run *r = &d->runs[i];
		bool same = has_value(r, t->row_axis, t->rows.list[row]) &&
			    has_value(r, t->column_axis, t->columns.list[column]);

		for (size_t v = 0; same && v < t->values.count; v++)
			same = has_value(r, t->values.list[v].name, t->values.list[v].value);
		if (same && !r->skipped)
			return r;
	}
	return NULL;
}

static struct amount cell(const struct document *d, const struct asked *a,
	const struct document_table *t, size_t op, size_t row, size_t column)
{
	const struct document_run *r = run_at(d, t, row, column);
	int thread = a->thread;

	if (!strcmp(t->row_axis, "thread"))
		thread = (int)row;
	if (!strcmp(t->column_axis, "thread"))
		thread = (int)column;
	if (!strcmp(t->row_axis, "operation"))
		op = row;
	if (!strcmp(t->column_axis, "operation"))
		op = column;
	if (!r || op >= r->operations.count ||
		(thread >= 0 && (size_t)thread >= r->operations.list[op].njobs))
		return AMOUNT_NONE;
	return amount_times(a->figure->of(r, op, thread), in_ns(d, a->figure) ? 1e9 : 1);
}

static const char *common_name(const struct document *d, size_t op)
{
	const char *name = first_run(d)->operations.list[op].name;

	for (size_t i = 0; i < d->nruns; i++) {
		const struct document_operations *o = &d->runs[i].operations;

		if (!d->runs[i].skipped && (op >= o->count || strcmp(o->list[op].name, name)))
			return NULL;
	}
	return name;
}

static const char *title_of(struct document *d, const struct document_table *t)
{
	char *title = alloc_format("%s", t->quantity), *longer;

	if (t->operation) {
		longer = alloc_format("%s, %s", title, t->operation);
		free(title);
		title = longer;
	}
	if (t->thread >= 0) {
		longer = alloc_format("%s, thread %d", title, t->thread);
		free(title);
		title = longer;
	}
	for (size_t i = 0; i < t->values.count; i++) {
		longer = alloc_format(
			"%s, %s=%s", title, t->values.list[i].name, t->values.list[i].value);
		free(title);
		title = longer;
	}
	return own(d, title);
}

static bool has_figures(const struct document_table *t)
{
	for (size_t i = 0; i < t->rows.count * t->columns.count; i++)
		if (isfinite(t->cells[i].value))
			return true;
	return false;
}

static void to_scenarios(struct document *d, struct document_table *t)
{
	struct document_texts rows = {
		document_list(d, t->rows.count + 1, sizeof(*rows.list)), t->rows.count + 1};
	struct amount *cells = document_list(d, rows.count * SCENARIOS, sizeof(*cells));

	const struct cells slowdowns = {.list = t->cells, .n = t->rows.count * t->columns.count};

	scenarios_of(&slowdowns, t->rows.list, t->rows.count, t->columns.list, cells);
	memcpy(rows.list, t->rows.list, t->rows.count * sizeof(*rows.list));
	rows.list[t->rows.count] = "geometric mean";
	t->rows = rows;
	t->columns = (struct document_texts){
		document_list(d, SCENARIOS, sizeof(*t->columns.list)), SCENARIOS};
	memcpy(t->columns.list, scenario_names, sizeof(scenario_names));
	t->cells = cells;
	t->mean = "scenarios";
	t->column_axis = "scenario";
}

static void add_table(struct document *d, struct document_table **tables, const struct asked *a,
	size_t op, struct document_pairs values)
{
	bool by_operation = !strcmp(a->rows, "operation") || !strcmp(a->columns, "operation");
	const char *unit = in_ns(d, a->figure) ? "ns/unit" : a->figure->unit;
	struct document_table t = {
		.shown = a->shown,
		.quantity = own(d, *unit ? alloc_format("%s (%s)", a->figure->name, unit)
					 : alloc_format("%s", a->figure->name)),
		.unit = unit,
		.operation = by_operation ? NULL : common_name(d, op),
		.thread = a->thread,
		.values = values,
		.row_axis = a->rows,
		.column_axis = a->columns,
		.rows = labels_of(d, a->rows),
		.columns = labels_of(d, a->columns),
	};

	t.title = title_of(d, &t);
	t.cells = document_list(d, t.rows.count * t.columns.count, sizeof(*t.cells));
	for (size_t i = 0; i < t.rows.count; i++)
		for (size_t k = 0; k < t.columns.count; k++)
			t.cells[i * t.columns.count + k] = cell(d, a, &t, op, i, k);
	if (!has_figures(&t))
		return;
	if (a->scenarios)
		to_scenarios(d, &t);
	*tables = alloc_grow(*tables, d->ntables, sizeof(**tables));
	(*tables)[d->ntables++] = t;
}

/* ---- tables */

/* Makes a table for each combination of values of the n variables that are on no axis. */
static void add_tables(struct document *d, struct document_table **tables, const struct asked *a,
	const char **variables, size_t n)
{
	bool by_operation = !strcmp(a->rows, "operation") || !strcmp(a->columns, "operation");
	size_t nops = by_operation ? 1 : first_run(d)->operations.count, all = 1;
	struct document_texts labels[MAX_VARIABLES];

	for (size_t v = 0; v < n; v++) {
		labels[v] = labels_of(d, variables[v]);
		all *= labels[v].count;
	}
	for (size_t op = 0; op < nops; op++)
		for (size_t i = 0; i < all; i++) {
			struct document_pairs values = {
				document_list(d, n, sizeof(*values.list)), n};

			/* the last variable changes fastest */
			for (size_t v = n, rest = i; v-- > 0; rest /= labels[v].count)
				values.list[v] = (struct document_pair){
					variables[v], labels[v].list[rest % labels[v].count]};
			add_table(d, tables, a, op, values);
		}
}

static void convert(struct document *d, struct document_table **tables, const struct asked *a)
{
	const struct document_pairs *all = &first_run(d)->values;
	const char *variables[MAX_VARIABLES];
	size_t n = 0;

	for (size_t i = 0; i < all->count && n < MAX_VARIABLES; i++)
		if (strcmp(all->list[i].name, a->rows) && strcmp(all->list[i].name, a->columns))
			variables[n++] = all->list[i].name;
	add_tables(d, tables, a, variables, n);
}

/* "rows=d" */
static void read_word(struct document *d, struct asked *a, const char *word)
{
	static const struct {
		const char *prefix;
		bool rows, heat;
	} kinds[] = {{"rows=", true, true}, {"cols=", false, true}, {"x=", true, false},
		{"by=", false, false}};

	if (!strncmp(word, "thread=", 7))
		a->thread = atoi(word + 7);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		size_t length = strlen(kinds[i].prefix);

		if (strncmp(word, kinds[i].prefix, length))
			continue;
		const char *name = !strcmp(word + length, "kernel") ? "operation" : word + length;

		if (a->shown == SHOWN_PLOT && kinds[i].heat)
			a->shown = SHOWN_HEAT;
		*(kinds[i].rows ? &a->rows : &a->columns) = own(d, alloc_format("%s", name));
	}
}

/* False: the line asks for nothing, or for what the document does not contain. */
static bool read_line(struct document *d, struct asked *a, const char *line)
{
	struct words words = {0};
	bool table, plot;

	words_split(&words, line, " \t:");
	table = words.count > 1 && !strcmp(words.word[0], "table");
	plot = words.count > 1 && !strcmp(words.word[0], "plot");
	*a = (struct asked){.shown = plot ? SHOWN_PLOT : SHOWN_TABLE,
		.figure = table || plot ? old_figure(words.word[1]) : NULL,
		.rows = "",
		.columns = "",
		.thread = -1};
	for (size_t i = 2; a->figure && i < words.count; i++)
		read_word(d, a, words.word[i]);
	words_free(&words);
	return a->figure && *a->rows && is_axis(d, a->rows) && is_axis(d, a->columns);
}

/* What the chapters of a page need besides. */
static void convert_more(
	struct document *d, struct document_table **tables, const struct asked *asked)
{
	struct asked a = *asked;

	if (a.shown != SHOWN_TABLE)
		return;
	if (!strcmp(a.figure->name, "speedup")) {
		a.figure = old_figure("hypothetical");
		convert(d, tables, &a);
	} else if (!strcmp(a.figure->name, "overhead") && !*a.columns) {
		a.figure = old_figure("cost");
		convert(d, tables, &a);
	} else if (!strcmp(a.figure->name, "slowdown") && document_value(first_run(d), a.rows) &&
		   document_value(first_run(d), a.columns)) {
		a.scenarios = true;
		convert(d, tables, &a);
	}
}

/* Pictures have the numbers of plots: with a plot that cannot be made, no plot has the right one.
 */
static bool makes_all_plots(struct document *d, const struct words *lines)
{
	struct asked a;

	for (size_t i = 0; i < lines->count; i++)
		if (!strncmp(lines->word[i], "plot", 4) && !read_line(d, &a, lines->word[i]))
			return false;
	for (size_t i = 0; i < d->arguments.set.count; i++)
		if (!strncmp(d->arguments.set.list[i], "plot", 4))
			return false;
	return true;
}

void document_convert_tables(struct document *d)
{
	const char *text = d->arguments.text ? d->arguments.text : "";
	struct document_table *tables = NULL;
	struct words lines = {0};
	struct asked a;

	words_split(&lines, text, "\n");
	bool plots = makes_all_plots(d, &lines);

	/* first all that the file asks for, in its order */
	for (int more = 0; first_run(d) && more <= 1; more++)
		for (size_t i = 0; i < lines.count; i++) {
			if (!read_line(d, &a, lines.word[i]) || (a.shown != SHOWN_TABLE && !plots))
				continue;
			if (more)
				convert_more(d, &tables, &a);
			else
				convert(d, &tables, &a);
		}
	words_free(&lines);
	d->tables = document_list(d, d->ntables, sizeof(*d->tables));
	if (d->ntables)
		memcpy(d->tables, tables, d->ntables * sizeof(*tables));
	free(tables);
}
