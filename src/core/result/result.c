/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was measured as a result: its head and its runs. */
#include "result/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/derive.h"
#include "analysis/kinds.h"
#include "analysis/quality.h"
#include "base/alloc.h"
#include "document/rows.h"
#include "result/parts.h"

const char *result_take(struct document *d, char *text)
{
	if (text)
		document_own(d, text);
	return text;
}

struct document_mark result_mark(struct document *d, const struct trust *t)
{
	return (struct document_mark){true, trust_words[t->word], result_take(d, trust_why(t))};
}

static struct document_marked result_marked(
	struct document *d, struct amount a, const struct trust *t)
{
	return (struct document_marked){
		a, isfinite(a.value) ? result_mark(d, t) : (struct document_mark){0}};
}

static struct document_marked result_quantity(struct document *d, const struct experiment *x,
	size_t run, int op, int thread, enum quantity q)
{
	const struct amount a = quantity_of(x, run, op, thread, q);
	struct trust t;

	return quantity_trust(x, run, op, thread, q, &t) ? result_marked(d, a, &t)
							 : (struct document_marked){.amount = a};
}

static struct document_pairs result_values(struct document *d, const struct sweep *s, size_t run)
{
	struct document_pairs p = {document_list(d, s->nvariables, sizeof(*p.list)), s->nvariables};

	for (size_t v = 0; v < s->nvariables; v++)
		p.list[v] = (struct document_pair){s->variables[v].name, sweep_value(s, run, v)};
	return p;
}

static struct document_marked speedup_of(
	struct document *d, const struct samples *r, int speedup, int thread)
{
	double unused;
	const struct amount ratio = derive_speedup(r, speedup, thread, &unused);
	const struct trust t = isfinite(ratio.value) ? trust_of_speedup(r, speedup, thread, ratio)
						     : (struct trust){.word = TRUST_WEAK};

	return result_marked(d, ratio, &t);
}

/* Of the threads on each kind of cores. */
static void speedup_kinds(
	struct document *d, struct document_speedup *to, const struct samples *r, int speedup)
{
	const struct topo *topo = r->plan->topo;

	to->kinds = document_list(d, (size_t)topo->nkinds, sizeof(*to->kinds));
	for (int kind = 0; kind < topo->nkinds; kind++)
		if (derive_keeps_apart(r->plan, kind))
			to->kinds[to->nkinds++] =
				(struct document_of_kind){topo_kind_name(topo, kind),
					speedup_of(d, r, speedup, THREADS_OF_KIND(kind))};
}

static void speedups(struct document *d, struct document_run *to, const struct samples *r)
{
	const int n = r->plan->nthreads;

	to->nspeedups = (size_t)r->plan->nspeedups;
	to->speedups = document_list(d, to->nspeedups, sizeof(*to->speedups));
	for (int i = 0; i < r->plan->nspeedups; i++) {
		struct document_speedup *s = &to->speedups[i];

		s->name = r->plan->speedups[i].label;
		s->base = r->plan->speedups[i].under;
		s->total = speedup_of(d, r, i, ALL_THREADS);
		derive_speedup(r, i, ALL_THREADS, &s->base_s);
		s->threads.count = (size_t)n;
		s->threads.list = document_list(d, (size_t)n, sizeof(*s->threads.list));
		for (int t = 0; t < n; t++)
			s->threads.list[t] = speedup_of(d, r, i, t);
		if (plan_mixes_kinds(r->plan))
			speedup_kinds(d, s, r, i);
	}
}

/* The gain of each thread over the sweep's baseline, by operation. */
static void gains(
	struct document *d, struct document_run *to, const struct experiment *x, size_t run)
{
	const struct plan *p = &x->runs[run].plan;
	const long base = derive_baseline_index(x, run);

	if (base < 0)
		return;
	to->has_baseline = true;
	to->baseline = x->runs[base].label;
	to->ngains = (size_t)p->nops;
	to->gains = document_list(d, to->ngains, sizeof(*to->gains));
	for (int op = 0; op < p->nops; op++) {
		struct document_baseline *b = &to->gains[op];

		b->operation = p->ops[op].label;
		b->total = result_quantity(d, x, run, op, ALL_THREADS, QUANTITY_SPEEDUP);
		b->nthreads = (size_t)p->nthreads;
		b->threads = document_list(d, b->nthreads, sizeof(*b->threads));
		for (int k = 0; k < p->nthreads; k++) {
			struct document_gain *g = &b->threads[k];

			derive_gain(x, run, op, k, &g->base_s);
			g->speedup = result_quantity(d, x, run, op, k, QUANTITY_SPEEDUP);
			g->hypothetical = derive_hypothetical(x, run, op, k);
		}
	}
}

