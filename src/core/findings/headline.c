/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an experiment found, in a sentence: the least and the most figure of its first table. Where
 * the file asks for no table, the figures of all runs and operations are one, in the quantity that
 * the kernels are there for.
 *
 * subject.c names what a finding is about. headline.c and runs.c say what an experiment found; the
 * others each read one kind of table (rates.c and weights.c threads and placements of a model,
 * hot.c, interleave.c, crossings.c, lines.c, links.c ...); weak.c leaves out what decides nothing.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/derive.h"
#include "analysis/heading.h"
#include "base/alloc.h"
#include "document/quality.h"
#include "findings/headline.h"

/* Figures that differ by less are called alike. */
#define ALIKE 1.1

/* ---- extremes */

struct extremes {
	size_t least, most, n; /* indices of cells, and how many cells have a figure */
};

/* Means are of other cells. */
static bool is_mean(const struct document_table *t, size_t i)
{
	size_t columns = t->columns.count;

	return t->mean &&
	       (i / columns + 1 == t->rows.count || (columns > 1 && i % columns + 1 == columns));
}

#define EVERY SIZE_MAX

static bool is_within(const struct document_table *t, size_t i, size_t row, size_t column)
{
	return (row == EVERY || i / t->columns.count == row) &&
	       (column == EVERY || i % t->columns.count == column);
}

/* Of the cells of a row or a column, or of all. */
static struct extremes extremes_within(const struct document_table *t, size_t row, size_t column)
{
	struct extremes x = {0};

	for (size_t i = 0; i < t->rows.count * t->columns.count; i++) {
		double value = t->cells[i].value;

		if (!isfinite(value) || value <= 0 || is_mean(t, i) ||
			!is_within(t, i, row, column))
			continue;
		if (!x.n || value < t->cells[x.least].value)
			x.least = i;
		if (!x.n || value > t->cells[x.most].value)
			x.most = i;
		x.n++;
	}
	return x;
}

static double span(const struct document_table *t, struct extremes x)
{
	return x.n > 1 ? t->cells[x.most].value / t->cells[x.least].value : 0;
}

/* Operations do different work: where the table has several figures of each, the ends are of the
 * one that they are farthest apart of. */
static struct extremes extremes_of(const struct document_table *t)
{
	const bool rows = t->rows_are == AXIS_OPERATION, columns = t->columns_are == AXIS_OPERATION;
	const size_t n = rows ? t->rows.count : columns ? t->columns.count : 0;
	struct extremes most = {0};

	for (size_t i = 0; i < n; i++) {
		struct extremes x = extremes_within(t, rows ? i : EVERY, rows ? EVERY : i);

		most = span(t, x) > span(t, most) ? x : most;
	}
	return most.n ? most : extremes_within(t, EVERY, EVERY);
}

/* The first table that compares figures; NULL: none. */
static const struct document_table *first_table(const struct document *d)
{
	for (size_t i = 0; i < d->ntables; i++) {
		const struct document_table *t = &d->tables[i];

		if (!t->ranges && !(t->mean && !strcmp(t->mean, "scenarios")) &&
			extremes_of(t).n > 1)
			return t;
	}
	return NULL;
}

/* ---- how far apart the ends are */

/* What was done in the runs of a cell; NAN: not known. */
static double work_of(const struct document *d, const struct document_table *t, size_t cell)
{
	const struct document_run *r = NULL;
	double units = 0;

	while ((r = document_next_of_cell(d, t, cell, r)))
		for (size_t k = 0; k < r->operations.count; k++)
			for (size_t j = 0; j < r->operations.list[k].njobs; j++)
				units += r->operations.list[k].jobs[j].figures.units;
	return units > 0 ? units : NAN;
}

/* Costs are of all that was done, other figures of a unit of it. */
static bool is_same_work(const struct compared *c, const struct extremes *x)
{
	const struct document_table *t = c->table;
	const bool by_rows = t->rows_are == AXIS_OPERATION,
		   by_columns = t->columns_are == AXIS_OPERATION;
	const size_t columns = t->columns.count;
	const size_t least = by_rows ? x->least / columns : x->least % columns;
	const size_t most = by_rows ? x->most / columns : x->most % columns;

	if ((by_rows || by_columns) && least != most)
		return false;
	if (t->id != QUANTITY_COST || c->document->method.per_unit)
		return true;
	return !c->marks &&
	       fabs(work_of(c->document, t, x->most) / work_of(c->document, t, x->least) - 1) <
		       ALIKE - 1;
}

/* How many times the least is the most; 1: it cannot be said. An overhead is a part of the whole
 * cost, another share of what there is without it. */
static double times_of(const struct compared *c, const struct extremes *x)
{
	const struct document_table *t = c->table;
	const struct amount least = t->cells[x->least], most = t->cells[x->most];

	if (least.high >= most.low || !is_same_work(c, x))
		return 1;
	if (t->id == QUANTITY_OVERHEAD)
		return (100 - least.value) / (100 - most.value);
	return strcmp(t->unit, "%") ? most.value / least.value
				    : (100 + most.value) / (100 + least.value);
}

