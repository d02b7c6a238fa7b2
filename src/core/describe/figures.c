/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures of the first screen. */
#include "describe/describe.h"

#include "base/alloc.h"
#include "document/value.h"

static json_t *described_figure_json(const struct described_figure *f)
{
	json_t *o = json_pack("{s:s, s:s, s:s, s:s, s:o, s:s, s:s?, s:s}", "what", f->what, "row",
		f->row, "column", f->column, "unit", f->unit, "figure", value_amount(f->amount),
		"mark", trust_words[f->mark], "of", f->of, "experiment", f->experiment);

	if (f->enough)
		json_object_set_new(o, "enough_threads", json_integer(f->enough));
	return o;
}

char *describe_figures(const char *host, const char *date, const char *trust,
	const struct described_figure *list, size_t count)
{
	json_t *o = describe_begin("affinity first"), *figures = json_array();

	json_object_set_new(o, "date", value_string(date));
	json_object_set_new(o, "host", value_string(host));
	json_object_set_new(o, "trust", value_string(trust));
	for (size_t i = 0; i < count; i++)
		json_array_append_new(figures, described_figure_json(&list[i]));
	json_object_set_new(o, "figures", figures);
	return describe_text(o);
}