static void overheads(struct document *d, struct document_own *to, const struct run *t, int op)
{
	const struct topo *topo = t->plan.topo;

	to->list = document_list(d, (size_t)topo->nkinds, sizeof(*to->list));
	for (int kind = 0; kind < topo->nkinds; kind++)
		if (derive_keeps_apart(&t->plan, kind))
			to->list[to->count++] =
				(struct document_own_figure){topo_kind_name(topo, kind), NULL,
					derive_overhead(t, op, THREADS_OF_KIND(kind))};
}

static void solos(
	struct document *d, struct document_run *to, const struct experiment *x, size_t run)
{
	const struct run *t = &x->runs[run];
	const int n = t->plan.nthreads;

	to->has_solo = t->solos != NULL;
	if (!t->solos)
		return;
	to->nsolos = (size_t)t->plan.nops;
	to->solos = document_list(d, to->nsolos, sizeof(*to->solos));
	for (int op = 0; op < t->plan.nops; op++) {
		struct document_solo *s = &to->solos[op];

		s->operation = t->plan.ops[op].label;
		s->overhead_percent =
			result_quantity(d, x, run, op, ALL_THREADS, QUANTITY_OVERHEAD);
		s->slowdowns.count = (size_t)n;
		s->slowdowns.list = document_list(d, (size_t)n, sizeof(*s->slowdowns.list));
		for (int k = 0; k < n; k++)
			s->slowdowns.list[k] = result_quantity(d, x, run, op, k, QUANTITY_SLOWDOWN);
		if (plan_mixes_kinds(&t->plan))
			overheads(d, &s->kinds, t, op);
	}
	to->nalone = (size_t)n;
	to->alone = document_list(d, to->nalone, sizeof(*to->alone));
	for (int k = 0; k < n; k++) {
		to->alone[k] = result_operations(d, &t->solos[k]);
		to->alone[k].thread = k;
	}
}

/* What figures of a kind know from each other. */
static void families(
	struct document *d, struct document_method *to, const struct pooling *s, bool mean)
{
	to->families = document_list(d, FAMILIES, sizeof(*to->families));
	for (int i = 0; s && i < FAMILIES; i++) {
		const struct pooling_family *f = &s->families[i];
		const struct prior *p = f->own ? NULL : &f->kin.prior;

		if (f->samples)
			to->families[to->nfamilies++] = (struct document_family){family_names[i],
				p != NULL, f->own, (int64_t)f->figures, (int64_t)f->runs,
				p ? sqrt(p->variance) : NAN, p ? p->df : NAN, p ? p->most : NAN,
				mean ? f->kin.rare : NAN, mean ? f->kin.rare_error : NAN};
	}
}

/* How figures were computed from samples. A sweep can change this from run to run: the document
 * contains the method of the first run, and each run its own. */
static struct document_method method(
	struct document *d, const struct experiment *x, const struct request *q)
{
	struct document_method to = {
		.mode = q->window_ns ? "time" : "work",
		.window_s = q->window_ns ? (double)q->window_ns * 1e-9 : NAN,
		.stopped_by = q->window_ns ? stopped_by_names[q->stopped_by] : NULL,
		.cost = q->window_ns ? "seconds per unit" : "seconds",
		.summary = summary_names[q->summary],
		.statistic = statistic_names[q->statistic],
		.confidence = q->confidence,
		.iterations = (int64_t)q->iterations,
		.warmup = q->warmup == WARMUP_SETTLED ? -1 : (int64_t)q->warmup,
		.placements = (int64_t)q->placements,
		.placements_most = (int64_t)q->placements_most,
		.placements_error = q->enough > 0 ? q->enough : NAN,
		.intervals = q->placements > 1 ? "over placements" : "this placement only",
		.target_error = q->target_error,
		.interleave = q->interleave,
		.seed = (int64_t)x->seed,
		.runs_to_choose_from = (int64_t)x->sweep.all,
		.per_unit = q->window_ns > 0,
		.settled = q->warmup == WARMUP_SETTLED,
	};

