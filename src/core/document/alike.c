/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which tables are of the same. */
#include <string.h>

#include "document/figure.h"

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Of the same operation and values? */
static bool same_runs(const struct document_table *a, const struct document_table *b)
{
	bool same = same_text(a->operation, b->operation) && a->values.count == b->values.count;

	for (size_t i = 0; same && i < a->values.count; i++)
		same = !strcmp(a->values.list[i].name, b->values.list[i].name) &&
		       !strcmp(a->values.list[i].value, b->values.list[i].value);
	return same;
}

static bool same_axes(const struct document_table *a, const struct document_table *b)
{
	return !strcmp(a->row_axis, b->row_axis) && !strcmp(a->column_axis, b->column_axis);
}

bool document_alike(const struct document_table *a, const struct document_table *b)
{
	return same_runs(a, b) && same_axes(a, b);
}

bool document_same_subject(const struct document_table *a, const struct document_table *b)
{
	return a->id == b->id && !strcmp(a->quantity, b->quantity) &&
	       same_text(a->along, b->along) && !strcmp(a->unit, b->unit) &&
	       a->thread == b->thread && same_runs(a, b);
}

bool document_same_numbers(const struct document_table *a, const struct document_table *b)
{
	return document_same_subject(a, b) && same_axes(a, b);
}
