/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run in the text report: the layout of the thesis's Code A.6, with further columns to its
 * right. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/numbers.h"
#include "base/say.h"
#include "base/text.h"
#include "document/figure.h"
#include "report/cells.h"

/* ---- threads */

static void core_of(const struct document_thread *t, FILE *out)
{
	fprintf(out, "CPU %d, core %d", t->cpu, t->core);
	if (t->kind)
		fprintf(out, ", kind %s", t->kind);
	fprintf(out, "%s\n",
		t->takes_turns   ? ", takes turns on its CPU"
		: t->shares_core ? ", shares its core"
				 : "");
}

static bool is_shown_by(const struct document_thread *t, const char *by)
{
	return t->cpu != -1 &&
	       (by ? t->cpu_shown_by && !strcmp(t->cpu_shown_by, by) : !t->cpu_shown_by);
}

/* A line for each proof of CPUs, with its threads. */
static void shown_line(const struct document_run *r, const char *by, FILE *out)
{
	bool *set = alloc_zeroed(r->nthreads + 1, sizeof(*set));
	size_t n = 0;
	char list[256];

	for (size_t i = 0; i < r->nthreads; i++) {
		set[i] = is_shown_by(&r->threads[i], by);
		n += set[i];
	}
	text_ranges(set, r->nthreads, list, sizeof(list));
	if (n)
		fprintf(out, " - CPU%s of thread%s %s: shown by %s\n", text_s(n), text_s(n), list,
			by ? by : "nothing");
	free(set);
}

static void threads_block(const struct document_run *r, FILE *out)
{
	fprintf(out, "\n+ Threads data\n");
	if (r->has_mapping)
		fprintf(out, " - Mapping %s: %s\n", r->mapping.mapping, r->mapping.reason);
	for (size_t i = 0; i < r->nthreads; i++) {
		const struct document_thread *t = &r->threads[i];

		if (t->node < 0)
			fprintf(out, " - Thread %-4zu  node: %-4s  vector:", i,
				t->cpu == -1 ? "any" : "none");
		else
			fprintf(out, " - Thread %-4zu  node: %-4d  vector:", i, t->node);
		for (size_t k = 0; k < t->nvectors; k++)
			fprintf(out, "%s%zu", k ? "," : " ", t->vectors[k]);
		fprintf(out, "%s%*s ", t->nvectors ? "" : " -",
			t->nvectors > 4 ? 0 : 8 - 2 * (int)t->nvectors, "");
		if (t->cpu == -1)
			fprintf(out, "not bound\n");
		else
			core_of(t, out);
	}
	shown_line(r, "sched_getaffinity", out);
	shown_line(r, "getcpu", out);
	shown_line(r, NULL, out);
	if (r->kinds_begin)
		fprintf(out, " - from this run on also on cores of kind: %s\n", r->kinds_begin);
}

/* ---- operations */

static bool is_first_of_kernel(const struct document_operation *o, size_t thread)
{
	for (size_t i = 0; i < thread; i++)
		if (!strcmp(o->jobs[i].kernel, o->jobs[thread].kernel))
			return false;
	return true;
}

/* An operation's numbers of rounds that were chosen by measuring: one for each of its kernels. */
static void calibrated_passes(const struct document_operation *o, FILE *out)
{
	const char *separator = "";

	for (size_t i = 0; i < o->njobs; i++) {
		const struct document_job *job = &o->jobs[i];

		if (!job->calibrated || !is_first_of_kernel(o, i))
			continue;
		if (!*separator)
			fprintf(out, " - %s: calibrated: ", o->name);
		if (isfinite(job->passes))
			fprintf(out, "%s%.0f pass%s of %s", separator, job->passes,
				job->passes == 1 ? "" : "es", job->kernel);
		else
			fprintf(out, "%spasses of %s", separator, job->kernel);
		separator = ", ";
	}
	if (*separator)
		fprintf(out, " in a sample; cost and busy are those of one\n");
}

