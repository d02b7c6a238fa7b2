/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the operations of a run, with every sample, into the JSON document. */
#include "document/json_operations.h"

#include <math.h>

#include "analysis/derive.h"
#include "analysis/enough.h"
#include "analysis/kernel_figures.h"
#include "analysis/settling.h"
#include "analysis/unbound.h"
#include "analysis/whole_time.h"
#include "base/text.h"
#include "document/json_counters.h"
#include "document/json_samples.h"
#include "document/json_trust.h"
#include "document/json_vectors.h"
#include "document/tails.h"
#include "document/value.h"
#include "input/param.h"
#include "input/registry.h"

/* The cost in each placement. */
static json_t *each_placement(const struct estimate *cost)
{
	json_t *list = json_array();

	for (size_t i = 0; i < cost->placements; i++)
		json_array_append_new(list, value_number(cost->each[i]));
	return list;
}

static json_t *figures(const struct samples *r, int op, int thread)
{
	const struct stats *s;
	struct figures f;

	if (derive_thread(r, op, thread, &f))
		return json_null();
	s = &f.cost.stats;
	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:o, "
		"s:o, s:o, s:o, "
		"s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
		"by_placement_s", each_placement(&f.cost), "first_s",
		value_number(settling_first(r, op, thread).value), "spread",
		value_number(f.cost.placements > 1 ? estimate_spread(&f.cost) : NAN), "cost_s",
		value_number(f.cost.value), "low_s", value_number(f.cost.low), "high_s",
		value_number(f.cost.high), "n", (json_int_t)s->n, "mean_s", value_number(s->mean),
		"sd_s", value_number(s->sd), "median_s", value_number(s->median), "mad_s",
		value_number(s->mad), "min_s", value_number(s->min), "max_s", value_number(s->max),
		"cv", value_number(s->cv), "outliers", (json_int_t)s->outliers, "busy_s",
		value_number(f.busy.value), "first", value_amount(settling_first(r, op, thread)),
		"whole_time", value_amount(whole_time(r, op, thread)), "busy",
		value_amount(estimate_amount(&f.busy)), "unit_time",
		isfinite(f.ns_per_unit) ? value_amount(estimate_amount(&f.unit_s)) : json_null(),
		"units", value_number(f.units), "calls", value_number(f.calls), "ns_per_unit",
		value_number(f.ns_per_unit), "units_per_s", value_number(f.units_per_s),
		"bytes_per_s", value_number(f.bytes_per_s), "traffic_bytes_per_s",
		value_number(f.traffic_bytes_per_s), "overlap", value_number(f.overlap),
		"undisturbed_s", value_number(f.undisturbed));
}

static json_t *passes(const struct plan *p, const struct plan_job *job)
{
	return p->request->window_ns ? json_null() : json_integer((json_int_t)plan_rounds(job));
}

static bool is_latency(const struct plan *p, const struct plan_op *op, int thread)
{
	const struct kernel *k = op->jobs[thread].kernel;
	const struct worker w = plan_worker(p, op, thread);

	return k->latency && k->latency(&w);
}

static json_t *own_figure(
	const struct samples *r, int op, int thread, const struct kernel_figure *f)
{
	json_t *o = value_amount(kernel_figure_of(r, op, thread, f->name));

	json_object_set_new(o, "unit", json_string(f->unit));
	return o;
}

/* The figures that a thread's kernel has of its own. */
static json_t *own_figures(const struct samples *r, int op, int thread)
{
	const struct kernel_figure *f = r->plan->ops[op].jobs[thread].kernel->figures;
	json_t *o = json_object();

	for (; f->name; f++)
		json_object_set_new(o, f->name, own_figure(r, op, thread, f));
	return o;
}

/* Those of all threads together. */
static json_t *joined_figures(const struct samples *r, int op)
{
	struct kernel_figures l;
	json_t *o = json_object();

	kernel_figures_of_op(&l, r->plan, op);
	for (size_t i = 0; i < l.count; i++)
		json_object_set_new(o, l.list[i]->name, own_figure(r, op, ALL_THREADS, l.list[i]));
	kernel_figures_free(&l);
	return o;
}

