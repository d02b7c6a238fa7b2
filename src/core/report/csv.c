/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One row for each thread of each sample. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/kernel_figures.h"
#include "analysis/work.h"
#include "report/fields.h"
#include "report/report.h"

/* The samples of one run. solo: the thread that ran alone, or -1. */
struct source {
	const struct document *document;
	const bool *sizes; /* fields_sizes() */
	size_t run;
	const struct samples *samples;
	int solo;
	const struct kernel_figures *figures; /* of all kernels that run */
};

/* Digits of the seconds of a unit, down to a billionth of a nanosecond: many units take less than a
 * nanosecond. */
#define UNIT_DIGITS 18

/* A counted sample has no times, because they would include the time to read the counters. */
static void times(const struct sample *s, int thread, FILE *out)
{
	const struct thread_sample *st = &s->threads[thread];

	if (s->pass)
		fprintf(out, ",,,%llu,%llu,,,", (unsigned long long)st->worked,
			(unsigned long long)st->calls);
	else
		fprintf(out, ",%.*f,%.9f,%llu,%llu,%llu,%llu,", s->window_ns ? UNIT_DIGITS : 9,
			sample_cost(s, thread), sample_busy(s, thread),
			(unsigned long long)st->units, (unsigned long long)st->calls,
			(unsigned long long)(st->left_ns - s->start_ns),
			(unsigned long long)s->skew_ns);
}

/* The time that the thread's figures leave out. */
static void lost(const struct sample *s, int thread, FILE *out)
{
	if (s->pass)
		fprintf(out, ",,");
	else
		fprintf(out, "%.9f,%.9f,", sample_lost_s(s, thread),
			(double)s->threads[thread].late_ns * 1e-9);
}

/* The bytes accessed, and the bytes that caches fetched for stores if that is known. */
static void moved(const struct samples *r, int op, const struct sample *s, int thread, FILE *out)
{
	double bytes = work_bytes(r, op, s, thread);
	double fills = bytes > 0 ? bytes * (work_traffic(&r->plan->ops[op].jobs[thread]) - 1) : 0;

	if (s->pass)
		fprintf(out, ",,");
	else if (isfinite(fills))
		fprintf(out, "%.0f,%.0f,", bytes, fills);
	else
		fprintf(out, "%.0f,,", bytes);
}

/* The number of the pass (0: a timed sample), then one field for each event. */
static void counts(const struct counting *c, const struct sample *s, int thread, FILE *out)
{
	fprintf(out, ",%td", s->pass ? s->pass - c->passes + 1 : 0);
	for (size_t e = 0; e < c->nevents; e++) {
		if (!counting_uses(c, e))
			continue;
		fputc(',', out);
		for (size_t i = 0; s->pass && i < s->pass->n; i++) {
			double count = s->counts[(size_t)thread * s->pass->n + i];

			if (s->pass->events[i] == e && isfinite(count))
				fprintf(out, "%.0f", count);
		}
	}
}

/* 15 digits: all of a count. */
static void figures(const struct source *src, int op, const struct sample *s, int thread, FILE *out)
{
	for (size_t i = 0; i < src->figures->count; i++) {
		double value =
			kernel_figure_in(src->samples, op, s, thread, src->figures->list[i]->name);

		fputc(',', out);
		if (isfinite(value))
			fprintf(out, "%.15g", value);
	}
}

static void rate(double hz, FILE *out)
{
	if (isfinite(hz))
		fprintf(out, "%.12g", hz);
	fputc(',', out);
}

static const struct document_operation *operation_of(const struct source *src, int op)
{
	const struct document_run *r = &src->document->runs[src->run];

	return src->solo >= 0 ? &r->alone[src->solo].list[op] : &r->operations.list[op];
}

static void write_place(const struct document_thread *t, int found, FILE *out)
{
	if (t->cpu == -1)
		fprintf(out, ",,%d,", found);
	else
		fprintf(out, "%d,%d,%d,", t->node, t->cpu, found);
	text_print_csv(t->kind ? t->kind : "", out);
	fputc(',', out);
}

