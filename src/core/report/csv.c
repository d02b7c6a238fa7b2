/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One row for each thread of each sample. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "document/rows.h"
#include "report/fields.h"
#include "report/report.h"

/* Names of columns, each once, in the order in which they are found. */
struct names {
	const char **list;
	size_t count;
};

/* The rows of one run. solo: the thread that ran alone, or -1. */
struct source {
	const struct document *document;
	const bool *sizes; /* fields_sizes() */
	size_t run;
	int solo;
	const struct names *events, *figures; /* of all kernels that run */
};

static void add_name(struct names *n, const char *name)
{
	for (size_t i = 0; i < n->count; i++)
		if (!strcmp(n->list[i], name))
			return;
	n->list = alloc_grow(n->list, n->count, sizeof(*n->list));
	n->list[n->count++] = name;
}

/* Digits of the seconds of a unit, down to a billionth of a nanosecond: many units take less than a
 * nanosecond. */
#define UNIT_DIGITS 18

/* A counted sample has no times, because they would include the time to read the counters. */
static void write_times(const struct document_sample *s, bool per_unit, FILE *out)
{
	if (s->pass)
		fprintf(out, ",,,%" PRId64 ",%" PRId64 ",,,", s->units, s->calls);
	else
		fprintf(out, ",%.*f,%.9f,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",",
			per_unit ? UNIT_DIGITS : 9, s->cost_s, s->busy_s, s->units, s->calls,
			s->late_ns, s->skew_ns);
}

/* The time that the thread's figures leave out. */
static void write_lost(const struct document_sample *s, FILE *out)
{
	if (s->pass)
		fprintf(out, ",,");
	else
		fprintf(out, "%.9f,%.9f,", s->lost_s, s->lost_before_s);
}

/* The bytes accessed, and the bytes that caches fetched for stores if that is known. */
static void write_moved(const struct document_job *job, const struct document_sample *s, FILE *out)
{
	const double units = (double)s->units, bytes = units * job->bytes_per_unit;
	const double fills = bytes > 0 ? units * job->fill_bytes_per_unit : 0;

	if (!s->pass && isfinite(bytes))
		fprintf(out, "%.0f", bytes);
	fputc(',', out);
	if (!s->pass && isfinite(fills))
		fprintf(out, "%.0f", fills);
	fputc(',', out);
}

/* A field for each name; 15 digits: all of a count. */
static void write_named(
	const struct names *names, const struct document_named *list, size_t n, FILE *out)
{
	for (size_t i = 0; i < names->count; i++) {
		fputc(',', out);
		for (size_t k = 0; k < n; k++)
			if (!strcmp(list[k].name, names->list[i]) && isfinite(list[k].value))
				fprintf(out, "%.15g", list[k].value);
	}
}

