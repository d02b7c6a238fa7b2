/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What views and tables are called. */
#include <stdlib.h>

#include "analysis/view.h"
#include "base/alloc.h"
#include "base/text.h"

const char *axis_name(const struct experiment *x, int axis)
{
	static const char *const names[] = {[-AXIS_NONE] = "",
		[-AXIS_THREAD] = "thread",
		[-AXIS_OPERATION] = "operation",
		[-AXIS_TIME] = "time"};

	return axis >= 0 ? x->sweep.variables[axis].name : names[-axis];
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

	if (quantities[v->quantity].at_value)
		return text_bytes(x->sweep.variables[v->along].values.word[0], &bytes) ? "" : "B";
	if (v->figure)
		return v->figure->unit;
	return v->counter ? units[counter_kind(v->counter)] : quantity_unit(x, v->quantity);
}

char *view_title(const struct experiment *x, const struct view *v)
{
	const char *unit = view_unit(x, v);
	const bool follows = quantities[v->quantity].along;

	return alloc_format("%s%s%s%s%s%s", view_name(v), follows ? " along " : "",
		follows ? x->sweep.variables[v->along].name : "", *unit ? " (" : "", unit,
		*unit ? ")" : "");
}

char *table_title(const struct experiment *x, const struct view *v, const struct table *m)
{
	char *title = view_title(x, v);

	if (m->operation)
		alloc_append(&title, ", ", "%s", m->operation);
	if (v->thread != ALL_THREADS)
		alloc_append(&title, ", ", "thread %d", v->thread);
	for (size_t i = 0; i < m->nfixed; i++)
		alloc_append(&title, ", ", "%s=%s", m->fixed[i].name, m->fixed[i].value);
	return title;
}

void table_free(struct table *m)
{
	for (size_t i = 0; i < m->rows; i++)
		free(m->row_labels[i]);
	for (size_t i = 0; i < m->cols; i++)
		free(m->col_labels[i]);
	for (size_t i = 0; m->row_kinds && i < m->rows; i++)
		free(m->row_kinds[i]);
	free(m->row_kinds);
	free(m->row_labels);
	free(m->col_labels);
	free(m->row_name);
	free(m->col_name);
	free(m->quantity);
	free(m->title);
	free(m->held);
	free(m->cells);
	free(m->factors);
	free(m->places);
	free(m->place_name);
	for (size_t i = 0; i < m->nmarks; i++)
		free(m->marks[i].label);
	free(m->marks);
	free(m->fixed);
}