/* The mark is that of the cost that the thread's samples are of. */
static void write_sample_row(const struct source *src, int op, size_t index, const struct sample *s,
	int thread, FILE *out)
{
	const struct document *d = src->document;
	const struct document_run *r = &d->runs[src->run];
	const struct document_operation *o = operation_of(src, op);
	const struct document_job *job = &o->jobs[thread];
	const struct thread_sample *st = &s->threads[thread];
	const size_t own = (size_t)(src->solo >= 0 ? src->solo : thread);

	fields_host(d, out);
	fprintf(out, "%zu,", src->run);
	fields_sweep(d, src->sizes, src->run, out);
	fprintf(out, "%d,%d,", src->solo >= 0, op);
	text_print_csv(o->name, out);
	fprintf(out, ",%s,%zu,%zu,%lld,%d,%zu,", job->kernel, index, s->placement,
		(long long)r->placements, s->warmup, own);
	write_place(&r->threads[own], st->cpu_after, out);
	fields_vectors(r, s->placement, own, out);
	fprintf(out, "%s,%s", job->unit, document_fact(d, "date"));
	times(s, thread, out);
	fprintf(out, "%u,%d,%d,%d,%d,", s->disturbed, st->preempted, st->blocked, st->faults,
		st->migrations);
	if (!s->pass)
		fprintf(out, "%.4f", sample_overlap(s, (int)o->njobs, thread));
	fprintf(out, ",%lld,%lld,%lld,%llu,", (long long)st->delayed_ns, (long long)st->off_ns,
		(long long)st->stolen_ns, (unsigned long long)s->throttled_ns);
	lost(s, thread, out);
	fprintf(out, "%llu,", (unsigned long long)s->start_ns);
	rate(st->before.hz, out);
	rate(st->after.hz, out);
	if (isfinite(job->passes))
		fprintf(out, "%.0f", job->passes);
	fputc(',', out);
	moved(src->samples, op, s, thread, out);
	text_print_csv(job->chose, out);
	fprintf(out, ",%s,", job->mark.there ? job->mark.word : "");
	text_print_csv(job->mark.there ? job->mark.why : "", out);
	if (src->samples->plan->counting)
		counts(src->samples->plan->counting, s, thread, out);
	figures(src, op, s, thread, out);
	fputc(',', out);
	text_print_csv(job->held, out);
	fputc('\n', out);
}

static void rows_of(
	const struct source *src, int op, const struct sample *samples, size_t n, FILE *out)
{
	for (size_t i = 0; i < n; i++)
		for (int t = 0; t < src->samples->plan->nthreads; t++)
			write_sample_row(src, op, i, &samples[i], t, out);
}

static void rows(const struct source *src, FILE *out)
{
	for (int op = 0; src->samples->ops && op < src->samples->plan->nops; op++) {
		const struct op_result *o = &src->samples->ops[op];

		rows_of(src, op, o->samples, o->count, out);
		rows_of(src, op, o->counted, o->ncounted, out);
	}
}

#define AFTER_SWEEP                                                                              \
	"solo,operation_index,operation,kernel,sample,placement,placements,warmup,thread,node,"  \
	"cpu_asked,cpu_found,kind," FIELDS_VECTORS                                               \
	"unit,date,cost_s,busy_s,units,calls,late_ns,skew_ns,disturbed_flags,preempted,blocked," \
	"page_faults,migrations,overlap,run_delay_ns,off_cpu_ns,steal_ns,throttled_ns,lost_s,"   \
	"lost_before_s,start_ns,"                                                                \
	"clock_before_hz,clock_after_hz,passes,bytes,fill_bytes,chose,mark,why"

static void write_csv_head(const struct source *src, const struct counting *c, FILE *out)
{
	const struct kernel_figures *figures = src->figures;

	fprintf(out, "host,run,");
	fields_sweep_head(src->document, src->sizes, "host,run," AFTER_SWEEP ",pass,held_by", out);
	fprintf(out, AFTER_SWEEP "%s", c ? ",pass" : "");
	for (size_t e = 0; c && e < c->nevents; e++)
		if (counting_uses(c, e)) {
			fputc(',', out);
			text_print_csv(c->events[e].name, out);
		}
	for (size_t i = 0; i < figures->count; i++)
		fprintf(out, ",%s", figures->list[i]->name);
	fputs(",held_by\n", out);
}

int report_csv(const struct result_of *m, const struct document *d, FILE *out)
{
	const struct experiment *x = m->experiment;
	struct kernel_figures all;
	bool *sizes = fields_sizes(d);

	kernel_figures_of_all(&all, x);
	write_csv_head(&(struct source){d, sizes, 0, NULL, -1, &all}, x->counting, out);
	for (size_t i = 0; i < x->nruns; i++) {
		const struct run *t = &x->runs[i];

		if (t->skipped)
			continue;
		rows(&(struct source){d, sizes, i, &t->samples, -1, &all}, out);
		for (int k = 0; t->solos && k < t->plan.nthreads; k++)
			rows(&(struct source){d, sizes, i, &t->solos[k], k, &all}, out);
	}
	kernel_figures_free(&all);
	free(sizes);
	return 0;
}
