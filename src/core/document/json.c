/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the JSON document, run by run. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/kinds.h"
#include "analysis/proven.h"
#include "analysis/quality.h"
#include "base/alloc.h"
#include "base/buffer.h"
#include "document/facts.h"
#include "document/json_claims.h"
#include "document/json_common.h"
#include "document/json_counters.h"
#include "document/json_findings.h"
#include "document/json_operations.h"
#include "document/json_tables.h"
#include "document/json_trust.h"
#include "document/json_vectors.h"
#include "document/measured.h"
#include "document/value.h"

static json_t *arguments(const struct args *a)
{
	json_t *o = json_object(), *set = json_array();

	for (size_t i = 0; i < a->sets.count; i++)
		json_array_append_new(set, value_string(a->sets.word[i]));
	json_object_set_new(o, "path", value_string(a->path));
	json_object_set_new(o, "text", value_string(a->text));
	json_object_set_new(o, "set", set);
	return o;
}

static json_t *threads(const struct samples *r)
{
	json_t *list = json_array();

	for (int i = 0; i < r->plan->nthreads; i++) {
		json_t *thread = json_thread(r->plan, i);
		const char *shown = proven_cpu(r, i);

		json_object_set_new(
			thread, "cpu_shown_by", shown ? json_string(shown) : json_null());
		if (r->plan->threads[i].takes_turns)
			json_object_set_new(thread, "takes_turns", json_true());
		json_array_append_new(list, thread);
	}
	return list;
}

static json_t *mapping(const struct plan_mapping *m)
{
	return json_pack("{s:s, s:s?, s:o}", "mapping", m->method, "sorted_by", m->by, "reason",
		value_string(m->why));
}

static json_t *speedup_of(const struct samples *r, int speedup, int thread)
{
	double unused;
	const struct amount ratio = derive_speedup(r, speedup, thread, &unused);
	const struct trust t = isfinite(ratio.value) ? trust_of_speedup(r, speedup, thread, ratio)
						     : (struct trust){.word = TRUST_WEAK};

	return json_marked(ratio, &t);
}

/* Of the threads on each kind of cores. */
static json_t *kind_speedups(const struct samples *r, int speedup)
{
	json_t *o = json_object();

	for (int kind = 0; kind < r->plan->topo->nkinds; kind++)
		if (derive_keeps_apart(r->plan, kind))
			json_object_set_new(o, topo_kind_name(r->plan->topo, kind),
				speedup_of(r, speedup, THREADS_OF_KIND(kind)));
	return o;
}

static json_t *speedups(const struct samples *r)
{
	json_t *list = json_array();

	for (int i = 0; i < r->plan->nspeedups; i++) {
		json_t *by_thread = json_array();
		double base_s;

		derive_speedup(r, i, ALL_THREADS, &base_s);

		for (int t = 0; t < r->plan->nthreads; t++)
			json_array_append_new(by_thread, speedup_of(r, i, t));
		json_t *o = json_pack("{s:s, s:i, s:o, s:o, s:o}", "speedup",
			r->plan->speedups[i].label, "base", r->plan->speedups[i].under, "total",
			speedup_of(r, i, ALL_THREADS), "base_s", value_number(base_s), "threads",
			by_thread);
		if (plan_mixes_kinds(r->plan))
			json_object_set_new(o, "kinds", kind_speedups(r, i));
		json_array_append_new(list, o);
	}
	return list;
}

/* The gain of each thread over the sweep's baseline, by operation. */
static json_t *gains(const struct experiment *x, size_t run)
{
	const struct plan *p = &x->runs[run].plan;
	json_t *ops = json_array();

	for (int op = 0; op < p->nops; op++) {
		json_t *threads_list = json_array();

		for (int k = 0; k < p->nthreads; k++) {
			double base_s;

			derive_gain(x, run, op, k, &base_s);
			json_array_append_new(threads_list,
				json_pack("{s:o, s:o, s:o}", "speedup",
					json_quantity(x, run, op, k, QUANTITY_SPEEDUP), "base_s",
					value_number(base_s), "hypothetical",
					value_number(derive_hypothetical(x, run, op, k))));
		}
		json_array_append_new(
			ops, json_pack("{s:s, s:o, s:o}", "operation", p->ops[op].label, "total",
				     json_quantity(x, run, op, ALL_THREADS, QUANTITY_SPEEDUP),
				     "threads", threads_list));
	}
	return json_pack("{s:o, s:o}", "run",
		value_string(x->runs[derive_baseline_index(x, run)].label), "operations", ops);
}

/* What figures of a kind know from each other. */
static json_t *families(const struct sharing *s, bool mean)
{
	json_t *o = json_object();

	for (int i = 0; s && i < FAMILIES; i++) {
		const struct sharing_family *f = &s->families[i];
		const struct prior *p = f->own ? NULL : &f->kin.prior;

		if (f->samples)
			json_object_set_new(o, family_names[i],
				json_pack("{s:b, s:s?, s:I, s:I, s:o, s:o, s:o, s:o, s:o}",
					"shared", p != NULL, "reason", f->own, "figures",
					(json_int_t)f->figures, "runs", (json_int_t)f->runs, "sd",
					value_number(p ? sqrt(p->variance) : NAN), "df",
					value_number(p ? p->df : NAN), "most_df",
					value_number(p ? p->most : NAN), "rare",
					value_number(mean ? f->kin.rare : NAN), "rare_error",
					value_number(mean ? f->kin.rare_error : NAN)));
	}
	return o;
}

/* How figures were computed from samples. A sweep can change this from run to run: the document
 * contains the method of the first run, and each run its own. */
