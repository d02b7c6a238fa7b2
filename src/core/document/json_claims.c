/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes claims and their verdicts into the JSON document. */
#include "document/json_claims.h"

#include "document/value.h"

/* What a side is measured in: a run and an operation of it. */
static json_t *side(const struct experiment *x, const struct view *what,
	const struct claim_point *p, struct amount value)
{
	const bool there = p->run >= 0 && p->op >= 0;

	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "quantity", value_string(view_name(what)),
		"run", p->run >= 0 ? value_string(x->runs[p->run].label) : json_null(), "operation",
		there ? value_string(x->runs[p->run].plan.ops[p->op].label) : json_null(), "thread",
		what->thread == ALL_THREADS ? json_null() : json_integer(what->thread), "value",
		value_amount(value));
}

static json_t *test(const struct experiment *x, const struct claim_test *t)
{
	const struct claim *c = t->claim;
	const struct claim_bounds b = claim_bounds(c);

	return json_pack("{s:o, s:o, s:s, s:s?, s:s, s:o, s:o, s:s, s:o, s:o, s:o}", "claim",
		value_string(c->text), "label", value_string(t->label), "verdict",
		claim_verdicts[t->verdict], "reason", t->reason, "unit",
		view_unit(x, &c->left.what), "left", side(x, &c->left.what, &t->left, t->of_left),
		"right", side(x, &c->right.what, &t->right, t->of_right), "figure_is",
		c->differs ? "left - right" : "left / right", "figure", value_amount(t->figure),
		"above", value_number(b.low), "below", value_number(b.high));
}

json_t *json_claims(const struct experiment *x, const struct claims *c)
{
	json_t *tests = json_array();

	for (size_t i = 0; i < c->ntests; i++)
		json_array_append_new(tests, test(x, &c->tests[i]));
	return json_pack("{s:f, s:f, s:I, s:o}", "confidence", c->confidence, "confidence_each",
		c->each, "asked", (json_int_t)c->asked, "tests", tests);
}
