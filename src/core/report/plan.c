/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A complete plan, one fact per line. The order depends only on the arguments and the topology. */
#include <math.h>
#include <stdlib.h>

#include "analysis/kinds.h"
#include "analysis/tails.h"
#include "counters/counting.h"
#include "report/plan_facts.h"
#include "report/plan_units.h"
#include "report/report.h"
#include "base/text.h"
#include "measure/experiment.h"
#include "statistics/percentile.h"

static void print_backing(const struct plan_vector *v, FILE *out)
{
	const struct mem_backed *b = &v->backed;

	if (b->kind)
		fprintf(out, ", %s", backing_names[b->kind]);
	if (b->path)
		fprintf(out, " %s, cache %s", b->path, cache_names[b->cache]);
	if (v->warm_node >= 0)
		fprintf(out, " by node %d", v->warm_node);
}

static void add_vectors(struct plan_facts *f, const struct plan *p)
{
	char size[32];

	for (int i = 0; i < p->nvectors; i++) {
		const struct plan_vector *v = &p->vectors[i];
		FILE *out = plan_facts_add(f, FACT_VECTOR, " %d", i);

		fprintf(out, ": node %s%s%s%s, %llu %s, %s, pages %s, init %s", v->asked,
			v->memory ? " (" : "", v->memory ? v->memory : "", v->memory ? ")" : "",
			(unsigned long long)v->elements, element_names[v->type],
			text_size(v->bytes, size, sizeof(size)), pages_names[v->pages],
			init_names[v->init]);
		if (v->toucher >= 0)
			fprintf(out, " (thread %d)", v->toucher);
		if (v->order != TOUCH_ANY)
			fprintf(out, ", touched %s", touch_order_names[v->order]);
		if (v->placement != PLACEMENT_BY_NODE)
			fprintf(out, ", %s of thread %d", placement_names[v->placement],
				v->placed_for);
		if (v->parts > 1)
			fprintf(out, ", %s %d of %d of vector %d",
				v->division == DIVISION_SLICES ? "slice" : "copy", v->part + 1,
				v->parts, v->whole);
		print_backing(v, out);
		if (v->tables >= 0)
			fprintf(out, ", page tables on node %d", v->tables);
		if (v->target >= 0)
			fprintf(out, ", target node %d", v->target);
		if (v->state)
			fprintf(out, ", state %s", v->state);
		for (int k = 0; k < v->nsteps; k++)
			fprintf(out, "%s %s by CPU %d", k ? "," : ":",
				action_names[v->steps[k].action], v->steps[k].cpu);
		fprintf(out, "\n");
		if (v->weights_by)
			fprintf(out, "vector %d: weights by %s\n", i, v->weights_by);
	}
}

static void add_leaves(struct plan_facts *f, const struct plan *p)
{
	char size[32];

	for (int i = 0; i < p->nleaves; i++)
		fprintf(plan_facts_add(f, FACT_NODE, " %d", p->leaves[i].node),
			": free memory is broken, %s left in blocks of a huge page\n",
			text_size(p->leaves[i].bytes, size, sizeof(size)));
}

/* What a machine that is only described cannot answer. */
static void add_unknown_pools(struct plan_facts *f, const struct plan *p)
{
	bool asked = false;

	for (int i = 0; i < p->nvectors; i++)
		asked |= mem_from_pool(p->vectors[i].pages);
	if (asked && !p->topo->this_system)
		fprintf(plan_facts_add(f, FACT_POOLS, " of huge pages"),
			": unknown, as this is another machine\n");
}

static void print_place(const struct plan *p, const struct plan_thread *t, FILE *out)
{
	char home[32];

	fprintf(out, "CPU %d, core %d, %s,", t->cpu, t->core,
		topo_home(t->node, home, sizeof(home)));
	if (t->kind >= 0)
		fprintf(out, " kind %s,", topo_kind_name(p->topo, t->kind));
	fprintf(out, " vectors");
}

static void add_threads(struct plan_facts *f, const struct plan *p)
{
	if (p->mapping.method)
		fprintf(plan_facts_add(f, FACT_MAPPING, "%s", ""), " %s: %s\n", p->mapping.method,
			p->mapping.why);
	if (p->places)
		fprintf(plan_facts_add(f, FACT_PLACES, "%s", ""), ": %s\n", p->places);
	for (int i = 0; i < p->nthreads; i++) {
		const struct plan_thread *t = &p->threads[i];
		FILE *out = plan_facts_add(f, FACT_THREAD, " %d", i);

		fputs(": ", out);
		if (t->cpu == UNBOUND)
			fprintf(out, "not bound, vectors");
		else
			print_place(p, t, out);
		for (int k = 0; k < t->nvectors; k++)
			fprintf(out, " %d", t->vector_ids[k]);
		fprintf(out, "%s%s\n", t->nvectors ? "" : " none", plan_shares(t));
	}
}