static bool is_same_loop(const struct document_job *a, const struct document_job *b)
{
	return !strcmp(a->kernel, b->kernel) && !strcmp(a->loop, b->loop);
}

/* Jobs whose loop is not known to be the one that their kernel claims. */
static void loops(const struct document_operation *o, FILE *out)
{
	static const char claimed[] = "as claimed";

	for (size_t i = 0; i < o->njobs; i++) {
		const struct document_job *job = &o->jobs[i];
		size_t first = 0;

		if (!*job->loop || !strncmp(job->loop, claimed, sizeof(claimed) - 1))
			continue;
		while (!is_same_loop(&o->jobs[first], job))
			first++;
		if (first == i)
			fprintf(out, " - %s: loop of %s, as built: %s\n", o->name, job->kernel,
				job->loop);
	}
}

static bool is_polled(const struct document_method *m)
{
	return m->stopped_by && !strcmp(m->stopped_by, "flag");
}

static void method(const struct document_run *r, FILE *out)
{
	const struct document_method *m = &r->method;

	fprintf(out, "\n - type of summary: %s\n", m->summary);
	fprintf(out, " - cost of a thread: %s of %lld sample%s%s, %s; ", m->statistic,
		(long long)m->iterations, text_s((unsigned long long)m->iterations),
		r->placements > 1 ? " in each placement" : "",
		m->per_unit && is_polled(m)
			? "time for each unit of its work, until the end of its last call"
		: m->per_unit
			? "time for each unit of its work, until the end of its last call in time"
			: "from the common start to the thread's end");
	if (m->settled)
		fprintf(out, "those before it has settled are discarded\n");
	else
		fprintf(out, "%lld warm-up sample%s discarded\n", (long long)m->warmup,
			text_s((unsigned long long)m->warmup));
}

static void operations_block(const struct document_run *r, FILE *out)
{
	char window[32];

	fprintf(out, "\n+ Operation data\n - Operations to be performed: ");
	for (size_t i = 0; i < r->operations.count; i++)
		fprintf(out, "%s%s", i ? ", " : "", r->operations.list[i].name);
	method(r, out);
	for (size_t i = 0; i < r->operations.count; i++)
		calibrated_passes(&r->operations.list[i], out);
	for (size_t i = 0; i < r->operations.count; i++)
		loops(&r->operations.list[i], out);
	report_placements(r, out);
	if (r->method.per_unit)
		fprintf(out, " - a sample: all threads work for %s s and stop together, %s\n",
			report_number(r->method.window_s, window, sizeof(window)),
			is_polled(&r->method) ? "by a flag that all poll" : "each by the clock");
}

/* ---- results */

/* Beside the cost of Code A.6, which is given in full, columns have the digits that intervals leave
 * certain. */
static void rounded(FILE *out, int width, struct amount a)
{
	report_cell(out, width, numbers_decimals(a), a.value);
}

static void half(FILE *out, int width, struct amount a)
{
	int decimals = numbers_decimals(a);

	report_cell(out, width, decimals, isfinite(a.low) ? numbers_half(a, decimals) : NAN);
}

static void traffic(const struct document_row *row, FILE *out)
{
	if (row->traffic.value > row->bytes_per_s.value) {
		fprintf(out, ",");
		rounded(out, 0, amount_times(row->traffic, 1e-9));
		fprintf(out, " with write-allocate");
	}
}

static void print_job_rate(
	const struct document_job *job, const struct document_row *row, FILE *out)
{
	if (isfinite(row->bytes_per_s.value)) {
		rounded(out, 10, amount_times(row->bytes_per_s, 1e-9));
		fprintf(out, " GB/s");
		traffic(row, out);
	} else {
		rounded(out, 10, amount_times(row->units_per_s, 1e-6));
		fprintf(out, " M%s/s", job->unit);
	}
	report_held(job->held, out);
}

