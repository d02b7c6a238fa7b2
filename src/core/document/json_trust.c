/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes marks. */
#include "document/json_trust.h"

#include <math.h>
#include <stdlib.h>

#include "document/value.h"

json_t *json_trust(const struct trust *t)
{
	char *why = trust_why(t);
	json_t *o = json_pack("{s:s, s:o}", "word", trust_words[t->word], "why", value_string(why));

	free(why);
	return o;
}

json_t *json_marked(struct amount a, const struct trust *t)
{
	json_t *o = value_amount(a);

	if (isfinite(a.value))
		json_object_set_new(o, "mark", json_trust(t));
	return o;
}

json_t *json_quantity(const struct experiment *x, size_t run, int op, int thread, enum quantity q)
{
	const struct amount a = quantity_of(x, run, op, thread, q);
	struct trust t;

	return quantity_trust(x, run, op, thread, q, &t) ? json_marked(a, &t) : value_amount(a);
}

json_t *json_mark(const struct samples *r, int op, int thread)
{
	struct trust t;

	return trust_of_row(r, op, thread, &t) ? json_null() : json_trust(&t);
}

json_t *json_quality(const struct quality *q)
{
	char *text = quality_text(q), *conditions = quality_conditions(q);
	json_t *o = json_pack("{s:s, s:I, s:I, s:I, s:o, s:o}", "word", trust_words[q->word],
		"firm", (json_int_t)q->figures[TRUST_FIRM], "fair",
		(json_int_t)q->figures[TRUST_FAIR], "weak", (json_int_t)q->figures[TRUST_WEAK],
		"conditions", value_string(conditions), "text", value_string(text));

	free(conditions);
	free(text);
	return o;
}