static void add_backgrounds(struct plan_facts *f, const struct backgrounds *b)
{
	char size[32];

	for (size_t i = 0; i < b->count; i++) {
		const struct plan *p = &b->list[i].plan;
		FILE *out = plan_facts_add(f, FACT_BACKGROUND, " %zu", i);

		fprintf(out, ": %g GB/s", b->list[i].wanted * 1e-9);
		if (p->nthreads) {
			const struct work w = plan_work(&p->ops[0].jobs[0]);

			fprintf(out, " on node %s, writes %g, vectors of %s, by CPUs",
				p->vectors[0].asked, w.stores / (w.loads + w.stores),
				text_size(p->vectors[0].bytes, size, sizeof(size)));
		}
		for (int k = 0; k < p->nthreads; k++)
			fprintf(out, " %d", p->threads[k].cpu);
		fprintf(out, "\n");
	}
}

static void add_ops(struct plan_facts *f, const struct plan *p)
{
	for (int o = 0; o < p->nops; o++) {
		FILE *out = plan_facts_add(f, FACT_OPERATION, " %s", p->ops[o].label);

		for (int i = 0; i < p->nthreads; i++) {
			const struct plan_job *job = &p->ops[o].jobs[i];

			fprintf(out, "%s thread %d %s", i ? "," : ":", i, job->name);
			if (job->calibrated)
				fprintf(out, " passes calibrated");
			else if (job->common.passes != 1)
				fprintf(out, " passes %llu",
					(unsigned long long)job->common.passes);
			if (job->common.sleep_ns)
				fprintf(out, " sleep %g ms", (double)job->common.sleep_ns * 1e-6);
		}
		fprintf(out, "\n");
	}
	for (size_t i = 0; i < p->request->nsettings; i++) {
		const struct setting *s = &p->request->settings[i];
		FILE *out = plan_facts_add(f, FACT_PARAMETER, " %s", s->name);

		fputs(":", out);
		plan_units_parameter(p, s, out);
		fprintf(out, "\n");
	}
	for (int i = 0; i < p->nspeedups; i++)
		fputs("\n", plan_facts_add(f, FACT_SPEEDUP, " %s", p->speedups[i].label));
}

static void print_counters(const struct counting *c, FILE *out)
{
	for (size_t i = 0; i < c->nmetrics; i++) {
		const char *missing = counter_missing(&c->metrics[i]);

		fprintf(out, "counter %s%s%s\n", c->metrics[i].name, missing ? ": n/a: " : " = ",
			missing ? missing : c->metrics[i].formula.text);
	}
	fprintf(out, "counted in %zu pass%s of %d samples\n", c->npasses,
		c->npasses == 1 ? "" : "es", COUNTED_SAMPLES);
}

static void add_samples(struct plan_facts *f, const struct plan *p)
{
	FILE *out = plan_facts_add(f, FACT_SAMPLES, "%s", "");

	fprintf(out, ": %llu of each operation ", (unsigned long long)p->request->iterations);
	if (p->request->warmup == WARMUP_SETTLED)
		fprintf(out, "when its cost has settled");
	else
		fprintf(out, "after %llu warm-up", (unsigned long long)p->request->warmup);
	fprintf(out, ", %d operation%s%s", p->nops, p->nops == 1 ? "" : "s",
		p->request->solo ? ", and each thread alone" : "");
	if (p->request->placements > 1)
		fprintf(out, ", in each of %llu", (unsigned long long)p->request->placements);
	if (p->request->placements_most > p->request->placements)
		fprintf(out, " to %llu", (unsigned long long)p->request->placements_most);
	if (p->request->placements > 1)
		fprintf(out, " placements");
	if (p->request->window_ns)
		fprintf(out, ", of %g s each", (double)p->request->window_ns * 1e-9);
	fprintf(out, "\n");
}

/* "up to p99.9": independent events would do for it. */
static void print_reach(double events, double confidence, FILE *out)
{
	const char *last = NULL;

	for (int i = TAIL_P50; i < TAIL_PARTS; i++)
		if (events >= percentile_needs(tail_names[i].part, confidence))
			last = tail_names[i].name;
	fprintf(out, ": about %.2g", events);
	if (last)
		fprintf(out, ", up to %s if they do not depend on each other", last);
}

