/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations of a run, each with the figures of its threads. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/clock_rates.h"
#include "analysis/counters.h"
#include "analysis/derive.h"
#include "analysis/enough.h"
#include "analysis/kernel_figures.h"
#include "analysis/loads.h"
#include "analysis/settling.h"
#include "analysis/unbound.h"
#include "analysis/undisturbed.h"
#include "analysis/whole_time.h"
#include "analysis/work.h"
#include "base/text.h"
#include "document/rows.h"
#include "input/param.h"
#include "input/registry.h"
#include "result/parts.h"

static void fill_figures(struct document *d, struct document_job *to, const struct samples *r)
{
	struct figures f;

	fields_none(&figures_fields, &to->figures);
	to->has_figures = !derive_thread(r, to->op, to->thread, &f);
	if (!to->has_figures)
		return;
	const struct stats *s = &f.cost.stats;
	const struct amount first = settling_first(r, to->op, to->thread);
	double *each = document_list(d, f.cost.placements, sizeof(*each));

	memcpy(each, f.cost.each, f.cost.placements * sizeof(*each));
	to->figures = (struct document_figures){
		.by_placement = each,
		.nplacements = f.cost.placements,
		.first_s = first.value,
		.spread = f.cost.placements > 1 ? estimate_spread(&f.cost) : NAN,
		.cost = {f.cost.value, f.cost.low, f.cost.high},
		.n = (int64_t)s->n,
		.outliers = (int64_t)s->outliers,
		.mean_s = s->mean,
		.sd_s = s->sd,
		.median_s = s->median,
		.mad_s = s->mad,
		.min_s = s->min,
		.max_s = s->max,
		.cv = s->cv,
		.busy_s = f.busy.value,
		.units = f.units,
		.calls = f.calls,
		.ns_per_unit = f.ns_per_unit,
		.units_per_s = f.units_per_s,
		.bytes_per_s = f.bytes_per_s,
		.traffic_bytes_per_s = f.traffic_bytes_per_s,
		.overlap = f.overlap,
		.undisturbed_s = f.undisturbed,
		.first = first,
		.busy = estimate_amount(&f.busy),
		.unit_time = isfinite(f.ns_per_unit) ? estimate_amount(&f.unit_s) : AMOUNT_NONE,
		.whole_time = whole_time(r, to->op, to->thread),
	};
}

static bool is_latency(const struct plan *p, const struct plan_op *op, int thread)
{
	const struct kernel *k = op->jobs[thread].kernel;
	const struct worker w = plan_worker(p, op, thread);

	return k->accesses.latency && k->accesses.latency(&w);
}

static size_t count_figures(const struct kernel_figure *f)
{
	size_t n = 0;

	while (f && f[n].name)
		n++;
	return n;
}

/* The figures that a thread's kernel has of its own. */
static void own(struct document *d, struct document_job *to, const struct samples *r,
	const struct kernel_figure *f)
{
	const size_t n = count_figures(f);

	if (!f)
		return;
	to->own = (struct document_own){document_list(d, n, sizeof(*to->own.list)), n};
	to->own_of_sample = document_list(d, n, sizeof(*to->own_of_sample));
	for (size_t i = 0; i < n; i++)
		to->own.list[i] = (struct document_own_figure){
			f[i].name, f[i].unit, kernel_figure_of(r, to->op, to->thread, f[i].name)};
}

/* Those of all threads together. */
static struct document_own joined(struct document *d, const struct samples *r, int op)
{
	struct kernel_figures l;

	kernel_figures_of_op(&l, r->plan, op);
	struct document_own to = {document_list(d, l.count, sizeof(*to.list)), l.count};

	for (size_t i = 0; i < l.count; i++)
		to.list[i] = (struct document_own_figure){l.list[i]->name, l.list[i]->unit,
			kernel_figure_of(r, op, ALL_THREADS, l.list[i]->name)};
	kernel_figures_free(&l);
	return to;
}

/* Of a thread that is not bound. */
static void ran_on(struct document *d, struct document_job *to, const struct samples *r)
{
	char cpus[1024];
	struct unbound seen;

	unbound_find(r, to->op, to->thread, &seen);
	text_ranges(seen.cpus, (size_t)r->plan->topo->ncpu_index, cpus, sizeof(cpus));
	to->has_ran_on = true;
	to->ran_on.cpus = document_copy(d, cpus);
	to->ran_on.migrations = seen.migrations;
	to->ran_on.node_jumps = (int64_t)seen.jumps;
	unbound_free(&seen);
}

