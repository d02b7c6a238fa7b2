/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine-readable document: the only user of jansson. */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "report.h"

/* JSON has no NaN: a figure that does not exist is null. */
static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

/* Host names and paths need not be UTF-8; a document that is not is no JSON. */
static json_t *string(const char *text)
{
	json_t *s = json_string(text);

	return s ? s : json_string("(not UTF-8)");
}

static json_t *environment(const struct environment *env)
{
	json_t *o = json_object();

	for (size_t i = 0; i < env->count; i++)
		json_object_set_new(o, env->facts[i].name, string(env->facts[i].value));
	return o;
}

static json_t *arguments(const struct args *a)
{
	json_t *text = json_stringn(a->text, a->length);
	json_t *o = json_object(), *set = json_array();

	for (size_t i = a->from_file; i < a->count; i++)
		json_array_append_new(
			set, json_sprintf("%s=%s", a->entries[i].key, a->entries[i].value));
	json_object_set_new(o, "path", string(a->path));
	json_object_set_new(o, "text", text ? text : json_string("(not UTF-8)"));
	json_object_set_new(o, "set", set);
	return o;
}

static json_t *pages_by_node(const struct mem_found *found)
{
	json_t *o = json_object();
	char node[16];

	for (int i = 0; i < MEM_MAX_NODES; i++)
		if (found->on_node[i]) {
			snprintf(node, sizeof(node), "%d", i);
			json_object_set_new(o, node, json_integer((json_int_t)found->on_node[i]));
		}
	return o;
}

static json_t *vector(const struct plan_vector *v, const struct placement *found)
{
	return json_pack(
		"{s:s, s:I, s:I, s:s, s:s, s:s, s:{s:o, s:I, s:I, s:I, s:I, s:i, s:i, s:I}}",
		"asked_node", v->asked, "elements", (json_int_t)v->elements, "bytes",
		(json_int_t)v->bytes, "type", element_names[v->type], "asked_pages",
		pages_names[v->pages], "init", init_names[v->init], "found", "pages_on_node",
		pages_by_node(&found->pages), "pages_absent", (json_int_t)found->pages.absent,
		"base_page_bytes", (json_int_t)mem_base_page(), "kernel_page_bytes",
		(json_int_t)found->sizes.kernel_page_bytes, "transparent_huge_bytes",
		(json_int_t)found->sizes.huge_bytes, "touched_by_cpu", found->touched_by,
		"touching_threads", found->touchers, "pages_moved_during_run",
		(json_int_t)found->moved);
}

static json_t *vectors(const struct run *r)
{
	json_t *list = json_array();

	for (int i = 0; i < r->plan->nvectors; i++)
		json_array_append_new(
			list, vector(&r->plan->vectors[i], &r->prepared->placements[i]));
	return list;
}

static json_t *threads(const struct plan *p)
{
	json_t *list = json_array();

	for (int i = 0; i < p->nthreads; i++) {
		const struct plan_thread *t = &p->threads[i];
		json_t *ids = json_array();

		for (int k = 0; k < t->nvectors; k++)
			json_array_append_new(ids, json_integer(t->vector_ids[k]));
		json_array_append_new(list,
			json_pack("{s:i, s:i, s:i, s:b, s:o}", "node", t->node, "core", t->core,
				"cpu", t->cpu, "shares_core", t->shares_core, "vectors", ids));
	}
	return list;
}

static json_t *sample(const struct sample *s, int thread)
{
	const struct stint *st = &s->stints[thread];

	return json_pack("{s:o, s:o, s:I, s:I, s:I, s:b, s:I, s:i, s:i, s:i, s:i, s:i, s:i}",
		"cost_s", number(stint_cost(s, thread)), "busy_s", number(stint_busy(s, thread)),
		"units", (json_int_t)st->units, "late_ns", (json_int_t)(st->left_ns - s->start_ns),
		"skew_ns", (json_int_t)s->skew_ns, "warmup", s->warmup, "disturbed_flags",
		(json_int_t)s->disturbed, "preempted", st->preempted, "blocked", st->blocked,
		"page_faults", st->faults, "migrations", st->migrations, "cpu_before",
		st->cpu_before, "cpu_after", st->cpu_after);
}

static json_t *samples(const struct op_result *result, int thread)
{
	json_t *list = json_array();

	for (size_t i = 0; i < result->count; i++)
		json_array_append_new(list, sample(&result->samples[i], thread));
	return list;
}