/* Of a thread that is not bound. */
static json_t *ran_on(const struct samples *r, int op, int thread)
{
	char cpus[1024];
	struct unbound seen;

	unbound_find(r, op, thread, &seen);
	text_ranges(seen.cpus, (size_t)r->plan->topo->ncpu_index, cpus, sizeof(cpus));
	json_t *o = json_pack("{s:s, s:o, s:I}", "cpus", cpus, "migrations",
		seen.migrations < 0 ? json_null() : json_integer(seen.migrations), "node_jumps",
		(json_int_t)seen.jumps);
	unbound_free(&seen);
	return o;
}

static json_t *order(const struct plan_job *job)
{
	const char *chosen = param_choice(job->kernel->params, job->args, "order");

	return chosen ? json_string(chosen) : json_null();
}

static void write_tails(struct stream *s, const struct samples *r, int op, int thread)
{
	struct tails t;

	if (!tails_of(r, op, thread, &t))
		stream_value(s, "distribution", tails_json(&t));
	tails_free(&t);
}

static void op_thread(struct stream *s, const struct samples *r, int op, int t)
{
	const struct plan_job *job = &r->plan->ops[op].jobs[t];
	const struct worker w = plan_worker(r->plan, &r->plan->ops[op], t);
	char loop[256];

	stream_open(s, NULL, '{');
	stream_members(s,
		json_pack("{s:i, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:b, s:b, s:b, s:o, s:o}",
			"thread", t, "chose", r->ops[op].chose ? r->ops[op].chose[t] : "", "kernel",
			job->name, "loop",
			registry_loop_text(registry_loop(job->kernel, &w), loop, sizeof(loop)),
			"unit", job->kernel->unit, "order", order(job), "times_caches",
			value_number(job->times_caches), "held_by",
			*job->held ? json_string(job->held) : json_null(), "passes",
			passes(r->plan, job), "calibrated", job->calibrated != NULL, "shares_lines",
			job->shares_lines, "latency", is_latency(r->plan, &r->plan->ops[op], t),
			"sleep_s", json_real((double)job->common.sleep_ns * 1e-9), "figures",
			figures(r, op, t)));
	stream_value(s, "mark", json_mark(r, op, t));
	if (job->kernel->figures)
		stream_value(s, "kernel_figures", own_figures(r, op, t));
	write_tails(s, r, op, t);
	if (r->plan->threads[t].cpu == UNBOUND)
		stream_value(s, "ran_on", ran_on(r, op, t));
	if (!s->brief)
		json_samples(s, r, op, t);
	stream_value(s, "clock", json_clock(r, op, t));
	if (r->plan->counting)
		stream_value(s, "counters", json_counters(r, op, t));
	stream_close(s, '}');
}

/* The figures of all threads of `who` together. */
static json_t *together(const struct samples *r, int op, int who)
{
	struct totals t;

	if (derive_totals(r, op, who, &t))
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "busy_s",
		value_number(t.busy.value), "whole_time", value_amount(whole_time(r, op, who)),
		"busy", value_amount(estimate_amount(&t.busy)), "ns_per_unit",
		value_amount(t.ns_per_unit), "units_per_s", value_amount(t.units_per_s),
		"bytes_per_s", value_amount(t.bytes_per_s), "traffic_bytes_per_s",
		value_amount(t.traffic_bytes_per_s));
}

/* The figures of the threads of each kind of cores. */
static json_t *kinds(const struct samples *r, int op)
{
	const struct topo *t = r->plan->topo;
	json_t *list = json_array();

	for (int kind = 0; kind < t->nkinds; kind++) {
		int who = THREADS_OF_KIND(kind);

		if (derive_keeps_apart(r->plan, kind))
			json_array_append_new(
				list, json_pack("{s:s, s:o, s:o, s:o}", "kind",
					      topo_kind_name(t, kind), "total_s",
					      value_amount(derive_cost(r, op, who)), "together",
					      together(r, op, who), "mark", json_mark(r, op, who)));
	}
	return list;
}