static void clock_of(struct document_job *to, const struct samples *r)
{
	struct clock_rates c;

	fields_none(&clock_fields, to);
	to->has_clock = !clock_rates(r, to->op, to->thread, &c);
	if (!to->has_clock)
		return;
	to->clock.min_hz = c.min_hz;
	to->clock.median_hz = c.median_hz;
	to->clock.max_hz = c.max_hz;
	to->clock.changed = c.changed;
	to->clock.cycles_per_unit = c.cycles_per_unit;
}

static struct document_counter *counters(
	struct document *d, const struct samples *r, int op, int thread, size_t *n)
{
	const struct counting *c = r->plan->counting;

	*n = c ? c->nmetrics : 0;
	struct document_counter *list = c ? document_list(d, *n, sizeof(*list)) : NULL;

	for (size_t i = 0; i < *n; i++) {
		const struct counter_figure f = derive_counter(r, op, thread, &c->metrics[i]);
		const struct amount a = derive_counter_amount(r, op, thread, &c->metrics[i]);

		list[i] = (struct document_counter){
			c->metrics[i].name, f.value, f.per_unit, a.low, a.high};
	}
	return list;
}

/* Has no times, because they would include that of reading the counters. */
static void count(struct document_sample *to, const struct document_job *j, const struct sample *s)
{
	const struct counting *c = j->measured->plan->counting;

	to->cost_s = to->busy_s = to->lost_s = to->lost_before_s = to->overlap = NAN;
	to->units = (int64_t)s->threads[j->thread].worked;
	to->pass = (int)(s->pass - c->passes) + 1;
	to->counts = j->counts_of_sample;
	to->ncounts = s->pass->n;
	for (size_t i = 0; i < s->pass->n; i++)
		to->counts[i] = (struct document_named){
			s->pass->names[i], s->counts[(size_t)j->thread * s->pass->n + i]};
}

/* One sample of a thread, for document_sample(). */
static struct document_sample sample_of(const struct document_job *j, size_t i)
{
	const struct op_result *o = &j->measured->ops[j->op];
	const struct sample *s = i < o->count ? &o->samples[i] : &o->counted[i - o->count];
	const struct thread_sample *t = &s->threads[j->thread];

	for (size_t k = 0; k < j->own.count; k++)
		j->own_of_sample[k] = (struct document_named){j->own.list[k].name,
			kernel_figure_in(j->measured, j->op, s, j->thread, j->own.list[k].name)};
	struct document_sample to = {
		.placement = (int64_t)s->placement,
		.start_ns = (int64_t)s->start_ns,
		.cost_s = sample_cost(s, j->thread),
		.busy_s = sample_busy(s, j->thread),
		.units = (int64_t)t->units,
		.calls = (int64_t)t->calls,
		.late_ns = (int64_t)(t->left_ns - s->start_ns),
		.skew_ns = (int64_t)s->skew_ns,
		.warmup = s->warmup,
		.disturbed = (int)s->disturbed,
		.preempted = t->preempted,
		.blocked = t->blocked,
		.page_faults = t->faults,
		.migrations = t->migrations,
		.cpu_before = t->cpu_before,
		.cpu_after = t->cpu_after,
		.run_delay_ns = t->delayed_ns,
		.off_cpu_ns = t->off_ns,
		.steal_ns = t->stolen_ns,
		.throttled_ns = (int64_t)s->throttled_ns,
		.lost_s = sample_lost_s(s, j->thread),
		.lost_before_s = (double)t->late_ns * 1e-9,
		.clock_before_hz = t->before.hz,
		.clock_after_hz = t->after.hz,
		.overlap = sample_overlap(s, j->measured->plan->nthreads, j->thread),
		.own = j->own_of_sample,
		.nown = j->own.count,
	};

	if (s->pass)
		count(&to, j, s);
	return to;
}

/* Room for the counts of one sample of any pass. */
static struct document_named *room_for_counts(struct document *d, const struct counting *c)
{
	size_t most = 0;

	for (size_t i = 0; c && i < c->npasses; i++)
		most = c->passes[i].n > most ? c->passes[i].n : most;
	return document_list(d, most, sizeof(struct document_named));
}

/* Of a row of reports; none: it was not measured. */
static struct document_mark mark(struct document *d, const struct samples *r, int op, int thread)
{
	struct trust t;

