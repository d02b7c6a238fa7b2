/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells of tables with the marks of the runs, operations and threads that they are of. */
#include <stdlib.h>
#include <string.h>

#include "analysis/derive.h"
#include "document/figure.h"
#include "statistics/crossing.h"

/* Has the run this value, or no such variable? Axes can also be operations and threads. */
static bool has_axis_value(const struct document_run *r, const char *variable, const char *value)
{
	const char *own = document_value(r, variable);

	return !own || !strcmp(own, value);
}

bool document_is_of_cell(const struct document_run *r, const struct document_table *t,
	const char *row, size_t column)
{
	bool same = !r->skipped && has_axis_value(r, t->row_axis, row) &&
		    has_axis_value(r, t->column_axis, t->columns.list[column]);

	for (size_t i = 0; same && i < t->values.count; i++)
		same = has_axis_value(r, t->values.list[i].name, t->values.list[i].value);
	return same;
}

/* The first place in by_row whose run has at least this value, and beyond this run. */
static size_t find_row(const struct document *d, const struct document_table *t, const char *row,
	const struct document_run *after)
{
	size_t low = 0, high = d->nruns;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct document_run *r = &d->runs[t->by_row[middle]];
		const int by = strcmp(document_value(r, t->row_axis), row);

		if (by < 0 || (!by && after && r <= after))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct document_run *document_next_of_cell(const struct document *d,
	const struct document_table *t, size_t cell, const struct document_run *after)
{
	const size_t columns = t->columns.count ? t->columns.count : 1;
	const char *row = t->rows.list[cell / columns];
	size_t i = t->by_row ? find_row(d, t, row, after)
		   : after   ? (size_t)(after - d->runs) + 1
			     : 0;

	for (; i < d->nruns; i++) {
		const struct document_run *r = &d->runs[t->by_row ? t->by_row[i] : i];

		if (t->by_row && !has_axis_value(r, t->row_axis, row))
			return NULL;
		if (document_is_of_cell(r, t, row, cell % columns))
			return r;
	}
	return NULL;
}

/* Is the table of times, or made of them? What kernels tell and what is counted has no mark, nor
 * has a point of a curve over time. */
static bool has_mark(const struct document_table *t)
{
	return (quantities[t->id].timed || t->ranges) && t->rows_are != AXIS_TIME &&
	       !(t->mean && !strcmp(t->mean, "scenarios"));
}

static bool is_mean(const struct document_table *t, size_t row, size_t column)
{
	return t->mean && (row + 1 == t->rows.count ||
				  (t->columns.count > 1 && column + 1 == t->columns.count));
}

/* The label of a cell on an axis of this kind; NULL: it is on none. */
static const char *label_on(const struct document_table *t, int axis, size_t cell)
{
	if (t->rows_are == axis)
		return t->rows.list[cell / t->columns.count];
	return t->columns_are == axis ? t->columns.list[cell % t->columns.count] : NULL;
}

static int thread_of(const struct document_table *t, size_t cell)
{
	const char *label = label_on(t, AXIS_THREAD, cell);

	return !label ? (t->thread < 0 ? ALL_THREADS : t->thread)
		      : atoi(label + strcspn(label, "0123456789"));
}

/* The ends of a range are no interval. */
static struct amount judged(const struct document_table *t, struct amount cell)
{
	return t->ranges ? (struct amount){1, 1, 1} : quantity_judged(t->id, cell);
}

static void add_mark(struct trust *all, const struct document_run *r, const char *operation,
	int thread, struct amount cell)
{
	for (size_t i = 0; r && i < r->operations.count; i++) {
		const struct document_operation *o = &r->operations.list[i];

		if (operation && strcmp(operation, o->name) != 0)
			continue;
		const struct trust_samples of = document_trust_samples(r, o, thread);
		const struct trust own = trust_of(&of, cell);

		*all = trust_worse(all, &own);
	}
}

/* What the driver wrote knows more than the cell's own runs: those of a thread alone, and of all
 * threads that a row stands for. */
static void add_written(struct trust *t, const struct document_mark *mark)
{
	const enum trust_word word = mark->there ? trust_word_named(mark->word) : TRUST_FIRM;

	if (word <= t->word)
		return;
	t->word = word;
	t->written = *mark->why ? mark->why : NULL;
}

struct document_figure document_marked(const struct document_marked *m)
{
	struct document_figure f = {m->amount, {.word = TRUST_FIRM}};

	add_written(&f.trust, &m->mark);
	return f;
}

struct document_figure document_cell(
	const struct document *d, const struct document_table *t, size_t cell)
{
	const size_t columns = t->columns.count ? t->columns.count : 1;
	const size_t row = cell / columns, column = cell % columns;
	const char *label = label_on(t, AXIS_OPERATION, cell);
	const struct amount a = judged(t, t->cells[cell]);
	struct document_figure f = {t->cells[cell], {.word = TRUST_FIRM}};

	const struct document_run *r = NULL;

	/* that two placements are the same memory is no measurement */
	while (has_mark(t) && !is_mean(t, row, column) &&
		!(t->ranges && crossing_is_same_memory(t->cells[cell])) &&
		(r = document_next_of_cell(d, t, cell, r))) {
		const int thread = thread_of(t, cell);
		const struct document_run *base = quantities[t->id].needs & NEEDS_BASELINE
							  ? document_measured(d, r->baseline)
							  : NULL;

		if (base == r && !t->ranges)
			continue;
		add_mark(&f.trust, r, label ? label : t->operation, thread, a);
		add_mark(&f.trust, base, label ? label : t->operation, thread, a);
	}
	if (t->marks)
		add_written(&f.trust, &t->marks[cell]);
	return f;
}

/* What the kernels of the table's operation count, or that of its thread, singular; NULL: they
 * count different things. */
static const char *counted_of(const struct document *d, const struct document_table *t)
{
	const char *unit = NULL;

	for (size_t i = 0; i < d->nruns; i++)
		for (size_t k = 0; k < d->runs[i].operations.count; k++) {
			const struct document_operation *o = &d->runs[i].operations.list[k];

			if (t->operation && strcmp(o->name, t->operation) != 0)
				continue;
			for (size_t j = 0; j < o->njobs; j++) {
				const char *own = o->jobs[j].unit;

				if (t->thread >= 0 && (size_t)t->thread != j)
					continue;
				if (!own || !*own || (unit && strcmp(own, unit) != 0))
					return NULL;
				unit = own;
			}
		}
	return unit;
}

struct heading document_heading(
	const struct document *d, const struct document_table *t, const char *unit)
{
	return (struct heading){.id = t->id,
		.name = t->quantity,
		.along = t->along,
		.unit = unit && *t->unit ? unit : t->unit,
		.counted = counted_of(d, t)};
}
