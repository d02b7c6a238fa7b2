/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The worth of the model as JSON. */
#include <stdlib.h>

#include "describe/describe.h"
#include "document/value.h"
#include "forecast/worth.h"

static json_t *lacks(const struct worth *w, size_t row)
{
	char *why = worth_lacks(w, row);
	json_t *found = why ? json_string(why) : json_null();

	free(why);
	return found;
}

static json_t *errors_of(const struct worth_errors *e)
{
	return json_pack("{s:I, s:o, s:o}", "figures", (json_int_t)e->figures, "median",
		value_number(e->median), "p90", value_number(e->p90));
}

char *worth_json(const struct worth *w)
{
	json_t *o = describe_begin("affinity --worth"), *rows = json_array();

	for (size_t i = 0; i < WORTH_ROWS; i++) {
		const struct worth_row *r = &w->rows[i];

		json_array_append_new(rows,
			json_pack("{s:s, s:o, s:o, s:o, s:I, s:I, s:o, s:o}", "predictor", r->name,
				"all", errors_of(&r->all), "interacting",
				errors_of(&r->interacting), "covered", value_number(r->covered),
				"decisions", (json_int_t)r->decisions, "best", (json_int_t)r->best,
				"most_lost", value_number(r->most_lost), "lacks", lacks(w, i)));
	}
	json_object_update_new(
		o, json_pack("{s:I, s:I, s:I, s:I, s:f, s:f, s:b, s:b, s:b, s:o}", "files",
			   (json_int_t)w->files, "figures", (json_int_t)w->figures, "operations",
			   (json_int_t)w->operations, "left_disturbed",
			   (json_int_t)w->left_disturbed, "interacts", w->interacts, "confidence",
			   w->confidence, "other_machine", w->other_machine, "simulated",
			   w->simulated, "disturbed", w->disturbed, "rows", rows));
	return describe_text(o);
}
