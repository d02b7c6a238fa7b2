/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names the curves of a published figure that a plot lacks. */
#include <math.h>
#include <string.h>

#include "affinity-report/figures/figures.h"

/* A column whose runs were all skipped is no curve. */
static bool has_curve(const struct document_table *t, const char *column)
{
	for (size_t k = 0; k < t->columns.count; k++)
		for (size_t i = 0; i < t->rows.count && !strcmp(t->columns.list[k], column); i++)
			if (isfinite(t->cells[i * t->columns.count + k].value))
				return true;
	return false;
}

void page_curves(const struct document_table *t, const struct curve *curves, FILE *out)
{
	bool any = false;

	for (const struct curve *c = curves; c && c->column; c++) {
		if (has_curve(t, c->column))
			continue;
		html(out, "%-s%s (%s=%s)",
			any ? ", "
			    : "<p class=missing>Curves of the work's figure that were not "
			      "measured: ",
			c->name, t->column_axis, c->column);
		any = true;
	}
	fputs(any ? "</p>\n" : "", out);
}
