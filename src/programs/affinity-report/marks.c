/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks of the cells of tables: those of the runs, operations and threads that a cell is of. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/derive.h"
#include "document/figure.h"
#include "programs/affinity-report/grids.h"
#include "programs/affinity-report/page.h"

/* Is the table of times, or made of them? What kernels tell and what is counted has no mark. */
static bool is_timed(const struct document_table *t)
{
	return quantities[t->id].timed && !t->ranges && !(t->mean && !strcmp(t->mean, "scenarios"));
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

/* A cell without an interval says nothing against the samples; a share of what there is without it
 * is as certain as the whole. */
static struct amount judged(const struct document_table *t, struct amount cell)
{
	const double from = strcmp(t->unit, "%") ? 0 : 100;

	return isfinite(cell.low)
		       ? (struct amount){cell.value + from, cell.low + from, cell.high + from}
		       : (struct amount){1, 1, 1};
}

static void add(struct trust *all, const struct document_run *r, const char *operation, int thread,
	struct amount cell)
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

struct trust page_mark_of_cell(
	const struct document *d, const struct document_table *t, size_t cell)
{
	const size_t row = cell / t->columns.count, column = cell % t->columns.count;
	const char *label = label_on(t, AXIS_OPERATION, cell);
	const struct amount a = judged(t, t->cells[cell]);
	struct trust all = {.word = TRUST_FIRM};

	if (!is_timed(t) || is_mean(t, row, column) || !isfinite(t->cells[cell].value))
		return all;
	for (size_t i = 0; i < d->nruns; i++) {
		const struct document_run *r = &d->runs[i];
		const int thread = thread_of(t, cell);

		if (!page_is_of_cell(r, t, t->rows.list[row], column))
			continue;
		add(&all, r, label ? label : t->operation, thread, a);
		if (t->id == QUANTITY_SPEEDUP)
			add(&all, document_measured(d, r->baseline), label ? label : t->operation,
				thread, a);
	}
	return all;
}

void page_mark_cells(const struct document *d, const struct document_table *t, struct grid *g)
{
	for (size_t i = 0; i < t->rows.count * t->columns.count; i++)
		g->rows[i / t->columns.count].marks[i % t->columns.count] =
			page_mark_of_cell(d, t, i);
}
