/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run in the text report: the layout of the thesis's Code A.6, with further columns to its
 * right. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/kinds.h"
#include "analysis/proven.h"
#include "base/alloc.h"
#include "base/numbers.h"
#include "report/cells.h"
#include "report/report.h"
#include "base/text.h"
#include "input/registry.h"

static void core_of(const struct plan *p, const struct plan_thread *t, FILE *out)
{
	fprintf(out, "CPU %d, core %d", t->cpu, t->core);
	if (t->kind >= 0)
		fprintf(out, ", kind %s", topo_kind_name(p->topo, t->kind));
	fprintf(out, "%s\n", plan_shares(t));
}

/* A line for each proof of CPUs, with its threads. */
static void shown_line(const struct samples *r, const char *by, FILE *out)
{
	bool *set = alloc_zeroed((size_t)r->plan->nthreads, sizeof(*set));
	size_t n = 0;
	char list[256];

	for (int i = 0; i < r->plan->nthreads; i++) {
		const char *own = proven_cpu(r, i);

		set[i] =
			r->plan->threads[i].cpu != UNBOUND && (by ? own && !strcmp(own, by) : !own);
		n += set[i];
	}
	text_ranges(set, (size_t)r->plan->nthreads, list, sizeof(list));
	if (n)
		fprintf(out, " - CPU%s of thread%s %s: shown by %s\n", text_s(n), text_s(n), list,
			by ? by : "nothing");
	free(set);
}

static void threads_block(const struct samples *r, FILE *out)
{
	const struct plan *p = r->plan;

	fprintf(out, "\n+ Threads data\n");
	if (p->mapping.method)
		fprintf(out, " - Mapping %s: %s\n", p->mapping.method, p->mapping.why);
	for (int i = 0; i < p->nthreads; i++) {
		const struct plan_thread *t = &p->threads[i];

		if (t->node < 0)
			fprintf(out, " - Thread %-4d  node: %-4s  vector:", i,
				t->cpu == UNBOUND ? "any" : "none");
		else
			fprintf(out, " - Thread %-4d  node: %-4d  vector:", i, t->node);
		for (int k = 0; k < t->nvectors; k++)
			fprintf(out, "%s%d", k ? "," : " ", t->vector_ids[k]);
		fprintf(out, "%s%*s ", t->nvectors ? "" : " -",
			t->nvectors > 4 ? 0 : 8 - 2 * t->nvectors, "");
		if (t->cpu == UNBOUND)
			fprintf(out, "not bound\n");
		else
			core_of(p, t, out);
	}
	shown_line(r, "sched_getaffinity", out);
	shown_line(r, "getcpu", out);
	shown_line(r, NULL, out);
}

/* Marks the run in which threads are the first of a sweep on another kind of cores. */
static void begin_line(const struct experiment *x, size_t run, FILE *out)
{
	char *kinds = kinds_begin(x, run);

	if (kinds)
		fprintf(out, " - from this run on also on cores of kind: %s\n", kinds);
	free(kinds);
}

/* An operation's numbers of rounds that were chosen by measuring: one for each of its kernels. */
static void calibrated_passes(const struct plan_op *op, int nthreads, FILE *out)
{
	const char *separator = "";

	for (int i = 0; i < nthreads; i++) {
		const struct plan_job *job = &op->jobs[i];

		if (!job->calibrated || plan_first_of_kernel(op, i) < i)
			continue;
		if (!*separator)
			fprintf(out, " - %s: calibrated: ", op->label);
		fprintf(out, "%s%llu pass%s of %s", separator, (unsigned long long)plan_rounds(job),
			plan_rounds(job) == 1 ? "" : "es", job->name);
		separator = ", ";
	}
	if (*separator)
		fprintf(out, " in a sample; cost and busy are those of one\n");
}

static const struct loop_verdict *loop_of(
	const struct plan *p, const struct plan_op *op, int thread)
{
	const struct worker w = plan_worker(p, op, thread);

	return registry_loop(op->jobs[thread].kernel, &w);
}

/* Jobs whose loop is not known to be the one that their kernel claims. */
static void loops(const struct plan *p, const struct plan_op *op, FILE *out)
{
	char text[256];

	for (int i = 0; i < p->nthreads; i++) {
		const struct loop_verdict *v = loop_of(p, op, i);
		int first = 0;

		if (v->state == LOOP_AS_CLAIMED)
			continue;
		while (op->jobs[first].kernel != op->jobs[i].kernel || loop_of(p, op, first) != v)
			first++;
		if (first == i)
			fprintf(out, " - %s: loop of %s, as built: %s\n", op->label,
				op->jobs[i].name, registry_loop_text(v, text, sizeof(text)));
	}
}

