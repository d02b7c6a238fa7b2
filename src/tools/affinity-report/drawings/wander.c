/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws on which CPUs and nodes threads that were not bound ran, over the time of a run. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "affinity-report/drawings/cpu_nodes.h"
#include "affinity-report/drawings/draw.h"
#include "affinity-report/drawings/drawings.h"

/* The field of the chart in its units; its height depends on the CPUs. */
#define LEFT  80.0
#define RIGHT 640.0
#define TOP   10.0

struct stay {
	double s; /* from when on */
	const struct cpu_place *place;
};

struct way {
	struct stay *list;
	size_t count, jumps; /* to other nodes */
};

struct ways {
	struct cpu_nodes nodes;
	struct way *list; /* [nthreads] */
	size_t nthreads, jumps;
	double from_s, to_s;
};

struct reading {
	double s;
	int cpu;
};

static int by_time(const void *a, const void *b)
{
	const struct reading *x = a, *y = b;

	return (x->s > y->s) - (x->s < y->s);
}

/* Where a thread was at the beginning and end of each sample, in the order of time; to be freed. */
static struct reading *readings_of(const struct document_run *r, size_t thread, size_t *count)
{
	struct reading *list = NULL;

	*count = 0;
	for (size_t i = 0; i < r->operations.count; i++) {
		const struct document_operation *o = &r->operations.list[i];
		const struct document_job *j = thread < o->njobs ? &o->jobs[thread] : NULL;

		for (size_t k = 0; j && k < j->nsamples; k++) {
			const struct document_sample *s = &j->samples[k];
			double begin = (double)s->start_ns * 1e-9 + document_begin_s(r, j, k);

			list = alloc_grow(list, *count, sizeof(*list));
			list[(*count)++] = (struct reading){begin, s->cpu_before};
			list = alloc_grow(list, *count, sizeof(*list));
			list[(*count)++] = (struct reading){begin + s->busy_s, s->cpu_after};
		}
	}
	if (*count)
		qsort(list, *count, sizeof(*list), by_time);
	return list;
}

/* Only what differs from the reading before is kept. */
static void follow(struct ways *w, const struct document_run *r, size_t thread)
{
	struct way *way = &w->list[thread];
	size_t count;
	struct reading *list = readings_of(r, thread, &count);

	for (size_t i = 0; i < count; i++) {
		const struct cpu_place *at = cpu_nodes_find(&w->nodes, list[i].cpu);
		const struct cpu_place *before =
			way->count ? way->list[way->count - 1].place : NULL;

		w->from_s = fmin(w->from_s, list[i].s);
		w->to_s = fmax(w->to_s, list[i].s);
		if (!at || at == before)
			continue;
		way->jumps += before && before->node != at->node;
		way->list = alloc_grow(way->list, way->count, sizeof(*way->list));
		way->list[way->count++] = (struct stay){list[i].s, at};
	}
	w->jumps += way->jumps;
	free(list);
}

static void read_ways(struct ways *w, const struct document *d, const struct document_run *r)
{
	*w = (struct ways){.list = alloc_zeroed(r->nthreads + 1, sizeof(*w->list)),
		.nthreads = r->nthreads,
		.from_s = INFINITY,
		.to_s = -INFINITY};
	cpu_nodes_read(&w->nodes, d);
	for (size_t k = 0; k < r->nthreads; k++)
		if (r->threads[k].cpu < 0)
			follow(w, r, k);
}

static void free_ways(struct ways *w)
{
	for (size_t k = 0; k < w->nthreads; k++)
		free(w->list[k].list);
	free(w->list);
	cpu_nodes_free(&w->nodes);
}

static double height_of(const struct ways *w)
{
	return fmin(fmax((double)w->nodes.count * 12, 60), 480);
}

/* Threads on one CPU lie side by side, not on each other. */
static double y_of(const struct ways *w, const struct cpu_place *place, size_t thread)
{
	size_t rank = (size_t)(place - w->nodes.list);
	double within = ((double)thread + 0.5) / (double)w->nthreads;

	return TOP + ((double)rank + 0.2 + 0.6 * within) / (double)w->nodes.count * height_of(w);
}

/* A line above each node. */
static void bands(FILE *out, const struct ways *w)
{
	double each = height_of(w) / (double)w->nodes.count;

	for (size_t i = 0; i < w->nodes.count; i++) {
		double y = TOP + (double)i * each;

		if (i && w->nodes.list[i].node == w->nodes.list[i - 1].node)
			continue;
		fprintf(out,
			"<path d='M%g %.1fH%g' style='stroke:var(--rule)' /><text class=head x=%g "
			"y=%.1f>node %d</text>",
			LEFT, y, RIGHT, LEFT - 8, y + 13, w->nodes.list[i].node);
	}
}

static void draw_way(FILE *out, const struct ways *w, size_t thread)
{
	const struct way *way = &w->list[thread];
	double per_s = (RIGHT - LEFT) / (w->to_s - w->from_s);

	if (!way->count)
		return;
	fputs("<path d='", out);
	for (size_t i = 0; i < way->count; i++)
		fprintf(out, i ? "H%.1fV%.1f" : "M%.1f %.1f",
			LEFT + (way->list[i].s - w->from_s) * per_s,
			y_of(w, way->list[i].place, thread));
	fprintf(out, "H%g'", RIGHT);
	draw_line_style(out, thread);
}

static void draw_wander_legend(FILE *out, const struct ways *w)
{
	fputs("<p class=legend>", out);
	for (size_t k = 0; k < w->nthreads; k++) {
		if (!w->list[k].count)
			continue;
		fputs("<span>", out);
		draw_line_sample(out, k);
		fprintf(out, "t%zu, %zu jump%s</span>", k, w->list[k].jumps,
			w->list[k].jumps == 1 ? "" : "s");
	}
	fputs("</p>\n", out);
}

static void draw(FILE *out, const struct ways *w, bool open)
{
	double bottom = TOP + height_of(w);
	char *summary = alloc_format("Where threads ran that were not bound: %zu jump%s between "
				     "nodes, from one end of a sample to the next, in all "
				     "operations, warm-up included",
		w->jumps, w->jumps == 1 ? "" : "s");

	html_foldable_begin(out, summary, open);
	draw_wander_legend(out, w);
	fprintf(out,
		"<div class=scroll><svg class=chart role=img viewBox='0 0 660 %.0f' "
		"style='width:660px'><title>The CPU of each thread, by node</title>",
		bottom + 24);
	bands(out, w);
	for (size_t k = 0; k < w->nthreads; k++)
		draw_way(out, w, k);
	draw_times(out, LEFT, RIGHT, bottom + 16, w->to_s - w->from_s, "s");
	fputs("</svg></div>\n", out);
	html_folded_end(out);
	free(summary);
}

void page_wander(const struct document *d, const struct document_run *r, bool open, FILE *out)
{
	struct ways w;

	read_ways(&w, d, r);
	if (w.nodes.count && w.to_s > w.from_s)
		draw(out, &w, open);
	free_ways(&w);
}