/* ---- words */

/* "cache-misses" could be words. */
static bool is_counted(const struct document_table *t)
{
	return t->id == QUANTITY_COUNTER && islower((unsigned char)*t->quantity) &&
	       !strcmp(t->unit, "per unit");
}

/* "Cost" of "cost (s)", "Time per access" of "ns_per_unit (ns)". Names of counters stay as they
 * are: "Counter mem_load.l3_miss" begins a sentence, and "The p99.9" does. */
void headline_add_quantity(struct finding *f, const struct compared *c, bool begins)
{
	const struct document_table *t = c->table;
	struct heading h = document_heading(c->document, t, NULL);

	h.counted = c->marks ? c->counted : h.counted;
	char *name = heading_subject(&h);
	const bool named = begins && (is_counted(t) || !heading_begin(name));

	finding_text(f, "quantity", "%s%s",
		!named               ? ""
		: t->id < QUANTITIES ? "The "
				     : "Counter ",
		name);
	findings_add_of(f, t);
	free(name);
}

/* "size 16KiB", "node 1", "load": an operation, "thread 0" and a run say themselves what they are.
 */
static void add_position(char **to, const char *axis, int kind, const char *label)
{
	const bool named = kind == AXIS_OPERATION || !strncmp(label, axis, strlen(axis));

	alloc_append(to, ", ", "%s%s%s", named ? "" : axis, named ? "" : " ", label);
}

static void add_place(struct finding *f, const char *name, const struct document_table *t, size_t i)
{
	char *at = NULL;

	if (*t->rows.list[i / t->columns.count])
		add_position(&at, t->row_axis, t->rows_are, t->rows.list[i / t->columns.count]);
	if (*t->column_axis)
		add_position(
			&at, t->column_axis, t->columns_are, t->columns.list[i % t->columns.count]);
	finding_text(f, name, "%s", at ? at : "");
	free(at);
}

static struct trust mark_of(const struct compared *c, size_t cell)
{
	return c->marks ? c->marks[cell] : document_cell(c->document, c->table, cell).trust;
}

void headline_add_extremes(const struct compared *c, struct finding_list *to)
{
	const struct document_table *t = c->table;
	const struct extremes x = extremes_of(t);

	if (x.n < 2)
		return;
	const struct amount least = t->cells[x.least], most = t->cells[x.most];
	const struct trust one = mark_of(c, x.least), other = mark_of(c, x.most);
	const bool open = least.high >= most.low;
	struct finding *f = findings_add(to, FINDING_EXTREMES);

	f->trust = document_word_of_figures(c->document, trust_worse(&one, &other).word);
	f->effect = times_of(c, &x);
	headline_add_quantity(f, c, true);
	if (most.value < ALIKE * least.value) {
		finding_text(f, "count", "%zu", x.n);
		finding_figure(f, "within",
			(struct amount){(most.value / least.value - 1) * 100, NAN, NAN}, "%");
	}
	finding_figure(f, "least", least, t->unit);
	add_place(f, "least_at", t, x.least);
	finding_figure(f, "most", most, t->unit);
	add_place(f, "most_at", t, x.most);
	finding_text(f, "held", t->held && *t->held ? "%s" : NULL, t->held);
	if (open)
		finding_text(f, "open", "yes");
	else if (f->effect >= ALIKE && strcmp(t->unit, "%") != 0)
		finding_figure(f, "times", (struct amount){f->effect, NAN, NAN}, "");
}

/* Where each table has a single figure: those of the first quantity. False: there are none. */
static bool add_single_figures(const struct document *d, struct finding_list *to)
{
	const struct document_table *first = NULL;
	struct finding_list *list = NULL;

	for (size_t i = 0; i < d->ntables; i++) {
		const struct document_table *t = &d->tables[i];

		if (t->ranges || extremes_of(t).n != 1 || t->shown != SHOWN_TABLE ||
			(first &&
				(t->id != first->id || strcmp(t->quantity, first->quantity) != 0)))
			continue;
		if (!first) {
			struct finding *all = findings_add(to, FINDING_FIGURES);

			all->trust = document_quality_of(d).word;
			list = finding_add_list(all, "figures");
		}
		struct finding *f = findings_add(list, FINDING_FIGURE);

		headline_add_quantity(f, &(struct compared){d, t, NULL, NULL}, !first);
		finding_figure(f, "figure", t->cells[extremes_of(t).least], t->unit);
		first = t;
	}
	return first;
}

void findings_headline(const struct document *d, struct finding_list *to)
{
	const struct document_table *t = first_table(d);

	if (t)
		headline_add_extremes(&(struct compared){d, t, NULL, NULL}, to);
	else if (!add_single_figures(d, to))
		headline_add_runs(d, to);
}