static void operations_block(const struct samples *r, FILE *out)
{
	const struct plan *p = r->plan;

	fprintf(out, "\n+ Operation data\n - Operations to be performed: ");
	for (int i = 0; i < p->nops; i++)
		fprintf(out, "%s%s", i ? ", " : "", p->ops[i].label);
	fprintf(out, "\n - type of summary: %s\n", summary_names[p->request->summary]);
	fprintf(out, " - cost of a thread: %s of %llu sample%s%s, %s; ",
		statistic_names[p->request->statistic], (unsigned long long)p->request->iterations,
		text_s(p->request->iterations), r->prepared->made > 1 ? " in each placement" : "",
		p->request->window_ns && p->request->stopped_by == STOPPED_BY_FLAG
			? "time for each unit of its work, until the end of its last call"
		: p->request->window_ns
			? "time for each unit of its work, until the end of its last call in time"
			: "from the common start to the thread's end");
	if (p->request->warmup == WARMUP_SETTLED)
		fprintf(out, "those before it has settled are discarded\n");
	else
		fprintf(out, "%llu warm-up sample%s discarded\n",
			(unsigned long long)p->request->warmup, text_s(p->request->warmup));
	for (int i = 0; i < p->nops; i++)
		calibrated_passes(&p->ops[i], p->nthreads, out);
	for (int i = 0; i < p->nops; i++)
		loops(p, &p->ops[i], out);
	report_placements(r, out);
	if (p->request->window_ns)
		fprintf(out, " - a sample: all threads work for %g s and stop together, %s\n",
			(double)p->request->window_ns * 1e-9,
			p->request->stopped_by == STOPPED_BY_FLAG ? "by a flag that all poll"
								  : "each by the clock");
}

static struct amount scaled(const struct estimate *x, double factor)
{
	return amount_times((struct amount){x->value, x->low, x->high}, factor);
}

/* Beside the cost of Code A.6, which is given in full, columns have the digits that intervals leave
 * certain. */
static void rounded(FILE *out, int width, struct amount a)
{
	report_cell(out, width, numbers_decimals(a), a.value);
}

/* The interval of the estimate beside a figure that may not exist: then the estimate is not filled
 * in. */
static struct amount beside(double value, const struct estimate *x, double factor)
{
	return isfinite(value) ? scaled(x, factor) : AMOUNT_NONE;
}

static void half(FILE *out, int width, struct amount a)
{
	int decimals = numbers_decimals(a);

	report_cell(out, width, decimals, isfinite(a.low) ? numbers_half(a, decimals) : NAN);
}

static void rate(const struct samples *r, int op, int thread, const struct figures *f, FILE *out)
{
	struct amount units = amount_inverse(beside(f->units_per_s, &f->unit_s, 1));

	units.value = f->units_per_s;
	if (isfinite(f->bytes_per_s)) {
		double bytes = f->bytes_per_s / f->units_per_s;

		rounded(out, 10, amount_times(units, bytes * 1e-9));
		fprintf(out, " GB/s");
		if (f->traffic_bytes_per_s > f->bytes_per_s) {
			fprintf(out, ",");
			rounded(out, 0,
				amount_times(
					units, f->traffic_bytes_per_s / f->units_per_s * 1e-9));
			fprintf(out, " with write-allocate");
		}
	} else {
		rounded(out, 10, amount_times(units, 1e-6));
		fprintf(out, " M%s/s", r->plan->ops[op].jobs[thread].kernel->unit);
	}
	report_held(r->plan->ops[op].jobs[thread].held, out);
}

static void figures_row(const struct samples *r, int op, int thread, FILE *out)
{
	double scale = derive_cost_scale(r->plan->request);
	struct figures f;

	if (derive_thread(r, op, thread, &f)) {
		fprintf(out, "%18s not measured\n", "");
		return;
	}
	report_cell(out, 18, 9, f.cost.value * scale);
	struct amount cost = scaled(&f.cost, scale);
	int decimals = numbers_decimals(cost) + 1; /* single samples, which are exact */

	half(out, 12, cost);
	report_cell(out, 14, decimals, f.cost.stats.min * scale);
	report_cell(out, 14, decimals, f.cost.stats.max * scale);
	if (r->prepared->made > 1)
		report_cell(out, 9, 2, estimate_spread(&f.cost) * 100);
	rounded(out, 14, scaled(&f.busy, 1));
	if (r->plan->nthreads > 1)
		report_cell(out, 10, 1, f.overlap * 100);
	if (r->plan->request->window_ns)
		report_cell(out, 10, 0, f.calls);
	else
		rounded(out, 10, beside(f.ns_per_unit, &f.unit_s, 1e9));
	rate(r, op, thread, &f, out);
	report_mark(r, op, thread, out);
	fputc('\n', out);
}

/* Prints, below the rates of the threads, the rate of all threads of `who` together. With one
 * thread, its own line already shows that rate. */
static void bytes_together(const struct samples *r, int op, int who, FILE *out)
{
	struct totals t;

	if (r->plan->nthreads < 2 || derive_totals(r, op, who, &t) ||
		!isfinite(t.bytes_per_s.value))
		return;
	fprintf(out, " %*s", 14 + 14 + 14 + 11 + 10 + 3 + (r->prepared->made > 1 ? 10 : 0), "");
	struct amount bytes = amount_times(t.bytes_per_s, 1e-9);

	rounded(out, 10, bytes);
	fprintf(out, " GB/s +-");
	half(out, 0, bytes);
	if (t.traffic_bytes_per_s.value > t.bytes_per_s.value) {
		fprintf(out, ",");
		rounded(out, 0, amount_times(t.traffic_bytes_per_s, 1e-9));
		fprintf(out, " with write-allocate");
	}
	if (who == ALL_THREADS)
		report_held_together(r->plan, op, out);
}