	return trust_of_row(r, op, thread, &t) ? (struct document_mark){0} : result_mark(d, &t);
}

static const char *loop_of(struct document *d, const struct kernel *k, const struct worker *w)
{
	char loop[256];

	return document_copy(d, registry_loop_text(registry_loop(k, w), loop, sizeof(loop)));
}

static struct tails *tails(struct document *d, const struct samples *r, int op, int thread)
{
	struct tails *to = document_list(d, 1, sizeof(*to));

	if (tails_of(r, op, thread, to)) {
		tails_free(to);
		return NULL;
	}
	document_own(d, to->clusters);
	for (size_t i = 0; i < to->nclusters; i++)
		document_own(d, to->clusters[i].buckets);
	return to;
}

static struct document_job job_of(struct document *d, const struct samples *r, int op, int thread)
{
	const struct plan_op *o = &r->plan->ops[op];
	const struct plan_job *job = &o->jobs[thread];
	const struct worker w = plan_worker(r->plan, o, thread);
	const char *order = param_choice(job->kernel->params, job->args, "order");
	struct document_job to = {
		.thread = thread,
		.op = op,
		.chose = r->ops[op].chose ? r->ops[op].chose[thread] : "",
		.kernel = job->name,
		.loop = loop_of(d, job->kernel, &w),
		.unit = job->kernel->unit,
		.order = order ? order : "",
		.times_caches = job->times_caches,
		.held = job->held,
		.passes = r->plan->request->window_ns ? NAN : (double)plan_rounds(job),
		.calibrated = job->calibrated != NULL,
		.shares_lines = job->shares_lines,
		.latency = is_latency(r->plan, o, thread),
		.bytes_per_unit = plan_work(job).bytes,
		.fill_bytes_per_unit = work_fills(job),
		.sleep_s = (double)job->common.sleep_ns * 1e-9,
		.mark = mark(d, r, op, thread),
		.tails = tails(d, r, op, thread),
		.nsamples = r->ops[op].count,
		.ncounted = r->ops[op].ncounted,
		.measured = r,
		.sample = sample_of,
		.counts_of_sample = room_for_counts(d, r->plan->counting),
	};

	if (r->ops[op].proofs && *r->ops[op].proofs[thread].text) {
		to.proof = r->ops[op].proofs[thread].verdict == EVENTS_PROVEN ? "proven"
									      : "not countable";
		to.proof_by = r->ops[op].proofs[thread].text;
	}
	fill_figures(d, &to, r);
	own(d, &to, r, job->kernel->figures);
	if (r->plan->threads[thread].cpu == UNBOUND)
		ran_on(d, &to, r);
	clock_of(&to, r);
	to.counters = counters(d, r, op, thread, &to.ncounters);
	return to;
}

/* The figures of all threads of `who` together. */
static bool together(struct document_together *to, const struct samples *r, int op, int who)
{
	struct totals t;

	fields_none(&together_fields, to);
	if (derive_totals(r, op, who, &t))
		return false;
	*to = (struct document_together){t.busy.value, estimate_amount(&t.busy),
		whole_time(r, op, who), t.ns_per_unit, t.units_per_s, t.bytes_per_s,
		t.traffic_bytes_per_s};
	return true;
}

/* The figures of the threads of each kind of cores. */
static void fill_kinds(
	struct document *d, struct document_operation *to, const struct samples *r, int op)
{
	const struct topo *t = r->plan->topo;

	if (!plan_mixes_kinds(r->plan))
		return;
	to->kinds = document_list(d, (size_t)t->nkinds, sizeof(*to->kinds));
	for (int kind = 0; kind < t->nkinds; kind++) {
		struct document_kind *k = &to->kinds[to->nkinds];
		const int who = THREADS_OF_KIND(kind);

		if (!derive_keeps_apart(r->plan, kind))
			continue;
		k->kind = topo_kind_name(t, kind);
		k->total = derive_cost(r, op, who);
		k->has_together = together(&k->together, r, op, who);
		k->mark = mark(d, r, op, who);
		to->nkinds++;
	}
}

/* The pages of its vectors before its first sample and after its last one. */
static void fill_places(
	struct document *d, struct document_operation *to, const struct samples *r, int op)
{
	const int n = r->prepared->plan->nvectors;

