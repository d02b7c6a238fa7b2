/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advice as JSON, and its end. */
#include "forecast/advised.h"

#include <math.h>
#include <stdlib.h>

#include "describe/describe.h"
#include "document/value.h"

const char *const advised_verdicts[] = {"holds", "does not hold", "is not shown to hold"};

static json_t *strings(const struct words *w)
{
	json_t *list = json_array();

	for (size_t i = 0; i < w->count; i++)
		json_array_append_new(list, value_string(w->word[i]));
	return list;
}

static json_t *optional(struct amount a)
{
	return isnan(a.value) ? json_null() : value_amount(a);
}

static json_t *placements(const struct advised *a)
{
	json_t *list = json_array();

	for (size_t i = 0; i < a->count; i++) {
		const struct advised_placement *p = &a->list[i];

		json_array_append_new(list,
			json_pack("{s:o, s:o, s:o, s:o, s:b, s:b, s:b}", "set", strings(&p->set),
				"rank", p->rank ? json_integer((json_int_t)p->rank) : json_null(),
				"predicted_s", optional(p->predicted), "measured_s",
				optional(p->measured), "verified", p->verified, "disturbed",
				p->disturbed, "baseline", p->baseline));
	}
	return list;
}

static json_t *gaps(const struct advised *a)
{
	json_t *list = json_array();

	for (size_t i = 0; i < a->ngaps; i++)
		json_array_append_new(
			list, json_pack("{s:o, s:I, s:o}", "why", value_string(a->gaps[i].why),
				      "placements", (json_int_t)a->gaps[i].placements, "first",
				      strings(&a->gaps[i].set)));
	return list;
}

static json_t *tied(const struct advised *a)
{
	json_t *list = json_array();

	for (size_t i = 0; i < a->count; i++)
		if (a->list[i].tied)
			json_array_append_new(list, json_integer((json_int_t)i));
	return list;
}

static json_t *verdict(const struct advised *a)
{
	if (!a->why)
		return json_null();
	return json_pack("{s:s, s:s, s:b, s:o, s:o, s:o}", "advice", advised_verdicts[a->verdict],
		"why", a->why, "too_noisy", a->too_noisy, "overlap",
		a->too_noisy ? json_real(a->overlap) : json_null(), "cheapest",
		a->cheapest < a->count ? json_integer((json_int_t)a->cheapest) : json_null(),
		"tied", tied(a));
}

static json_t *search(const struct advised *a)
{
	if (!a->searched)
		return json_null();
	return json_pack("{s:b, s:o}", "whole", isnan(a->left_s), "left_s",
		isnan(a->left_s) ? json_null() : json_real(a->left_s));
}

char *advised_json(const struct advised *a)
{
	const struct forecast *f = a->forecast;
	json_t *o = describe_begin("affinity --advise");

	json_object_set_new(o, "search", search(a));
	json_object_set_new(o, "not_predicted", gaps(a));
	json_object_update_new(o,
		json_pack("{s:b, s:o, s:o, s:o, s:b, s:b, s:b, s:b, s:f, s:s, s:s, s:I, s:I, s:I, "
			  "s:o, s:o}",
			"predicted", 1, "arguments", value_string(f->args), "profile",
			strings(f->profile), "set", strings(&a->given), "fitted", f->fitted,
			"other_machine", f->other_machine, "simulated", f->simulated, "disturbed",
			f->disturbed, "confidence", f->confidence, "per",
			f->runs[a->list[0].run].per, "summary", a->summary, "open",
			(json_int_t)a->open, "open_predicted", (json_int_t)a->predicted, "verify",
			(json_int_t)a->verify, "placements", placements(a), "verdict", verdict(a)));
	return describe_text(o);
}

void advised_free(struct advised *a)
{
	for (size_t i = 0; i < a->count; i++)
		words_free(&a->list[i].set);
	free(a->list);
	for (size_t i = 0; i < a->ngaps; i++)
		words_free(&a->gaps[i].set);
	free(a->gaps);
	free(a->why);
	words_free(&a->given);
	*a = (struct advised){0};
}
