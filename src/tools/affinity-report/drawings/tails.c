/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws which share of single events takes longer than a time: both axes logarithmic, because a
 * tail is seen there and nowhere else. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "input/registry.h"
#include "affinity-report/drawings/draw.h"
#include "affinity-report/drawings/drawings.h"
#include "affinity-report/figures/grids.h"

/* The field of the chart in its units. */
#define LEFT   60.0
#define RIGHT  640.0
#define TOP    10.0
#define BOTTOM 270.0

/* Powers of ten at its ends. */
struct field {
	double from, to, least;
};

static double x_of(const struct field *f, double ns)
{
	const double x = fmax(log10(fmax(ns, 1e-3)), f->from);

	return LEFT + (x - f->from) / (f->to - f->from) * (RIGHT - LEFT);
}

static double y_of(const struct field *f, double share)
{
	return TOP + log10(share) / f->least * (BOTTOM - TOP);
}

static const struct tails *tails_at(const struct document_run *r, size_t op, size_t thread)
{
	const struct tails *t = r->operations.list[op].jobs[thread].tails;

	return t && t->kept.n > t->kept.clamped ? t : NULL;
}

/* What is below t->least is not told from nothing. */
static void widen(struct field *f, const struct tails *t)
{
	struct histogram all = tails_merged(t);

	f->from = fmin(f->from, floor(log10(fmax(tails_ns(t, all.least), t->least))));
	f->to = fmax(f->to, ceil(log10(fmax(tails_ns(t, all.most), t->least))));
	f->least = fmin(f->least, -ceil(log10((double)all.n)));
	histogram_free(&all);
}

static void decades(FILE *out, const struct field *f)
{
	for (double d = f->from; d <= f->to; d++) {
		const double x = x_of(f, pow(10, d));

		fprintf(out,
			"<path d='M%.1f %gV%g' style='fill:none;stroke:var(--rule)' />"
			"<text x=%.1f y=%g style='text-anchor:middle'>%g%s</text>",
			x, TOP, BOTTOM, x, BOTTOM + 16,
			pow(10, d < 3   ? d
				: d < 6 ? d - 3
					: d - 6),
			d < 3   ? " ns"
			: d < 6 ? " us"
				: " ms");
	}
	for (double d = f->least; d <= 0; d++)
		fprintf(out,
			"<path d='M%g %.1fH%g' style='fill:none;stroke:var(--rule)' />"
			"<text x=%g y=%.1f style='text-anchor:end'>%g %%</text>",
			LEFT, y_of(f, pow(10, d)), RIGHT, LEFT - 4, y_of(f, pow(10, d)) + 4,
			pow(10, d + 2));
}

static void curve(FILE *out, const struct field *f, const struct tails *t, size_t line)
{
	struct histogram all = tails_merged(t);
	double above = (double)all.n;

	fprintf(out, "<path d='M%g %g", LEFT, TOP);
	for (size_t i = 0; i < all.count; i++) {
		fprintf(out, "H%.1f", x_of(f, tails_ns(t, events_lowest(all.buckets[i].bucket))));
		above -= (double)all.buckets[i].count;
		fprintf(out, "V%.1f", above > 0 ? y_of(f, above / (double)all.n) : BOTTOM);
	}
	fputs("'", out);
	draw_line_style(out, line);
	histogram_free(&all);
}

/* Of nanoseconds, on either side: a document with others was not written by affinity. */
#define MOST_DECADES 12

/* Lines that colours and dashes tell apart; more are not drawn. */
#define MOST (4 * DRAW_COLOURS)

/* A distribution and what it is of. */
struct tail_line {
	const struct document_run *run;
	size_t op, thread;
	const struct tails *tails;
};

static size_t find_lines(const struct document *d, struct tail_line lines[MOST])
{
	size_t n = 0;

	for (size_t i = 0; i < d->nruns; i++)
		for (size_t op = 0; op < d->runs[i].operations.count; op++)
			for (size_t k = 0; k < d->runs[i].operations.list[op].njobs; k++) {
				const struct tails *t = tails_at(&d->runs[i], op, k);

				if (t && n < MOST)
					lines[n] = (struct tail_line){&d->runs[i], op, k, t};
				n += t != NULL;
			}
	return n;
}

static void draw_tails_legend(FILE *out, const struct tail_line *lines, size_t n, size_t all)
{
	fputs("<p class=legend>", out);
	for (size_t i = 0; i < n; i++) {
		const struct tail_line *l = &lines[i];

		fputs("<span>", out);
		draw_line_sample(out, i);
		html(out, "%s%s%s, t%zu: %g events (%s)</span>", l->run->label,
			*l->run->label ? ": " : "", l->run->operations.list[l->op].name, l->thread,
			l->tails->kept.n, l->tails->event);
	}
	if (n < all)
		html(out, "<span>and %zu more, which are not drawn</span>", all - n);
	fputs("</p>\n", out);
}

