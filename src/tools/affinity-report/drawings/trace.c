/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws clock rates over time: those of an experiment, or those of a plot without a picture. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "affinity-report/drawings/axis.h"
#include "affinity-report/drawings/draw.h"
#include "affinity-report/drawings/drawings.h"

/* The field of the chart in its 660 by 230 units. */
#define LEFT   60.0
#define RIGHT  640.0
#define TOP    10.0
#define BOTTOM 190.0

struct moment {
	double s, ghz;
	size_t piece; /* the line is broken where another one begins */
};

/* The rates of one thread in the order of time. */
struct course {
	struct moment *list;
	size_t count;
	int cpu;          /* in all runs; -1: none, or different ones */
	const char *name; /* NULL: its number among the lines */
};

struct trace {
	struct course *lines; /* by thread */
	size_t nlines;
	double from_s, to_s, least, most;
};

static void add_rate(struct course *l, double s, double ghz, size_t piece)
{
	if (!isfinite(s) || !isfinite(ghz) || !(ghz > 0))
		return;
	l->list = alloc_grow(l->list, l->count, sizeof(*l->list));
	l->list[l->count++] = (struct moment){s, ghz, piece};
}

/* Adds the rates before and after each sample of a thread. */
static void add_job(
	struct course *l, const struct document_run *r, const struct document_job *j, size_t run)
{
	for (size_t i = 0; i < j->nsamples; i++) {
		const struct document_sample *s = &j->samples[i];
		double start = (double)s->start_ns * 1e-9;

		if (s->start_ns <= 0)
			continue;
		add_rate(l, start, s->clock_before_hz * 1e-9, run);
		add_rate(l, start + document_begin_s(r, j, i) + s->busy_s, s->clock_after_hz * 1e-9,
			run);
	}
}

static struct course *add_line(struct trace *t, int cpu, const char *name)
{
	t->lines = alloc_grow(t->lines, t->nlines, sizeof(*t->lines));
	t->lines[t->nlines] = (struct course){.cpu = cpu, .name = name};
	return &t->lines[t->nlines++];
}

static void add_run(struct trace *t, const struct document_run *r, size_t run)
{
	while (t->nlines < r->nthreads)
		add_line(t, r->threads[t->nlines].cpu, NULL);
	for (size_t k = 0; k < r->nthreads; k++)
		if (t->lines[k].cpu != r->threads[k].cpu)
			t->lines[k].cpu = -1;
	for (size_t i = 0; i < r->operations.count; i++)
		for (size_t k = 0; k < r->operations.list[i].njobs && k < t->nlines; k++)
			add_job(&t->lines[k], r, &r->operations.list[i].jobs[k], run);
}

static int by_time(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	return (x->s > y->s) - (x->s < y->s);
}

/* Puts the moments of each line in order. Is there anything to draw? */
static bool arrange(struct trace *t)
{
	t->from_s = t->least = INFINITY;
	t->to_s = -INFINITY;
	for (size_t k = 0; k < t->nlines; k++) {
		struct course *l = &t->lines[k];

		if (l->count)
			qsort(l->list, l->count, sizeof(*l->list), by_time);
		for (size_t i = 0; i < l->count; i++) {
			t->from_s = fmin(t->from_s, l->list[i].s);
			t->to_s = fmax(t->to_s, l->list[i].s);
			t->least = fmin(t->least, l->list[i].ghz);
			t->most = fmax(t->most, l->list[i].ghz);
		}
	}
	return t->to_s > t->from_s && isfinite(t->to_s - t->from_s);
}

static void trace_free(struct trace *t)
{
	for (size_t k = 0; k < t->nlines; k++)
		free(t->lines[k].list);
	free(t->lines);
}

static double top_of(const struct trace *t)
{
	return ceil(t->most / axis_mark(t->most)) * axis_mark(t->most);
}

static void axes(FILE *out, const struct trace *t)
{
	double mark = axis_mark(t->most), top = top_of(t), marks = round(top / mark);

	for (int i = 0; i <= marks; i++) {
		double y = BOTTOM - i * mark / top * (BOTTOM - TOP);

		fprintf(out,
			"<path d='M%g %.1fH%g' style='stroke:var(--rule)' /><text class=head x=%g "
			"y=%.1f>%g</text>",
			LEFT, y, RIGHT, LEFT - 6, y + 4, i * mark);
	}
	draw_times(out, LEFT, RIGHT, BOTTOM + 18, t->to_s - t->from_s, "s");
	fprintf(out, "<text x=%g y=%g>GHz</text>", LEFT - 40, TOP + 4);
}

