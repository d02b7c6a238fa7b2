/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks of the cells of tables. */
#include "statistics/crossing.h"
#include "findings/crossings.h"
#include "affinity-report/figures/figures.h"

void page_mark_cells(const struct document *d, const struct document_table *t, struct grid *g)
{
	for (size_t i = 0; i < t->rows.count * t->columns.count; i++)
		g->rows[i / t->columns.count].marks[i % t->columns.count] =
			document_cell(d, t, i).trust;
}

void page_mark_same(const struct document *d, const struct document_table *t, struct grid *g)
{
	for (size_t i = 0; crossing_variable(t) && i < t->rows.count * t->columns.count; i++) {
		const size_t row = i / t->columns.count, column = i % t->columns.count;
		const struct crossing_pair c = crossing_compared(d, t, row, column);

		if (c.first && c.same_place)
			g->rows[row].cells[column] = crossing_none_to_find();
	}
}
