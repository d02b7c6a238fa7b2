/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document/json_common.h"

#include "document/value.h"

json_t *json_variables(const struct sweep *s, size_t run)
{
	json_t *o = json_object();

	for (size_t v = 0; v < s->nvariables; v++)
		json_object_set_new(o, s->variables[v].name, value_string(sweep_value(s, run, v)));
	return o;
}

static json_t *place(int value)
{
	return value == UNBOUND ? json_null() : json_integer(value);
}

json_t *json_warmup(const struct request *q)
{
	return q->warmup == WARMUP_SETTLED ? json_null() : json_integer((json_int_t)q->warmup);
}

json_t *json_thread(const struct plan *p, int thread)
{
	const struct plan_thread *t = &p->threads[thread];
	json_t *vectors = json_array();

	for (int k = 0; k < t->nvectors; k++)
		json_array_append_new(vectors, json_integer(t->vector_ids[k]));
	return json_pack("{s:o, s:o, s:o, s:s?, s:b, s:o}", "node", place(t->node), "core",
		place(t->core), "cpu", place(t->cpu), "kind", topo_kind_name(p->topo, t->kind),
		"shares_core", t->shares_core, "vectors", vectors);
}