static void figures_row(const struct document_run *r, size_t op, size_t thread, FILE *out)
{
	const struct document_operation *o = &r->operations.list[op];
	const struct document_job *job = &o->jobs[thread];
	const struct document_row row = document_row(o, (int)thread);
	const double scale = report_cost_scale(&r->method);

	if (!job->has_figures) {
		fprintf(out, "%18s %s\n", "", job->nsamples ? "no sample counts" : "not measured");
		return;
	}
	struct amount cost = amount_times(row.cost, scale);
	int decimals = numbers_decimals(cost) + 1; /* single samples, which are exact */

	report_cell(out, 18, 9, cost.value);
	half(out, 12, cost);
	report_cell(out, 14, decimals, job->figures.min_s * scale);
	report_cell(out, 14, decimals, job->figures.max_s * scale);
	if (r->placements > 1)
		report_cell(
			out, 9, 2, isfinite(job->figures.spread) ? job->figures.spread * 100 : 0);
	rounded(out, 14, row.busy);
	if (r->nthreads > 1)
		report_cell(out, 10, 1, job->figures.overlap * 100);
	if (r->method.per_unit)
		report_cell(out, 10, 0, job->figures.calls);
	else
		rounded(out, 10, row.ns_per_unit);
	print_job_rate(job, &row, out);
	report_mark(row.mark, out);
	fputc('\n', out);
}

/* Prints, below the rates of the threads, the rate of all threads of `who` together. With one
 * thread, its own line already shows that rate. */
static void bytes_together(const struct document_run *r, const struct document_operation *o,
	const struct document_row *row, bool all, FILE *out)
{
	if (r->nthreads < 2 || !isfinite(row->bytes_per_s.value))
		return;
	fprintf(out, " %*s", 14 + 14 + 14 + 11 + 10 + 3 + (r->placements > 1 ? 10 : 0), "");
	struct amount bytes = amount_times(row->bytes_per_s, 1e-9);

	rounded(out, 10, bytes);
	fprintf(out, " GB/s +-");
	half(out, 0, bytes);
	traffic(row, out);
	if (all)
		report_held_together(o, out);
}

static void total_row(const struct document_run *r, const struct document_operation *o,
	const char *name, int who, FILE *out)
{
	const struct document_row row = document_row(o, who);
	const struct amount total = amount_times(row.cost, report_cost_scale(&r->method));
	int longer = (int)strlen(name) - 9;

	fprintf(out, " | %s:%*s", name, longer < 0 ? -longer : 0, "");
	report_cell(out, longer > 0 ? 20 - longer : 20, 9, total.value);
	half(out, 12, total);
	bytes_together(r, o, &row, who == ALL_THREADS, out);
	report_mark(row.mark, out);
}

/* The name is printed beside the middle line of its block, as in Code A.6. */
static void result_block(const struct document_run *r, size_t op, int width, FILE *out)
{
	const struct document_operation *o = &r->operations.list[op];
	const size_t middle = o->njobs / 2;

	for (size_t i = 0; i < o->njobs; i++) {
		fprintf(out, "%-*s | Thread %zu:%*s", width, i == middle ? o->name : "", i,
			i > 999  ? 0
			: i > 99 ? 1
			: i > 9  ? 2
				 : 3,
			"");
		figures_row(r, op, i, out);
	}
	for (size_t i = 0; i < o->nkinds; i++) {
		fprintf(out, "%-*s", width, "");
		total_row(r, o, o->kinds[i].kind, THREADS_OF_KIND((int)i), out);
		fprintf(out, "\n");
	}
	fprintf(out, "%-*s", width, "");
	total_row(r, o, "Total", ALL_THREADS, out);
	fprintf(out, "\n\n");
}