static json_t *figures(const struct run *r, int op, int thread)
{
	struct figures f;

	if (derive_thread(r, op, thread, &f))
		return json_null();
	return json_pack(
		"{s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
		"cost_s", number(f.value), "low_s", number(f.low), "high_s", number(f.high), "n",
		(json_int_t)f.cost.n, "mean_s", number(f.cost.mean), "sd_s", number(f.cost.sd),
		"median_s", number(f.cost.median), "mad_s", number(f.cost.mad), "min_s",
		number(f.cost.min), "max_s", number(f.cost.max), "busy_s", number(f.busy), "units",
		number(f.units), "ns_per_unit", number(f.ns_per_unit), "units_per_s",
		number(f.units_per_s), "bytes_per_s", number(f.bytes_per_s));
}

static json_t *op_threads(const struct run *r, int op)
{
	json_t *list = json_array();

	for (int t = 0; t < r->plan->nthreads; t++) {
		const struct plan_job *job = &r->plan->ops[op].jobs[t];

		json_array_append_new(
			list, json_pack("{s:i, s:s, s:s, s:I, s:o, s:o, s:o}", "thread", t,
				      "kernel", job->name, "unit", job->kernel->unit, "passes",
				      (json_int_t)job->common.passes, "sleep_s",
				      json_real((double)job->common.sleep_ns * 1e-9), "figures",
				      figures(r, op, t), "samples", samples(&r->ops[op], t)));
	}
	return list;
}

static json_t *kernels(const struct run *r)
{
	json_t *list = json_array();

	for (int op = 0; op < r->plan->nops; op++) {
		struct tally t;

		derive_tally(r, op, &t);
		json_array_append_new(list,
			json_pack(
				"{s:s, s:o, s:{s:I, s:I, s:I, s:I, s:I, s:I, s:i}, s:o, s:o, s:o}",
				"operation", r->plan->ops[op].label, "total_s",
				number(derive_total(r, op)), "samples", "taken",
				(json_int_t)t.samples, "disturbed", (json_int_t)t.disturbed,
				"preempted", (json_int_t)t.preempted, "moved", (json_int_t)t.moved,
				"blocked", (json_int_t)t.blocked, "page_faults",
				(json_int_t)t.faulted, "repeated", t.repeated, "skew_median_ns",
				number(t.skew_median_ns), "skew_max_ns", number(t.skew_max_ns),
				"threads", op_threads(r, op)));
	}
	return list;
}

static json_t *speedups(const struct run *r)
{
	json_t *list = json_array();

	for (int i = 0; i < r->plan->nspeedups; i++) {
		json_t *by_thread = json_array();
		double base, total = derive_speedup(r, i, -1, &base);

		for (int t = 0; t < r->plan->nthreads; t++) {
			double unused;
			json_array_append_new(by_thread, number(derive_speedup(r, i, t, &unused)));
		}
		json_array_append_new(
			list, json_pack("{s:s, s:o, s:o, s:o}", "speedup",
				      r->plan->speedups[i].label, "total", number(total), "base_s",
				      number(base), "threads", by_thread));
	}
	return list;
}

static json_t *warnings(const struct errors *e)
{
	json_t *list = json_array();

	for (size_t i = 0; i < e->count; i++)
		json_array_append_new(list, string(e->list[i].text));
	return list;
}

/* One run; a sweep will have several. */
static json_t *run_object(const struct run *r)
{
	const struct request *q = r->plan->request;

	return json_pack("{s:b, s:s, s:s, s:o, s:I, s:I, s:o, s:o, s:o, s:o}", "interrupted",
		r->interrupted, "summary", summary_names[q->summary], "statistic",
		statistic_names[q->statistic], "confidence", json_real(q->confidence), "iterations",
		(json_int_t)q->iterations, "warmup", (json_int_t)q->warmup, "vectors", vectors(r),
		"threads", threads(r->plan), "kernels", kernels(r), "speedups", speedups(r));
}

int report_json(const struct report *r, FILE *out)
{
	json_t *document = json_pack("{s:i, s:s, s:o, s:o, s:o, s:o, s:[o]}", "schema", 1,
		"program", "affinity", "elapsed_s", json_real(r->elapsed_s), "environment",
		environment(r->environment), "arguments", arguments(r->args), "warnings",
		warnings(r->warnings), "runs", run_object(r->run));
	/* 12 digits: a nanosecond of a thousand seconds */
	int failed =
		!document || json_dumpf(document, out, JSON_INDENT(1) | JSON_REAL_PRECISION(12));

	json_decref(document);
	if (!failed)
		fputc('\n', out);
	return failed ? -1 : 0;
}