static const struct document_job *job_of(const struct tail_line *l)
{
	return &l->run->operations.list[l->op].jobs[l->thread];
}

static bool is_far(const struct tail_line *l)
{
	const struct document_thread *t = &l->run->threads[l->thread];
	const int node = t->nvectors ? l->run->vectors[t->vectors[0]].only_node : -1;

	return node >= 0 && t->node >= 0 && node != t->node;
}

/* "L3", "far memory, base pages": where its events go, at its median. */
static void draw_step(FILE *out, const struct field *f, const struct tail_line *l, size_t line)
{
	const struct document_thread *t = &l->run->threads[l->thread];
	const double median = l->tails->kept.figures[TAIL_P50].ns.value;
	const char *held = job_of(l)->held, *of = strstr(held, " of ");
	const size_t comma = strcspn(held, ",");
	const char *pages = t->nvectors ? l->run->vectors[t->vectors[0]].asked_pages : "system";
	const size_t length = of && (size_t)(of - held) < comma ? (size_t)(of - held) : comma;
	const bool asked = strcmp(pages, "system") != 0;

	if (!length || !isfinite(median))
		return;
	html(out, "<text x=%.1f y=%.1f>%s%.*s%s%s%s</text>", x_of(f, median) + 4,
		y_of(f, 0.5) - 2 + 14 * (double)(line % 8), is_far(l) ? "far " : "", (int)length,
		held, asked ? ", " : "", asked ? pages : "", asked ? " pages" : "");
}

/* Is an event what the mean is of? Not where others overlap it, or it has several units. */
static bool is_unit(const struct tail_line *l)
{
	const struct kernel *k = registry_find(job_of(l)->kernel);

	return k && k->events && !k->events->alone && k->events->units == 1;
}

static struct document_figure percentile_of_line(const struct tail_line *l, int part)
{
	struct trust_samples of =
		document_trust_samples(l->run, &l->run->operations.list[l->op], (int)l->thread);
	const struct amount a = tails_percentile(&l->tails->kept, part);

	of.lost = tails_lost(l->tails);
	return (struct document_figure){a, trust_of(&of, a)};
}

/* Percentiles beside the mean, which hides them. */
static void show_figures(FILE *out, const struct tail_line *lines, size_t n)
{
	struct grid g = {.corner = alloc_format("%s", ""), .unit = "ns"};
	bool any = false;

	for (int i = 0; i < TAIL_PARTS; i++)
		grid_column(&g, "%s", tail_names[i].name);
	for (size_t i = 0; i < n; i++)
		any |= is_unit(&lines[i]);
	if (any)
		grid_column(&g, "mean of a unit");
	for (size_t i = 0; i < n; i++) {
		const struct tail_line *l = &lines[i];
		const struct document_operation *o = &l->run->operations.list[l->op];

		grid_row(&g, "%s%s%s, t%zu", l->run->label, *l->run->label ? ": " : "", o->name,
			l->thread);
		if (is_unit(l))
			grids_put(&g, TAIL_PARTS,
				document_figure(l->run, o, (int)l->thread, DOCUMENT_NS_PER_UNIT));
		for (int k = 0; k < TAIL_PARTS; k++)
			grids_put(&g, (size_t)k, percentile_of_line(l, k));
	}
	html_grid(out, &g);
	grid_free(&g);
}

#define TITLE                                                                                      \
	"Which share of single events takes longer than a time, without blocks in which a thread " \
	"lost its CPU"

static bool saw_interrupts(const struct tail_line *lines, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!(lines[i].tails->interrupts > 0))
			return false;
	return true;
}

void page_tails(const struct document *d, FILE *out)
{
	struct field f = {INFINITY, -INFINITY, -1};
	struct tail_line lines[MOST];
	const size_t all = find_lines(d, lines), n = all < MOST ? all : MOST;

	if (!n)
		return;
	for (size_t i = 0; i < n; i++)
		widen(&f, lines[i].tails);
	f.to = fmax(f.to, f.from + 1);
	if (!(f.from >= -MOST_DECADES && f.to <= MOST_DECADES))
		return;
	html_folded_begin(out, saw_interrupts(lines, n) ? TITLE ", and without interrupts that its "
								"CPU saw"
							: TITLE);
	draw_tails_legend(out, lines, n, all);
	fprintf(out,
		"<div class=scroll><svg class=chart role=img viewBox='0 0 660 %g' "
		"style='width:660px'><title>The share of events above each time</title>",
		BOTTOM + 24);
	decades(out, &f);
	for (size_t i = 0; i < n; i++)
		curve(out, &f, lines[i].tails, i);
	for (size_t i = 0; i < n; i++)
		draw_step(out, &f, &lines[i], i);
	fputs("</svg></div>\n", out);
	show_figures(out, lines, n);
	html_folded_end(out);
}