static void results(const struct document_run *r, FILE *out)
{
	int width = report_label_width(r);
	bool timed = r->method.per_unit;
	char percent[32];

	fprintf(out, "\n%*s-Results-\n\n", width + 10, "");
	fprintf(out, "%*s %18s %6s%4s %% %14s %14s%s %14s%s %10s %10s | mark\n", width + 14, "",
		timed ? "Cost(ns/unit)" : "Time_Cost(s)", "+-",
		report_number(r->method.confidence * 100, percent, sizeof(percent)),
		timed ? "min" : "min(s)", timed ? "max" : "max(s)",
		r->placements > 1 ? " spread(%)" : "", "busy(s)",
		r->nthreads > 1 ? " overlap(%)" : "", timed ? "calls" : "ns/unit", "rate");
	for (size_t i = 0; i < r->operations.count; i++)
		result_block(r, i, width, out);
}

static const char *said_of(const struct document_job *j, bool proofs)
{
	return !proofs ? j->chose : j->proof ? j->proof_by : "";
}

/* What kernels chose by themselves, or what proves their events; neighbouring threads with the same
 * text share a line. */
static void by_thread(const struct document_run *r, bool proofs, FILE *out)
{
	const char *head = proofs ? "+ Proof of events\n" : "+ Chosen by kernels\n";
	size_t next;

	for (size_t op = 0; op < r->operations.count; op++) {
		const struct document_operation *o = &r->operations.list[op];

		for (size_t i = 0; i < o->njobs; i = next) {
			const struct document_job *j = &o->jobs[i];
			const char *said = said_of(j, proofs);

			for (next = i + 1;
				next < o->njobs && !strcmp(said_of(&o->jobs[next], proofs), said);)
				next++;
			if (!*said)
				continue;
			fprintf(out, "%s - %s: thread %zu", head, o->name, i);
			head = "";
			if (next > i + 1)
				fprintf(out, " to %zu", next - 1);
			fprintf(out, ": %s%s%s\n", proofs ? j->proof : "", proofs ? ": " : "",
				said);
		}
	}
	if (!*head)
		fprintf(out, "\n");
}

/* Proven as the threads and vectors of the run, in the same words. */
static void loads(const struct document_run *r, FILE *out)
{
	for (size_t i = 0; i < r->nloads; i++) {
		const struct document_load *l = &r->loads[i];
		const struct document_run own = {.placements = r->placements,
			.vectors = l->vectors,
			.nvectors = l->nvectors,
			.threads = l->threads,
			.nthreads = l->nthreads};

		fprintf(out, "\n+ Background %s\n", l->line);
		for (size_t op = 0; op < r->operations.count; op++) {
			const struct document_loaded *o = &r->operations.list[op].loads[i];
			const struct amount reached = amount_times(o->bytes_per_s, 1e-9);
			const int decimals = numbers_decimals(reached);

			fprintf(out, " - beside %s: %.*f", r->operations.list[op].name, decimals,
				reached.value);
			say_interval(out, SAY_PLAIN, " ", reached, decimals, "");
			fprintf(out, " GB/s%s\n",
				o->missed ? ", which is not the stated rate" : "");
		}
		if (!l->nthreads)
			continue;
		report_vectors(&own, out);
		threads_block(&own, out);
	}
}

void report_run(const struct document *d, size_t run, FILE *out)
{
	const struct document_run *r = &d->runs[run];

	if (r->values.count)
		fprintf(out, "==== run %zu of %zu: %s ====\n\n", run + 1, d->nruns, r->label);
	if (r->skipped) {
		fprintf(out, "%s: %s\n\n", r->lost ? "lost" : "not measured",
			error_plain(r->skipped));
		return;
	}
	fprintf(out, "          --Execution data--\n");
	report_leaves(r, out);
	report_vectors(r, out);
	report_profiler(r, out);
	report_physical(r, out);
	threads_block(r, out);
	loads(r, out);
	operations_block(r, out);
	results(r, out);
	report_figures(r, out);
	report_tails(r, out);
	report_places(r, out);
	by_thread(r, false, out);
	by_thread(r, true, out);
	report_ratios(r, out);
	report_samples(d, r, out);
	report_clock(r, out);
	report_unbound(d, r, out);
	fprintf(out, "\n");
	report_counters(d, r, out);
}
