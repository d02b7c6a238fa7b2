/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans as JSON. */
#include "describe/describe.h"
#include "document/value.h"

static json_t *variables(const struct sweep *s, size_t run)
{
	json_t *o = json_object();

	for (size_t v = 0; v < s->nvariables; v++)
		json_object_set_new(o, s->variables[v].name, value_string(sweep_value(s, run, v)));
	return o;
}

static json_t *place_json(int value)
{
	return value == UNBOUND ? json_null() : json_integer(value);
}

static json_t *warmup(const struct request *q)
{
	return q->warmup == WARMUP_SETTLED ? json_null() : json_integer((json_int_t)q->warmup);
}

/* Where a thread is to be and what it uses; null: it is not bound. */
static json_t *thread_of(const struct plan *p, int thread)
{
	const struct plan_thread *t = &p->threads[thread];
	json_t *vectors = json_array();

	for (int k = 0; k < t->nvectors; k++)
		json_array_append_new(vectors, json_integer(t->vector_ids[k]));
	return json_pack("{s:o, s:o, s:o, s:s?, s:b, s:o}", "node", place_json(t->node), "core",
		place_json(t->core), "cpu", place_json(t->cpu), "kind",
		topo_kind_name(p->topo, t->kind), "shares_core", t->shares_core, "vectors",
		vectors);
}

static json_t *vectors(const struct plan *p)
{
	json_t *list = json_array();

	for (int i = 0; i < p->nvectors; i++) {
		const struct plan_vector *v = &p->vectors[i];

		json_array_append_new(
			list, json_pack("{s:o, s:I, s:I, s:s, s:s, s:s, s:o}", "asked_node",
				      value_string(v->asked), "elements", (json_int_t)v->elements,
				      "bytes", (json_int_t)v->bytes, "type", element_names[v->type],
				      "asked_pages", pages_names[v->pages], "init",
				      init_names[v->init], "init_thread",
				      v->toucher < 0 ? json_null() : json_integer(v->toucher)));
	}
	return list;
}

static json_t *threads(const struct plan *p)
{
	json_t *list = json_array();

	for (int i = 0; i < p->nthreads; i++)
		json_array_append_new(list, thread_of(p, i));
	return list;
}

/* passes null: they are chosen when it is measured. */
static json_t *jobs(const struct plan *p, const struct plan_op *op)
{
	json_t *list = json_array();

	for (int i = 0; i < p->nthreads; i++) {
		const struct plan_job *job = &op->jobs[i];

		json_array_append_new(list,
			json_pack("{s:s, s:o, s:o, s:o, s:o}", "kernel", job->name, "passes",
				job->calibrated ? json_null()
						: json_integer((json_int_t)job->common.passes),
				"sleep_s", json_real((double)job->common.sleep_ns * 1e-9),
				"times_caches", value_number(job->times_caches), "held_by",
				*job->held ? json_string(job->held) : json_null()));
	}
	return list;
}

static json_t *operations(const struct plan *p)
{
	json_t *list = json_array();

	for (int o = 0; o < p->nops; o++)
		json_array_append_new(list, json_pack("{s:s, s:o}", "operation", p->ops[o].label,
						    "threads", jobs(p, &p->ops[o])));
	return list;
}

static json_t *settings(const struct request *q)
{
	json_t *o = json_object();

	for (size_t i = 0; i < q->nsettings; i++) {
		json_t *values = json_array();

		for (size_t k = 0; k < q->settings[i].values.count; k++)
			json_array_append_new(values, value_string(q->settings[i].values.word[k]));
		json_object_set_new(o, q->settings[i].name, values);
	}
	return o;
}

static json_t *run_json(const struct experiment *x, size_t index)
{
	const struct run *r = &x->runs[index];
	const struct request *q = &r->request;
	json_t *o = json_pack("{s:o}", "values", variables(&x->sweep, index));

	if (r->skipped) {
		json_object_set_new(o, "skipped", value_string(errors_failure(&r->errors)));
		return o;
	}
	json_object_update_new(
		o, json_pack("{s:o, s:o, s:o, s:o, s:I, s:o, s:I, s:I, s:b}", "vectors",
			   vectors(&r->plan), "threads", threads(&r->plan), "operations",
			   operations(&r->plan), "parameters", settings(q), "samples",
			   (json_int_t)q->iterations, "warmup", warmup(q), "placements",
			   (json_int_t)q->placements, "placements_most",
			   (json_int_t)q->placements_most, "solo", q->solo));
	return o;
}

static json_t *runs_json(const struct experiment *x)
{
	json_t *list = json_array();

	for (size_t i = 0; i < x->nruns; i++)
		json_array_append_new(list, run_json(x, i));
	return list;
}

void describe_plan(struct described_plans *p, const char *path, const struct experiment *x,
	const struct errors *messages)
{
	json_t *o = json_pack("{s:o, s:b, s:o}", "path", value_string(path), "refused", x == NULL,
		"messages", value_messages(messages));

	if (x)
		json_object_update_new(o, json_pack("{s:o, s:f}", "runs", runs_json(x), "guess_s",
						  experiment_guess_s(x)));
	if (!p->list)
		p->list = json_array();
	json_array_append_new(p->list, o);
}

char *describe_plans(struct described_plans *p, const struct topo *t)
{
	json_t *o = describe_begin("affinity --plan");

	json_object_set_new(o, "machine",
		json_pack("{s:o, s:b, s:i, s:i, s:i}", "source", value_string(t->source),
			"this_machine", t->this_system, "nodes", t->nnodes, "cores", t->ncores,
			"cpus", t->ncpus));
	json_object_set_new(o, "plans", p->list ? p->list : json_array());
	p->list = NULL;
	return describe_text(o);
}