	families(d, &to, x->pooling, q->statistic == STATISTIC_MEAN);
	return to;
}

static void profiler(struct document_run *to, const struct experiment *x, size_t run)
{
	const struct judgement *j = &x->runs[run].judgement;

	to->has_profiler = plan_profiled(&x->runs[run].plan);
	if (!to->has_profiler)
		return;
	to->profiler.judged_by = x->runs[j->by].label;
	to->profiler.gain_percent = j->gain;
	to->profiler.cost_percent = j->cost;
	to->profiler.cost_of = j->of_stalls ? "stalls" : "times";
	to->profiler.moves_back = j->moves_back;
}

static void make_run(
	struct document *d, struct document_run *to, const struct experiment *x, size_t run)
{
	const struct run *t = &x->runs[run];
	const struct plan_mapping *m = &t->plan.mapping;

	*to = (struct document_run){.values = result_values(d, &x->sweep, run), .label = t->label};
	if (t->skipped || !t->samples.ops) {
		to->skipped = t->skipped ? errors_failure(&t->errors) : "interrupted before it";
		to->lost = t->lost;
		return;
	}
	to->method = method(d, x, &t->request);
	result_places(d, to, t);
	profiler(to, x, run);
	to->operations = result_operations(d, &t->samples);
	speedups(d, to, &t->samples);
	to->kinds_begin = result_take(d, kinds_begin(x, run));
	to->has_mapping = m->method != NULL;
	to->mapping.mapping = m->method;
	to->mapping.sorted_by = m->by;
	to->mapping.reason = m->why;
	solos(d, to, x, run);
	gains(d, to, x, run);
}

static void arguments(struct document *d, const struct args *a)
{
	d->arguments.path = a->path;
	d->arguments.text = a->text;
	d->arguments.set.count = a->sets.count;
	d->arguments.set.list = document_list(d, a->sets.count, sizeof(*d->arguments.set.list));
	for (size_t i = 0; i < a->sets.count; i++)
		d->arguments.set.list[i] = a->sets.word[i];
}

static void trust(struct document *d, const struct quality *q)
{
	d->has_trust = true;
	d->trust.word = trust_words[q->word];
	d->trust.firm = (int64_t)q->figures[TRUST_FIRM];
	d->trust.fair = (int64_t)q->figures[TRUST_FAIR];
	d->trust.weak = (int64_t)q->figures[TRUST_WEAK];
	d->trust.conditions = result_take(d, quality_conditions(q));
	d->trust.text = result_take(d, quality_text(q));
}

static void warnings(struct document *d, const struct errors *e)
{
	d->nwarnings = e->count;
	d->warnings = document_list(d, d->nwarnings, sizeof(*d->warnings));
	for (size_t i = 0; i < e->count; i++)
		d->warnings[i] = (struct document_message){e->list[i].text, e->list[i].hint};
}

static void make_head(struct document *d, const struct result_of *of)
{
	const struct experiment *x = of->experiment;
	const struct quality q = quality_of(x, of->environment);

	*d = (struct document){
		.borrowed = true,
		.schema = DOCUMENT_SCHEMA,
		.program = "affinity",
		.simulated = environment_simulated(of->environment) != NULL,
		.quick = x->file.quick,
		.interrupted = x->interrupted,
		.elapsed_s = of->elapsed_s,
		.environment = *of->environment,
	};
	arguments(d, of->args);
	warnings(d, of->warnings);
	d->method = method(d, x, experiment_request(x));
	trust(d, &q);
	result_tables(d, x, of->views);
	result_claims(d, x, of->claims);
	result_counting(d, x->counting);
}

void result_make(struct document *d, const struct result_of *of)
{
	const struct experiment *x = of->experiment;

	make_head(d, of);
	d->nruns = x->nruns;
	d->runs = document_list(d, d->nruns, sizeof(*d->runs));
	for (size_t i = 0; i < x->nruns; i++)
		make_run(d, &d->runs[i], x, i);
	fields_round(&document_fields, d);
	for (size_t i = 0; i < d->ntables; i++)
		document_finish_table(d, &d->tables[i]);
	document_finish(d);
}