/* Of the first thread that times events; others do likewise. */
static void add_events(struct plan_facts *f, const struct plan *p)
{
	for (int o = 0; o < p->nops; o++)
		for (int i = 0; i < p->nthreads; i++) {
			const uint64_t group = plan_event_group(p, &p->ops[o], i);
			const double events = guess_events(p, o, i);

			if (!group)
				continue;
			FILE *out = plan_facts_add(f, FACT_EVENTS, " %s", p->ops[o].label);

			fprintf(out, ": thread %d, ", i);
			if (group > 1)
				fprintf(out, "one %s of %llu",
					p->ops[o].jobs[i].kernel->events->what,
					(unsigned long long)group);
			else
				fprintf(out, "each %s", p->ops[o].jobs[i].kernel->events->what);
			fprintf(out, " in %llu more sample%s of each placement",
				(unsigned long long)plan_event_samples(p),
				plan_event_samples(p) == 1 ? "" : "s");
			if (isfinite(events))
				print_reach(events, p->request->confidence, out);
			fputs("\n", out);
			break;
		}
}

/* All of a run's plan, or what differs from that of the run before; replaces it. */
static void print_plan(const struct run *t, struct plan_facts *before, bool full, FILE *out)
{
	const struct plan *p = &t->plan;
	struct plan_facts now;

	plan_facts_open(&now);
	add_leaves(&now, p);
	add_vectors(&now, p);
	add_unknown_pools(&now, p);
	add_threads(&now, p);
	add_backgrounds(&now, &t->backgrounds);
	add_ops(&now, p);
	add_samples(&now, p);
	add_events(&now, p);
	plan_facts_close(&now);
	if (full || !before->count)
		plan_facts_print(&now, out);
	else
		plan_facts_print_changes(before, &now, out);
	plan_facts_free(before);
	*before = now;
}

/* Marks the run in which threads are the first of a sweep on another kind of cores. */
static void print_begin(const struct experiment *x, size_t run, FILE *out)
{
	char *kinds = kinds_begin(x, run);

	if (kinds)
		fprintf(out, "from here on also on cores of kind: %s\n", kinds);
	free(kinds);
}

static void print_runs(const struct experiment *x, bool full, FILE *out)
{
	struct plan_facts before = {0};

	if (x->nruns > 1 && !full)
		fputs("runs: the first in full, of each other what differs from the planned run "
		      "before it (--plan=full: all)\n",
			out);
	for (size_t i = 0; i < x->nruns; i++) {
		const struct run *t = &x->runs[i];

		if (x->sweep.nvariables)
			fprintf(out, "run %zu of %zu: %s%s%s\n", i + 1, x->nruns, t->label,
				t->skipped ? ": skipped: " : "",
				t->skipped ? errors_failure(&t->errors) : "");
		print_begin(x, i, out);
		if (!t->skipped)
			print_plan(t, &before, full, out);
	}
	plan_facts_free(&before);
}

void report_plan(const struct experiment *x, const struct claims *c, bool full, FILE *out)
{
	size_t skipped = 0;

	fprintf(out, "machine: %s, %d node%s, %d core%s, %d CPU%s\n", x->topo->source,
		x->topo->nnodes, text_s((unsigned)x->topo->nnodes), x->topo->ncores,
		text_s((unsigned)x->topo->ncores), x->topo->ncpus,
		text_s((unsigned)x->topo->ncpus));
	if (x->topo->access_source)
		fprintf(out, "far and near: by the accesses measured in %s\n",
			x->topo->access_source);
	for (size_t i = 0; i < x->nruns; i++)
		skipped += x->runs[i].skipped;
	print_runs(x, full, out);
	plan_units_keys(x->args, out);
	if (x->counting)
		print_counters(x->counting, out);
	report_claims_plan(c, out);
	if (x->sweep.nvariables)
		fprintf(out, "%zu run%s, %zu of them skipped\n", x->nruns, text_s(x->nruns),
			skipped);
	if (x->sweep.seed)
		fprintf(out, "chosen at random from %zu runs, with seed: %llu\n", x->sweep.all,
			(unsigned long long)x->sweep.seed);
	fprintf(out, "about %.3g s", experiment_guess_s(x));
	if (!experiment_request(x)->window_ns)
		fprintf(out, ", guessing 5 ns an access%s",
			experiment_has_chains(x) ? ", 100 ns where each waits for the last" : "");
	fprintf(out, "\n");
}
