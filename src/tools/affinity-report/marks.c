/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks of the cells of tables. */
#include "document/figure.h"
#include "affinity-report/page.h"

void page_mark_cells(const struct document *d, const struct document_table *t, struct grid *g)
{
	for (size_t i = 0; i < t->rows.count * t->columns.count; i++)
		g->rows[i / t->columns.count].marks[i % t->columns.count] =
			document_cell(d, t, i).trust;
}