static void total_row(const struct samples *r, int op, const char *name, int who, FILE *out)
{
	double scale = derive_cost_scale(r->plan->request);
	struct amount total = derive_cost(r, op, who);
	int longer = (int)strlen(name) - 9;

	fprintf(out, " | %s:%*s", name, longer < 0 ? -longer : 0, "");
	report_cell(out, longer > 0 ? 20 - longer : 20, 9, total.value * scale);
	half(out, 12, amount_times(total, scale));
	bytes_together(r, op, who, out);
	report_mark(r, op, who, out);
}

/* The threads of each kind of cores together, where there are several. */
static void kind_rows(const struct samples *r, int op, int width, FILE *out)
{
	for (int kind = 0; kind < r->plan->topo->nkinds; kind++) {
		if (!derive_keeps_apart(r->plan, kind))
			continue;
		fprintf(out, "%-*s", width, "");
		total_row(r, op, topo_kind_name(r->plan->topo, kind), THREADS_OF_KIND(kind), out);
		fprintf(out, "\n");
	}
}

/* The name is printed beside the middle line of its block, as in Code A.6. */
static void result_block(const struct samples *r, int op, int width, FILE *out)
{
	const struct plan *p = r->plan;
	int middle = p->nthreads / 2;

	for (int i = 0; i < p->nthreads; i++) {
		fprintf(out, "%-*s | Thread %d:%*s", width, i == middle ? p->ops[op].label : "", i,
			i > 999  ? 0
			: i > 99 ? 1
			: i > 9  ? 2
				 : 3,
			"");
		figures_row(r, op, i, out);
	}
	kind_rows(r, op, width, out);
	fprintf(out, "%-*s", width, "");
	total_row(r, op, "Total", ALL_THREADS, out);
	fprintf(out, "\n\n");
}

static void results(const struct samples *r, FILE *out)
{
	int width = report_label_width(r->plan);
	double confidence = r->plan->request->confidence * 100;
	bool timed = r->plan->request->window_ns > 0;

	fprintf(out, "\n%*s-Results-\n\n", width + 10, "");
	fprintf(out, "%*s %18s %6s%4.12g %% %14s %14s%s %14s%s %10s %10s | mark\n", width + 14, "",
		timed ? "Cost(ns/unit)" : "Time_Cost(s)", "+-", confidence,
		timed ? "min" : "min(s)", timed ? "max" : "max(s)",
		r->prepared->made > 1 ? " spread(%)" : "", "busy(s)",
		r->plan->nthreads > 1 ? " overlap(%)" : "", timed ? "calls" : "ns/unit", "rate");
	for (int i = 0; i < r->plan->nops; i++)
		result_block(r, i, width, out);
}

/* The choices that kernels made by themselves; neighbouring threads with the same choice share a
 * line. */
static void choices(const struct samples *r, FILE *out)
{
	const char *head = "+ Chosen by kernels\n";
	int n = r->plan->nthreads, next;

	for (int op = 0; op < r->plan->nops; op++)
		for (int i = 0; r->ops[op].chose && i < n; i = next) {
			char(*chose)[RUN_CHOSE] = r->ops[op].chose;

			for (next = i + 1; next < n && !strcmp(chose[next], chose[i]);)
				next++;
			if (!*chose[i])
				continue;
			fprintf(out, "%s - %s: thread %d", head, r->plan->ops[op].label, i);
			head = "";
			if (next > i + 1)
				fprintf(out, " to %d", next - 1);
			fprintf(out, ": %s\n", chose[i]);
		}
	if (!*head)
		fprintf(out, "\n");
}

void report_run(const struct experiment *x, size_t run, FILE *out)
{
	const struct run *t = &x->runs[run];
	const struct samples *r = &t->samples;

	if (x->sweep.nvariables)
		fprintf(out, "==== run %zu of %zu: %s ====\n\n", run + 1, x->nruns, t->label);
	if (t->skipped || !r->ops) {
		fprintf(out, "not measured%s%s\n\n", t->skipped ? ": " : "",
			t->skipped ? errors_failure(&t->errors) : "");
		return;
	}
	fprintf(out, "          --Execution data--\n");
	report_leaves(r, out);
	report_vectors(r, out);
	report_profiler(x, run, out);
	report_physical(&x->runs[run], out);
	threads_block(r, out);
	begin_line(x, run, out);
	operations_block(r, out);
	results(r, out);
	report_figures(t, out);
	report_places(r, out);
	choices(r, out);
	report_ratios(x, run, out);
	report_samples(r, out);
	report_clock(r, out);
	report_unbound(r, out);
	fprintf(out, "\n");
	report_counters(r, out);
}
