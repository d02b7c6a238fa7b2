/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws when each thread worked in a sample, and on which node: a Gantt chart. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "affinity-report/drawings/cpu_nodes.h"
#include "affinity-report/drawings/draw.h"
#include "affinity-report/drawings/drawings.h"

/* The chart in its units. */
#define LEFT  150.0
#define RIGHT 640.0
#define ROW   18.0

static double end_of(const struct document_run *r, const struct document_job *j, size_t sample)
{
	return document_begin_s(r, j, sample) + j->samples[sample].busy_s;
}

/* Seconds from the common start to the end of the last thread. */
static double length_of(
	const struct document_run *r, const struct document_operation *o, size_t sample)
{
	double last = 0;

	for (size_t k = 0; k < o->njobs; k++)
		last = fmax(last, end_of(r, &o->jobs[k], sample));
	return last;
}

struct choice {
	double length;
	size_t sample;
};

static int by_length(const void *a, const void *b)
{
	const struct choice *x = a, *y = b;

	return (x->length > y->length) - (x->length < y->length);
}

/* How many samples count that all threads have; *middle: the one of middle length. */
static size_t choose_sample(
	const struct document_run *r, const struct document_operation *o, size_t *middle)
{
	size_t count = o->jobs[0].nsamples, n = 0;

	for (size_t k = 1; k < o->njobs; k++)
		count = o->jobs[k].nsamples < count ? o->jobs[k].nsamples : count;
	struct choice *list = alloc_zeroed(count + 1, sizeof(*list));

	for (size_t i = 0; i < count; i++)
		if (!o->jobs[0].samples[i].warmup)
			list[n++] = (struct choice){length_of(r, o, i), i};
	qsort(list, n, sizeof(*list), by_length);
	*middle = n ? list[(n - 1) / 2].sample : 0;
	free(list);
	return n;
}

/* The node where the thread began; -1: not known. */
static int node_of(const struct cpu_nodes *n, const struct document_thread *t, int cpu)
{
	const struct cpu_place *place = cpu_nodes_find(n, cpu);

	return t->node >= 0 ? t->node : place ? place->node : -1;
}

static const char *node_colour(int node)
{
	return node < 0 ? "var(--faint)" : draw_colour((size_t)node);
}

static void bar(FILE *out, const struct document_sample *s, double begin_s, double per_s, double y,
	const char *colour)
{
	html(out, "<rect x=%.1f y=%.1f width=%.1f height=%.1f fill='%s'><title>%.4g to %.4g s",
		LEFT + begin_s * per_s, y + 3, fmax(s->busy_s * per_s, 0.5), ROW - 6, colour,
		begin_s, begin_s + s->busy_s);
	if (s->cpu_after != s->cpu_before)
		fprintf(out, ", from CPU %d to CPU %d", s->cpu_before, s->cpu_after);
	fputs("</title></rect>", out);
}

static void axis(FILE *out, double length, double bottom)
{
	for (int i = 0; i <= 4; i++)
		fprintf(out, "<path d='M%.1f 0V%.1f' style='stroke:var(--rule)' />",
			LEFT + i * (RIGHT - LEFT) / 4, bottom);
	draw_times(out, LEFT, RIGHT, bottom + 14, length * 1e3, "ms");
}

/* Is there a sample that can be drawn? */
static bool drawable(const struct document_run *r, const struct document_operation *o)
{
	size_t sample;

	return o->njobs && choose_sample(r, o, &sample) && length_of(r, o, sample) > 0;
}

static void chart(const struct cpu_nodes *n, const struct document_run *r,
	const struct document_operation *o, FILE *out)
{
	size_t sample, count = choose_sample(r, o, &sample);
	double length = length_of(r, o, sample), bottom = ROW * (double)o->njobs;

	html(out,
		"<p>%s, the sample of middle length of %zu:</p>\n<div class=scroll><svg "
		"class=chart role=img viewBox='0 0 660 %.0f' style='width:660px'><title>When each "
		"thread worked</title>",
		o->name, count, bottom + 20);
	axis(out, length, bottom);
	for (size_t k = 0; k < o->njobs && k < r->nthreads; k++) {
		int cpu = o->jobs[k].samples[sample].cpu_before;
		double y = ROW * (double)k;

		fprintf(out, "<text class=head x=%g y=%.1f>t%zu, CPU %d</text>", LEFT - 8, y + 13,
			k, cpu);
		bar(out, &o->jobs[k].samples[sample], document_begin_s(r, &o->jobs[k], sample),
			(RIGHT - LEFT) / length, y, node_colour(node_of(n, &r->threads[k], cpu)));
	}
	fputs("</svg></div>\n", out);
}

/* The nodes where threads worked, in their colours. */
static void draw_nodes_legend(const struct cpu_nodes *n, const struct document_run *r, FILE *out)
{
	int shown = -1;

	fputs("<p class=legend>", out);
	for (;;) {
		int next = INT32_MAX;

		for (size_t i = 0; i < n->count; i++)
			if (n->list[i].node > shown && n->list[i].node < next)
				next = n->list[i].node;
		for (size_t k = 0; k < r->nthreads; k++)
			if (r->threads[k].node > shown && r->threads[k].node < next)
				next = r->threads[k].node;
		if (next == INT32_MAX)
			break;
		fprintf(out, "<span><i style='background:%s'></i>node %d</span>", node_colour(next),
			next);
		shown = next;
	}
	fputs("</p>\n", out);
}

void page_work(const struct document *d, const struct document_run *r, bool open, FILE *out)
{
	struct cpu_nodes nodes;
	bool any = false;

	for (size_t i = 0; i < r->operations.count; i++)
		any |= drawable(r, &r->operations.list[i]);
	if (r->nthreads < 2 || !any)
		return;
	cpu_nodes_read(&nodes, d);
	html_foldable_begin(out, "When each thread worked", open);
	draw_nodes_legend(&nodes, r, out);
	for (size_t i = 0; i < r->operations.count; i++)
		if (drawable(r, &r->operations.list[i]))
			chart(&nodes, r, &r->operations.list[i], out);
	html_folded_end(out);
	cpu_nodes_free(&nodes);
}