	if (!r->ops[op].places)
		return;
	to->places = document_list(d, (size_t)n, sizeof(*to->places));
	for (int i = 0; i < n; i++) {
		const struct op_places *v = &r->ops[op].places[i];
		struct document_places *p = &to->places[to->nplaces];

		if (!v->before.pages || !v->after.pages)
			continue;
		p->vector = (size_t)i;
		p->before = result_pages(d, &v->before, &p->nbefore);
		p->after = result_pages(d, &v->after, &p->nafter);
		p->absent_before = (int64_t)v->before.absent;
		p->absent_after = (int64_t)v->after.absent;
		to->nplaces++;
	}
}

static struct document_tally tally(const struct samples *r, int op, const struct tally *t)
{
	const struct page_moves *moves = &r->ops[op].moves;

	return (struct document_tally){
		.taken = (int64_t)t->samples,
		.disturbed = (int64_t)t->disturbed,
		.preempted = (int64_t)t->preempted,
		.moved = (int64_t)t->moved,
		.blocked = (int64_t)t->blocked,
		.page_faults = (int64_t)t->faulted,
		.taken_away = (int64_t)t->stolen,
		.throttled = (int64_t)t->throttled,
		.busy_sibling = (int64_t)t->sibling,
		.pages_migrated = (int64_t)moves->migrated,
		.pages_split = (int64_t)moves->split,
		.repeated = t->repeated,
		.disturbed_part = undisturbed_rest(r, op),
		.lost_median = t->lost_median,
		.lost_worst = t->lost_max,
		.measure_again = undisturbed_again(r, op),
	};
}

static void settling(
	struct document *d, struct document_operation *to, const struct samples *r, int op)
{
	struct unsettled u;

	to->unsettled = r->ops[op].count && settling_of(r, op, &u);
	if (!to->unsettled)
		return;
	to->settling.thread = u.thread;
	to->settling.placements = (int64_t)u.placements;
	to->settling.samples = (int64_t)u.samples;
	to->settling.from_s = u.from;
	to->settling.to_s = u.to;
	to->settling.text = result_take(d, settling_text(r, op, &u));
}

static struct document_operation operation(struct document *d, const struct samples *r, int op)
{
	static const char *const ended[] = {
		"samples", "targetError", "timeLimit", "interrupted", "not run"};
	struct tally t;

	derive_tally(r, op, &t);
	struct document_operation to = {
		.name = r->plan->ops[op].label,
		.cost_of_all = derive_cost(r, op, ALL_THREADS),
		.ended_by = ended[enough_ended(r, op)],
		.interval_error = enough_error(r, op),
		.samples = tally(r, op, &t),
		.skew_median_ns = t.skew_median_ns,
		.skew_max_ns = t.skew_max_ns,
		.mark = mark(d, r, op, ALL_THREADS),
		.fill_s = r->ops[op].placements ? whole_time_fill(r, op) : NAN,
		.njobs = (size_t)r->plan->nthreads,
	};

	to.nloads = r->beside ? r->beside->count : 0;
	to.loads = to.nloads ? document_list(d, to.nloads, sizeof(*to.loads)) : NULL;
	for (size_t i = 0; i < to.nloads; i++)
		to.loads[i] =
			(struct document_loaded){loads_reached(r, op, i), loads_missed(r, op, i)};
	to.has_together = together(&to.together, r, op, ALL_THREADS);
	settling(d, &to, r, op);
	to.counters = counters(d, r, op, ALL_THREADS, &to.ncounters);
	fill_kinds(d, &to, r, op);
	if (plan_figures(&r->plan->ops[op], r->plan->nthreads))
		to.own = joined(d, r, op);
	fill_places(d, &to, r, op);
	to.jobs = document_list(d, to.njobs, sizeof(*to.jobs));
	for (int thread = 0; thread < r->plan->nthreads; thread++)
		to.jobs[thread] = job_of(d, r, op, thread);
	size_t timed = 0;
	for (size_t i = 0; i < to.njobs; i++)
		timed += to.jobs[i].tails != NULL;
	if (timed > 1)
		to.tails = tails(d, r, op, ALL_THREADS);
	return to;
}

struct document_operations result_operations(struct document *d, const struct samples *r)
{
	struct document_operations to = {.count = (size_t)r->plan->nops};

	to.list = document_list(d, to.count, sizeof(*to.list));
	for (int op = 0; op < r->plan->nops; op++)
		to.list[op] = operation(d, r, op);
	return to;
}