static void write_rate(double hz, FILE *out)
{
	if (isfinite(hz))
		fprintf(out, "%.12g", hz);
	fputc(',', out);
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

/* What the sample of a thread was: the fields before its times. */
static void write_sample(const struct source *src, const struct document_job *job, size_t index,
	const struct document_sample *s, FILE *out)
{
	const struct document_run *r = &src->document->runs[src->run];
	const size_t own = (size_t)(src->solo >= 0 ? src->solo : job->thread);

	fprintf(out, ",%s,%zu,%" PRId64 ",%" PRId64 ",%d,%zu,", job->kernel, index, s->placement,
		r->placements, s->warmup, own);
	write_place(&r->threads[own], s->cpu_after, out);
	fields_vectors(r, (size_t)s->placement, own, out);
	fprintf(out, "%s,%s", job->unit, document_fact(src->document, "date"));
}

/* The mark is that of the cost that the thread's samples are of. */
static void write_values(const struct source *src, const struct document_job *job,
	const struct document_sample *s, FILE *out)
{
	write_times(s, src->document->runs[src->run].method.per_unit, out);
	fprintf(out, "%d,%d,%d,%d,%d,", s->disturbed, s->preempted, s->blocked, s->page_faults,
		s->migrations);
	if (isfinite(s->overlap))
		fprintf(out, "%.4f", s->overlap);
	fprintf(out, ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",", s->run_delay_ns,
		s->off_cpu_ns, s->steal_ns, s->throttled_ns);
	write_lost(s, out);
	fprintf(out, "%" PRId64 ",", s->start_ns);
	write_rate(s->clock_before_hz, out);
	write_rate(s->clock_after_hz, out);
	if (isfinite(job->passes))
		fprintf(out, "%.0f", job->passes);
	fputc(',', out);
	write_moved(job, s, out);
	text_print_csv(job->chose, out);
	fprintf(out, ",%s,", job->mark.there ? job->mark.word : "");
	text_print_csv(job->mark.there ? job->mark.why : "", out);
	if (src->document->has_counting)
		fprintf(out, ",%d", s->pass);
	write_named(src->events, s->counts, s->ncounts, out);
	write_named(src->figures, s->own, s->nown, out);
	fputc(',', out);
	text_print_csv(job->held, out);
	fputc('\n', out);
}

/* Sample i of each thread of an operation; `index` among those of its sort. */
static void write_samples(const struct source *src, size_t op, const struct document_operation *o,
	size_t i, size_t index, FILE *out)
{
	for (size_t t = 0; t < o->njobs; t++) {
		struct document_sample s = document_sample(&o->jobs[t], i);

		fields_round(&sample_fields, &s);
		fields_host(src->document, out);
		fprintf(out, "%zu,", src->run);
		fields_sweep(src->document, src->sizes, src->run, out);
		fprintf(out, "%d,%zu,", src->solo >= 0, op);
		text_print_csv(o->name, out);
		write_sample(src, &o->jobs[t], index, &s, out);
		write_values(src, &o->jobs[t], &s, out);
	}
}

static void write_rows(struct source src, int solo, const struct document_operations *l, FILE *out)
{
	src.solo = solo;
	for (size_t op = 0; op < l->count; op++) {
		const struct document_operation *o = &l->list[op];
		const size_t n = o->njobs ? o->jobs->nsamples : 0;
		const size_t counted = o->njobs ? o->jobs->ncounted : 0;

		for (size_t i = 0; i < n + counted; i++)
			write_samples(&src, op, o, i, i < n ? i : i - n, out);
	}
}

#define AFTER_SWEEP                                                                              \
	"solo,operation_index,operation,kernel,sample,placement,placements,warmup,thread,node,"  \
	"cpu_asked,cpu_found,kind," FIELDS_VECTORS                                               \
	"unit,date,cost_s,busy_s,units,calls,late_ns,skew_ns,disturbed_flags,preempted,blocked," \
	"page_faults,migrations,overlap,run_delay_ns,off_cpu_ns,steal_ns,throttled_ns,lost_s,"   \
	"lost_before_s,start_ns,"                                                                \
	"clock_before_hz,clock_after_hz,passes,bytes,fill_bytes,chose,mark,why"

static void find_events(struct names *to, const struct document *d)
{
	for (size_t i = 0; i < d->counting.npasses; i++)
		for (size_t k = 0; k < d->counting.passes[i].nevents; k++)
			add_name(to, d->counting.passes[i].events[k].event);
}

static void find_figures(struct names *to, const struct document *d)
{
	for (size_t i = 0; i < d->nruns; i++)
		for (size_t op = 0; op < d->runs[i].operations.count; op++) {
			const struct document_operation *o = &d->runs[i].operations.list[op];

			for (size_t t = 0; t < o->njobs; t++)
				for (size_t k = 0; k < o->jobs[t].own.count; k++)
					add_name(to, o->jobs[t].own.list[k].name);
		}
}

static void write_csv_head(const struct source *src, FILE *out)
{
	fprintf(out, "host,run,");
	fields_sweep_head(src->document, src->sizes, "host,run," AFTER_SWEEP ",pass,held_by", out);
	fprintf(out, AFTER_SWEEP "%s", src->document->has_counting ? ",pass" : "");
	for (size_t i = 0; i < src->events->count; i++) {
		fputc(',', out);
		text_print_csv(src->events->list[i], out);
	}
	for (size_t i = 0; i < src->figures->count; i++)
		fprintf(out, ",%s", src->figures->list[i]);
	fputs(",held_by\n", out);
}

void report_csv(const struct document *d, FILE *out)
{
	struct names events = {0}, figures = {0};
	bool *sizes = fields_sizes(d);
	struct source src = {.document = d, .sizes = sizes, .events = &events, .figures = &figures};

	find_events(&events, d);
	find_figures(&figures, d);
	write_csv_head(&src, out);
	for (src.run = 0; src.run < d->nruns; src.run++) {
		const struct document_run *r = &d->runs[src.run];

		write_rows(src, -1, &r->operations, out);
		for (size_t k = 0; k < r->nalone; k++)
			write_rows(src, r->alone[k].thread, &r->alone[k], out);
	}
	free(events.list);
	free(figures.list);
	free(sizes);
}
