/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What views and tables are called. */
#include <stdlib.h>

#include "analysis/pair_classes.h"
#include "analysis/view.h"
#include "base/text.h"

const char *axis_name(const struct experiment *x, int axis)
{
	return axis >= AXIS_VARIABLE ? x->sweep.variables[axis].name : axis_kind(axis);
}

const char *view_name(const struct view *v)
{
	return v->counter  ? v->counter->name
	       : v->figure ? v->figure->name
			   : quantities[v->quantity].name;
}

const char *view_unit(const struct experiment *x, const struct view *v)
{
	static const char *const units[] = {"per unit", "", "%"}; /* of counters, by their kind */
	uint64_t bytes;

	if (quantities[v->quantity].at_value && v->along >= 0)
		return text_bytes(x->sweep.variables[v->along].values.word[0], &bytes) ? "" : "B";
	if (v->figure)
		return v->figure->unit;
	return v->counter ? units[counter_kind(v->counter)] : quantity_unit(x, v->quantity);
}

struct heading view_heading(const struct experiment *x, const struct view *v)
{
	return (struct heading){.id = v->quantity,
		.name = view_name(v),
		.along = v->along >= 0 ? x->sweep.variables[v->along].name : NULL,
		.unit = view_unit(x, v)};
}

char *view_title(const struct experiment *x, const struct view *v)
{
	const struct heading h = view_heading(x, v);

	return heading_title(&h);
}

void table_free(struct table *m)
{
	for (size_t i = 0; i < m->rows; i++)
		free(m->row_labels[i]);
	for (size_t i = 0; i < m->cols; i++)
		free(m->col_labels[i]);
	for (size_t i = 0; m->row_begins && i < m->rows; i++)
		free(m->row_begins[i]);
	for (size_t i = 0; m->col_begins && i < m->cols; i++)
		free(m->col_begins[i]);
	free(m->row_begins);
	free(m->col_begins);
	pair_classes_free(m);
	free(m->row_labels);
	free(m->col_labels);
	free(m->row_name);
	free(m->col_name);
	free(m->rest);
	free(m->held);
	free(m->cells);
	free(m->factors);
	free(m->trust);
	free(m->places);
	for (size_t i = 0; i < m->nmarks; i++)
		free(m->marks[i].label);
	free(m->marks);
	free(m->fixed);
}