/* The pages of its vectors before its first sample and after its last one. */
static json_t *places(const struct samples *r, int op)
{
	json_t *list = json_array();

	for (int i = 0; i < r->prepared->plan->nvectors; i++) {
		const struct op_places *v = &r->ops[op].places[i];

		if (v->before.pages && v->after.pages)
			json_array_append_new(
				list, json_pack("{s:i, s:o, s:o, s:I, s:I}", "vector", i, "before",
					      json_pages_by_node(&v->before), "after",
					      json_pages_by_node(&v->after), "absent_before",
					      (json_int_t)v->before.absent, "absent_after",
					      (json_int_t)v->after.absent));
	}
	return list;
}

static void operation(struct stream *s, const struct samples *r, int op)
{
	static const char *const ended[] = {
		"samples", "targetError", "timeLimit", "interrupted", "not run"};
	struct amount total = derive_cost(r, op, ALL_THREADS);
	struct tally t;

	derive_tally(r, op, &t);
	stream_open(s, NULL, '{');
	stream_members(
		s, json_pack("{s:s, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o}", "operation",
			   r->plan->ops[op].label, "total_s", value_number(total.value),
			   "total_low_s", value_number(total.low), "total_high_s",
			   value_number(total.high), "together", together(r, op, ALL_THREADS),
			   "ended_by", ended[enough_ended(r, op)], "interval_error",
			   value_number(enough_error(r, op)), "samples", json_tally(r, op),
			   "unsettled", json_settling(r, op), "skew_median_ns",
			   value_number(t.skew_median_ns), "skew_max_ns",
			   value_number(t.skew_max_ns)));
	stream_value(s, "mark", json_mark(r, op, ALL_THREADS));
	if (r->ops[op].placements)
		stream_value(s, "fill_s", json_real(whole_time_fill(r, op)));
	if (plan_mixes_kinds(r->plan))
		stream_value(s, "kinds", kinds(r, op));
	if (plan_figures(&r->plan->ops[op], r->plan->nthreads))
		stream_value(s, "kernel_figures", joined_figures(r, op));
	if (r->plan->counting)
		stream_value(s, "counters", json_counters(r, op, ALL_THREADS));
	if (r->ops[op].places)
		stream_value(s, "pages_by_node", places(r, op));
	stream_open(s, "threads", '[');
	for (int thread = 0; thread < r->plan->nthreads; thread++)
		op_thread(s, r, op, thread);
	stream_close(s, ']');
	stream_close(s, '}');
}

void json_operations(struct stream *s, const struct samples *r)
{
	stream_open(s, "operations", '[');
	for (int op = 0; op < r->plan->nops; op++)
		operation(s, r, op);
	stream_close(s, ']');
}

static json_t *overheads(const struct run *t, int op)
{
	const struct topo *topo = t->plan.topo;
	json_t *o = json_object();

	for (int kind = 0; kind < topo->nkinds; kind++)
		if (derive_keeps_apart(&t->plan, kind))
			json_object_set_new(o, topo_kind_name(topo, kind),
				value_amount(derive_overhead(t, op, THREADS_OF_KIND(kind))));
	return o;
}

static json_t *slowdowns(const struct experiment *x, size_t run, int op)
{
	const struct run *t = &x->runs[run];
	json_t *list = json_array();

	for (int k = 0; k < t->plan.nthreads; k++)
		json_array_append_new(list, json_quantity(x, run, op, k, QUANTITY_SLOWDOWN));
	json_t *o = json_pack("{s:s, s:o, s:o}", "operation", t->plan.ops[op].label,
		"overhead_percent", json_quantity(x, run, op, ALL_THREADS, QUANTITY_OVERHEAD),
		"slowdowns", list);
	if (plan_mixes_kinds(&t->plan))
		json_object_set_new(o, "kinds", overheads(t, op));
	return o;
}

void json_solos(struct stream *s, const struct experiment *x, size_t run)
{
	const struct run *t = &x->runs[run];

	stream_open(s, "solo", '{');
	stream_open(s, "operations", '[');
	for (int op = 0; op < t->plan.nops; op++)
		stream_value(s, NULL, slowdowns(x, run, op));
	stream_close(s, ']');
	stream_open(s, "runs", '[');
	for (int k = 0; k < t->plan.nthreads; k++) {
		stream_open(s, NULL, '{');
		stream_value(s, "thread", json_integer(k));
		json_operations(s, &t->solos[k]);
		stream_close(s, '}');
	}
	stream_close(s, ']');
	stream_close(s, '}');
}
