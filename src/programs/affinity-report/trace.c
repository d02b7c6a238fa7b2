/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the clock rates of an experiment over time. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "programs/affinity-report/draw.h"
#include "programs/affinity-report/page.h"

/* The field of the chart in its 660 by 230 units. */
#define LEFT   60.0
#define RIGHT  640.0
#define TOP    10.0
#define BOTTOM 190.0

struct moment {
	double s, ghz;
	size_t run;
};

/* The rates of one thread in the order of time. */
struct course {
	struct moment *list;
	size_t count;
	int cpu; /* in all runs; -1: none, or different ones */
};

struct trace {
	struct course *lines; /* by thread */
	size_t nlines;
	double from_s, to_s, least, most;
};

static void add(struct course *l, double s, double hz, size_t run)
{
	if (!isfinite(hz))
		return;
	l->list = alloc_grow(l->list, l->count, sizeof(*l->list));
	l->list[l->count++] = (struct moment){s, hz * 1e-9, run};
}

/* Adds the rates before and after each sample of a thread. */
static void add_job(struct course *l, const struct document_job *j, size_t run)
{
	for (size_t i = 0; i < j->nsamples; i++) {
		const struct document_sample *s = &j->samples[i];
		double start = (double)s->start_ns * 1e-9;

		if (s->start_ns <= 0)
			continue;
		add(l, start, s->clock_before_hz, run);
		add(l, start + (double)s->late_ns * 1e-9 + j->sleep_s + s->busy_s,
			s->clock_after_hz, run);
	}
}

static void add_run(struct trace *t, const struct document_run *r, size_t run)
{
	for (; t->nlines < r->nthreads; t->nlines++) {
		t->lines = alloc_grow(t->lines, t->nlines, sizeof(*t->lines));
		t->lines[t->nlines] = (struct course){.cpu = r->threads[t->nlines].cpu};
	}
	for (size_t k = 0; k < r->nthreads; k++)
		if (t->lines[k].cpu != r->threads[k].cpu)
			t->lines[k].cpu = -1;
	for (size_t i = 0; i < r->operations.count; i++)
		for (size_t k = 0; k < r->operations.list[i].njobs && k < t->nlines; k++)
			add_job(&t->lines[k], &r->operations.list[i].jobs[k], run);
}

static int by_time(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	return (x->s > y->s) - (x->s < y->s);
}

static struct trace trace_of(const struct document *d)
{
	struct trace t = {.from_s = INFINITY, .to_s = -INFINITY, .least = INFINITY};

	for (size_t i = 0; i < d->nruns; i++)
		if (!d->runs[i].skipped)
			add_run(&t, &d->runs[i], i);
	for (size_t k = 0; k < t.nlines; k++) {
		struct course *l = &t.lines[k];

		if (l->count)
			qsort(l->list, l->count, sizeof(*l->list), by_time);
		for (size_t i = 0; i < l->count; i++) {
			t.from_s = fmin(t.from_s, l->list[i].s);
			t.to_s = fmax(t.to_s, l->list[i].s);
			t.least = fmin(t.least, l->list[i].ghz);
			t.most = fmax(t.most, l->list[i].ghz);
		}
	}
	return t;
}

static void trace_free(struct trace *t)
{
	for (size_t k = 0; k < t->nlines; k++)
		free(t->lines[k].list);
	free(t->lines);
}

/* GHz from one mark of the axis to the next. */
static double mark_of(const struct trace *t)
{
	return t->most > 2 ? 1 : t->most > 1 ? 0.5 : 0.25;
}

static double top_of(const struct trace *t)
{
	return ceil(t->most / mark_of(t)) * mark_of(t);
}

static void axes(FILE *out, const struct trace *t)
{
	double mark = mark_of(t), top = top_of(t);

	for (int i = 0; i * mark <= top; i++) {
		double y = BOTTOM - i * mark / top * (BOTTOM - TOP);

		fprintf(out,
			"<path d='M%g %.1fH%g' style='stroke:var(--rule)' /><text class=head x=%g "
			"y=%.1f>%g</text>",
			LEFT, y, RIGHT, LEFT - 6, y + 4, i * mark);
	}
	for (int i = 0; i <= 4; i++)
		fprintf(out, "<text x=%.1f y=%g>%.3g s</text>", LEFT + i * (RIGHT - LEFT) / 4,
			BOTTOM + 18, i * (t->to_s - t->from_s) / 4);
	fprintf(out, "<text x=%g y=%g>GHz</text>", LEFT - 40, TOP + 4);
}

/* One path; a gap where another run begins. */
static void draw_line(FILE *out, const struct trace *t, size_t k)
{
	const struct course *l = &t->lines[k];
	double top = top_of(t);

	fputs("<path d='", out);
	for (size_t i = 0; i < l->count; i++) {
		bool begins = !i || l->list[i].run != l->list[i - 1].run;

		fprintf(out, "%s%.1f %.1f", begins ? "M" : "L",
			LEFT + (l->list[i].s - t->from_s) / (t->to_s - t->from_s) * (RIGHT - LEFT),
			BOTTOM - l->list[i].ghz / top * (BOTTOM - TOP));
	}
	fprintf(out, "' style='fill:none;stroke:%s%s' />", draw_colour(k),
		k < DRAW_COLOURS ? "" : ";stroke-dasharray:4 2");
}

static void legend(FILE *out, const struct trace *t)
{
	fputs("<p class=legend>", out);
	for (size_t k = 0; k < t->nlines; k++) {
		fprintf(out, "<span><i style='background:%s'></i>thread %zu", draw_colour(k), k);
		if (t->lines[k].cpu >= 0)
			fprintf(out, " (CPU %d)", t->lines[k].cpu);
		fputs("</span>", out);
	}
	fputs("</p>\n", out);
}

void page_clock(const struct document *d, FILE *out)
{
	struct trace t = trace_of(d);

	if (t.to_s > t.from_s) {
		char *summary =
			alloc_format("Clock rates over time: %.3g to %.3g GHz", t.least, t.most);

		html_folded_begin(out, summary);
		legend(out, &t);
		fputs("<div class=scroll><svg class=chart role=img viewBox='0 0 660 230' "
		      "style='width:660px'><title>The clock rate of each thread's core before and "
		      "after each sample</title>",
			out);
		axes(out, &t);
		for (size_t k = 0; k < t.nlines; k++)
			draw_line(out, &t, k);
		fputs("</svg></div>\n", out);
		html_folded_end(out);
		free(summary);
	}
	trace_free(&t);
}