static double x_of(const struct trace *t, const struct moment *m)
{
	return LEFT + (m->s - t->from_s) / (t->to_s - t->from_s) * (RIGHT - LEFT);
}

static void point(FILE *out, const struct trace *t, const struct moment *m, bool begins)
{
	fprintf(out, "%s%.1f %.1f", begins ? "M" : "L", x_of(t, m),
		BOTTOM - m->ghz / top_of(t) * (BOTTOM - TOP));
}

/* The end of the moments that share a unit of the chart's width with the one at `from`, and the
 * first and last of the two with the least and the most of their rates. */
static size_t unit_of(const struct trace *t, const struct course *l, size_t from,
	const struct moment **first, const struct moment **last)
{
	const struct moment *least = &l->list[from], *most = least;
	size_t i = from + 1;

	for (; i < l->count && floor(x_of(t, &l->list[i])) == floor(x_of(t, least)); i++) {
		least = l->list[i].ghz < least->ghz ? &l->list[i] : least;
		most = l->list[i].ghz > most->ghz ? &l->list[i] : most;
	}
	*first = least < most ? least : most;
	*last = least < most ? most : least;
	return i;
}

/* One path; a gap where another piece begins. Of each unit of the width only the least and the most
 * are drawn, so a page of many samples is small, and no dip is lost. */
static void draw_line(FILE *out, const struct trace *t, size_t k)
{
	const struct course *l = &t->lines[k];
	const struct moment *first, *last = NULL;

	fputs("<path d='", out);
	for (size_t i = 0; i < l->count;) {
		size_t piece = last ? last->piece : 0;
		bool begins = !last;

		i = unit_of(t, l, i, &first, &last);
		begins |= first->piece != piece;
		point(out, t, first, begins);
		if (last != first)
			point(out, t, last, false);
		else if (begins && (i == l->count || l->list[i].piece != last->piece))
			fputs("h1", out); /* a point alone would not show */
	}
	fputs("'", out);
	draw_line_style(out, k);
}

static void draw_trace_legend(FILE *out, const struct trace *t)
{
	fputs("<p class=legend>", out);
	for (size_t k = 0; k < t->nlines; k++) {
		const struct course *l = &t->lines[k];

		fputs("<span>", out);
		draw_line_sample(out, k);
		if (l->name)
			html_text(out, l->name);
		else
			fprintf(out, "thread %zu", k);
		if (l->cpu >= 0)
			fprintf(out, " (CPU %d)", l->cpu);
		fputs("</span>", out);
	}
	fputs("</p>\n", out);
}

static void chart(FILE *out, const struct trace *t)
{
	draw_trace_legend(out, t);
	fputs("<div class=scroll><svg class=chart role=img viewBox='0 0 660 230' "
	      "style='width:660px'><title>The clock rate of each thread's core before and after "
	      "each sample</title>",
		out);
	axes(out, t);
	for (size_t k = 0; k < t->nlines; k++)
		draw_line(out, t, k);
	fputs("</svg></div>\n", out);
}

void page_clock(const struct document *d, FILE *out)
{
	struct trace t = {0};

	for (size_t i = 0; i < d->nruns; i++)
		if (!d->runs[i].skipped)
			add_run(&t, &d->runs[i], i);
	if (arrange(&t)) {
		char least[16], most[16];

		snprintf(least, sizeof(least), "%.3g", t.least);
		snprintf(most, sizeof(most), "%.3g", t.most);
		const bool same = !strcmp(least, most);
		char *summary = alloc_format("Clock rates over time: %s%s%s GHz", least,
			same ? "" : " to ", same ? "" : most);

		html_folded_begin(out, summary);
		chart(out, &t);
		html_folded_end(out);
		free(summary);
	}
	trace_free(&t);
}

/* A column of the table; a cell without a rate breaks its line. */
static void add_column(struct trace *t, const struct document_table *m, size_t column)
{
	struct course *l = add_line(t, -1, m->columns.list[column]);
	size_t piece = 0;

	for (size_t i = 0; i < m->rows.count; i++) {
		size_t cell = i * m->columns.count + column;

		piece += !isfinite(m->cells[cell].value);
		add_rate(l, m->places[cell], m->cells[cell].value, piece);
	}
}

bool page_trace(const struct document_table *m, FILE *out)
{
	struct trace t = {0};

	if (!m->places || m->rows_are != AXIS_TIME || m->id != QUANTITY_CLOCK_RATE)
		return false;
	for (size_t k = 0; k < m->columns.count; k++)
		add_column(&t, m, k);
	bool drawn = arrange(&t);

	if (drawn)
		chart(out, &t);
	trace_free(&t);
	return drawn;
}
