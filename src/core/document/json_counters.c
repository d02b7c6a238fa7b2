/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the counters into the JSON document. */
#include "document/json_counters.h"

#include <jansson.h>
#include <stdlib.h>

#include "analysis/counters.h"
#include "document/value.h"

/* NULL becomes null. */
static json_t *text(const char *s)
{
	return s ? json_string(s) : json_null();
}

static json_t *metric(const struct counted_metric *m)
{
	static const char *const kinds[] = {"count", "ratio", "percent"};

	return json_pack("{s:s, s:o, s:s, s:s, s:o, s:o, s:o}", "name", m->name, "group",
		text(m->metric ? m->metric->group : NULL), "kind", kinds[counter_kind(m)], "help",
		counter_help(m), "formula", text(m->formula.text), "pass",
		m->pass < 0 ? json_null() : json_integer(m->pass + 1), "missing",
		text(counter_missing(m)));
}

static json_t *pass(const struct counting *c, const struct counting_pass *p)
{
	json_t *events = json_array();

	for (size_t i = 0; i < p->n; i++) {
		const struct counted_event *e = &c->events[p->events[i]];
		char *remark = counter_remark(e);

		json_array_append_new(
			events, json_pack("{s:s, s:s, s:o, s:o, s:o, s:s}", "event", e->name,
					"native", e->native, "self_check", value_number(e->found),
					"expected", value_number(e->expected), "empty",
					value_number(e->empty), "remark", remark));
		free(remark);
	}
	return json_pack("{s:b, s:o}", "in_system", p->in_system, "events", events);
}

json_t *json_counting(const struct counting *c)
{
	json_t *metrics = json_array(), *passes = json_array();

	for (size_t i = 0; i < c->nmetrics; i++)
		json_array_append_new(metrics, metric(&c->metrics[i]));
	for (size_t i = 0; i < c->npasses; i++)
		json_array_append_new(passes, pass(c, &c->passes[i]));
	return json_pack("{s:i, s:o, s:o}", "samples_per_pass", COUNTED_SAMPLES, "metrics", metrics,
		"passes", passes);
}

json_t *json_counters(const struct samples *r, int op, int thread)
{
	const struct counting *c = r->plan->counting;
	json_t *o = json_object();

	for (size_t i = 0; i < c->nmetrics; i++) {
		struct counter_figure f = derive_counter(r, op, thread, &c->metrics[i]);
		struct amount a = derive_counter_amount(r, op, thread, &c->metrics[i]);

		json_object_set_new(o, c->metrics[i].name,
			json_pack("{s:o, s:o, s:o, s:o}", "value", value_number(f.value),
				"per_unit", value_number(f.per_unit), "low", value_number(a.low),
				"high", value_number(a.high)));
	}
	return o;
}