static json_t *method(const struct experiment *x, const struct request *q)
{
	return json_pack(
		"{s:s, s:o, s:s?, s:s, s:s, s:s, s:o, s:I, s:o, s:I, s:I, s:o, s:s, s:o, s:o, "
		"s:b, s:I, s:I}",
		"mode", q->window_ns ? "time" : "work", "window_s",
		value_number(q->window_ns ? (double)q->window_ns * 1e-9 : NAN), "stopped_by",
		q->window_ns ? stopped_by_names[q->stopped_by] : NULL, "cost",
		q->window_ns ? "seconds per unit" : "seconds", "summary", summary_names[q->summary],
		"statistic", statistic_names[q->statistic], "confidence", json_real(q->confidence),
		"iterations", (json_int_t)q->iterations, "warmup", json_warmup(q), "placements",
		(json_int_t)q->placements, "placements_most", (json_int_t)q->placements_most,
		"placements_error", value_number(q->enough > 0 ? q->enough : NAN), "intervals",
		q->placements > 1 ? "over placements" : "this placement only", "families",
		families(x->sharing, q->statistic == STATISTIC_MEAN), "target_error",
		json_real(q->target_error), "interleave", q->interleave, "seed",
		(json_int_t)x->seed, "runs_to_choose_from", (json_int_t)x->sweep.all);
}

/* How far down the threads worked on their stacks, by placement. */
static json_t *stacks(const struct prepared *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->made; i++)
		json_array_append_new(list, json_integer((json_int_t)r->stacks[i]));
	return list;
}

static void measured(struct stream *s, const struct experiment *x, size_t run)
{
	const struct run *t = &x->runs[run];

	stream_members(s,
		json_pack("{s:o, s:I, s:o, s:o, s:o, s:o}", "values",
			json_variables(&x->sweep, run), "placements", (json_int_t)t->prepared.made,
			"stack_offsets", stacks(&t->prepared), "method", method(x, &t->request),
			"vectors", json_vectors(&t->prepared), "threads", threads(&t->samples)));
	if (t->plan.nleaves)
		stream_value(s, "left_huge", json_leaves(&t->prepared));
	if (plan_profiled(&t->plan))
		stream_value(s, "profiler", json_profiler(x, run));
	if (t->request.physical_ranges)
		stream_value(s, "physical_ranges", json_physical(t));
	json_operations(s, &t->samples);
	stream_value(s, "speedups", speedups(&t->samples));
	char *kinds = kinds_begin(x, run);
	if (kinds)
		stream_value(s, "kinds_begin", value_string(kinds));
	free(kinds);
	if (t->plan.mapping.method)
		stream_value(s, "mapping", mapping(&t->plan.mapping));
	if (t->solos)
		json_solos(s, x, run);
	if (derive_baseline_index(x, run) >= 0)
		stream_value(s, "baseline", gains(x, run));
}

static void one_run(struct stream *s, const struct experiment *x, size_t run)
{
	const struct run *t = &x->runs[run];
	const char *why = t->skipped ? errors_failure(&t->errors) : "interrupted before it";

	stream_open(s, NULL, '{');
	if (t->skipped || !t->samples.ops)
		stream_members(
			s, json_pack("{s:o, s:o, s:b}", "values", json_variables(&x->sweep, run),
				   "skipped", value_string(why), "lost", t->lost));
	else
		measured(s, x, run);
	stream_close(s, '}');
}

static void runs(struct stream *s, const struct experiment *x)
{
	stream_open(s, "runs", '[');
	for (size_t i = 0; i < x->nruns; i++)
		one_run(s, x, i);
	stream_close(s, ']');
}

static int write_all(const struct measured *r, bool brief, FILE *out)
{
	const struct quality q = quality_of(r->experiment, r->environment);
	struct stream s = {.out = out, .brief = brief};

	stream_open(&s, NULL, '{');
	stream_members(
		&s, json_pack("{s:i, s:s, s:b, s:b, s:b, s:o, s:o, s:o, s:o, s:o}", "schema", 3,
			    "program", "affinity", "simulated",
			    environment_simulated(r->environment) != NULL, "quick",
			    r->experiment->file.quick, "interrupted", r->experiment->interrupted,
			    "elapsed_s", json_real(r->elapsed_s), "environment",
			    facts_json(r->environment), "arguments", arguments(r->args), "warnings",
			    value_messages(r->warnings), "method",
			    method(r->experiment, experiment_request(r->experiment))));
	stream_value(&s, "trust", json_quality(&q));
	if (r->findings)
		stream_value(&s, "findings", json_findings(r->findings));
	runs(&s, r->experiment);
	json_t *lacking, *tables = json_tables(r->experiment, r->views, &lacking);
	stream_value(&s, "tables", tables);
	stream_value(&s, "tables_lacking", lacking);
	if (r->claims->count)
		stream_value(&s, "claims", json_claims(r->experiment, r->claims));
	if (r->experiment->counting)
		stream_value(&s, "counting", json_counting(r->experiment->counting));
	stream_close(&s, '}');
	fputc('\n', out);
	return s.failed ? -1 : 0;
}

int measured_json(const struct measured *m, FILE *out)
{
	return write_all(m, false, out);
}

int measured_document(const struct measured *m, struct document *d, struct errors *e)
{
	struct buffer text;
	FILE *out = buffer_open(&text);
	int failed = write_all(m, true, out);

	buffer_close(&text, out);
	*d = (struct document){0};
	if (failed)
		error_add(e, STATUS_FAILED, NOWHERE, "out of memory while showing results");
	else
		failed = document_parse(d, m->args->path, text.data, text.size, e);
	free(text.data);
	return failed;
}
