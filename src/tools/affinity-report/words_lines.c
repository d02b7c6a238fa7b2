/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What lines between CPUs, the reach of the TLB and huge pages mean on this machine, in sentences
 * that name their figures. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "document/figure.h"
#include "document/translations.h"
#include "input/registry.h"
#include "affinity-report/html.h"
#include "affinity-report/page.h"

/* The way of a line between two CPUs. */
struct way {
	int from, to;
	struct document_figure ns;
};

struct ways {
	struct way nearest, farthest;
	size_t count;
};

static void add_way(struct ways *w, struct way one)
{
	if (!w->count || one.ns.amount.value < w->nearest.ns.amount.value)
		w->nearest = one;
	if (!w->count || one.ns.amount.value > w->farthest.ns.amount.value)
		w->farthest = one;
	w->count++;
}

/* Of a kernel that hands lines from one of two threads to the other. */
static void read_run(struct ways *w, const struct document_run *r)
{
	for (size_t i = 0; i < r->operations.count; i++) {
		const struct document_operation *o = &r->operations.list[i];
		const struct kernel *k = o->njobs == 2 && o->jobs[0].kernel
						 ? registry_find(o->jobs[0].kernel)
						 : NULL;

		if (!k || !k->hands_over || r->threads[0].cpu < 0 || r->threads[1].cpu < 0)
			continue;
		const struct way one = {r->threads[0].cpu, r->threads[1].cpu,
			document_figure(r, o, 1, DOCUMENT_NS_PER_UNIT)};

		if (one.ns.amount.value > 0 && !one.ns.trust.of.again)
			add_way(w, one);
	}
}

/* A list that begins with its first sentence. */
struct list {
	FILE *out;
	bool begun;
};

static FILE *begin(struct list *l)
{
	if (!l->begun)
		fputs("<p>What was measured of lines and of the TLB, in words:</p>\n"
		      "<ul class=words>\n",
			l->out);
	l->begun = true;
	fputs("<li>", l->out);
	return l->out;
}

static void say_ways(struct list *l, const struct stored_document *d)
{
	struct ways w = {.count = 0};

	for (size_t i = 0; i < d->document.nruns; i++)
		if (!d->document.runs[i].skipped && d->document.runs[i].nthreads == 2)
			read_run(&w, &d->document.runs[i]);
	if (!w.count)
		return;
	FILE *out = begin(l);

	html(out, "A line that one CPU changes takes %p from CPU %d to CPU %d",
		HTML_FIGURE(w.nearest.ns.amount, "ns"), w.nearest.from, w.nearest.to);
	if (w.count > 1)
		html(out,
			", the nearest of %zu pairs, and %p times as long, %p, from CPU %d to CPU "
			"%d, the farthest",
			w.count,
			HTML_FIGURE(amount_ratio(w.farthest.ns.amount, w.nearest.ns.amount), ""),
			HTML_FIGURE(w.farthest.ns.amount, "ns"), w.farthest.from, w.farthest.to);
	page_words_source(d, trust_worse(&w.nearest.ns.trust, &w.farthest.ns.trust).word, out);
}

static void say_reach(struct list *l, const struct stored_document *d)
{
	static const struct {
		enum mem_pages pages;
		const char *name;
	} kinds[] = {{PAGES_BASE, "base pages"}, {PAGES_4K, "pages of 4 KiB"},
		{PAGES_THP, "transparent huge pages"}, {PAGES_2M, "pages of 2 MiB"}};
	struct translations t;
	char size[32];

	translations_begin(&t);
	translations_add(&t, &d->document);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		const double *bytes = t.bytes[kinds[i].pages];

		if (!(bytes[0] > 0))
			continue;
		FILE *out = begin(l);

		fprintf(out, "Random accesses to more than %s on %s miss the first TLB",
			text_size((uint64_t)bytes[0], size, sizeof(size)), kinds[i].name);
		if (bytes[1] > 0)
			fprintf(out, ", to more than %s the second one, too",
				text_size((uint64_t)bytes[1], size, sizeof(size)));
		page_words_source(d, document_quality_of(&d->document).word, out);
	}
}

/* Of the first thread in the first operation. */
static struct document_figure time_of_unit(const struct document_run *r)
{
	return document_figure(r, &r->operations.list[0], 0, DOCUMENT_NS_PER_UNIT);
}

/* A thread alone that visits one vector on pages of this name at random, or NULL. */
static const struct document_operation *random_on_pages(
	const struct document_run *r, const char *pages)
{
	if (r->skipped || r->nthreads != 1 || r->nvectors != 1 || !r->operations.count ||
		!r->vectors[0].asked_pages || strcmp(r->vectors[0].asked_pages, pages) != 0)
		return NULL;
	const struct document_operation *o = &r->operations.list[0];
	const struct document_figure ns = time_of_unit(r);

	return !ns.trust.of.again && o->njobs == 1 && !strcmp(o->jobs[0].order, "random") &&
			       ns.amount.value > 0
		       ? o
		       : NULL;
}

/* Of the same kernel, on as large a vector in the same place? */
static bool is_same_but_pages(const struct document_run *a, const struct document_run *b)
{
	return a->vectors[0].bytes == b->vectors[0].bytes &&
	       a->vectors[0].only_node == b->vectors[0].only_node &&
	       a->threads[0].node == b->threads[0].node &&
	       !strcmp(a->operations.list[0].jobs[0].kernel, b->operations.list[0].jobs[0].kernel);
}

/* Of the largest vector that was measured on both. */
static void say_pages(struct list *l, const struct stored_document *d)
{
	const struct document_run *runs = d->document.runs, *small = NULL, *huge = NULL;
	char size[32];

	for (size_t i = 0; i < d->document.nruns; i++)
		for (size_t k = 0; random_on_pages(&runs[i], "base") && k < d->document.nruns; k++)
			if (random_on_pages(&runs[k], "thp") &&
				is_same_but_pages(&runs[i], &runs[k]) &&
				(!small || runs[i].vectors[0].bytes > small->vectors[0].bytes)) {
				small = &runs[i];
				huge = &runs[k];
			}
	if (!small)
		return;
	const struct document_job *job = &small->operations.list[0].jobs[0];
	const struct document_figure ns = time_of_unit(small), on_huge = time_of_unit(huge);
	FILE *out = begin(l);

	html(out,
		"In random order %s takes %p for each %s of %s on base pages, and %p times as "
		"long, %p, on transparent huge pages",
		job->kernel, HTML_FIGURE(ns.amount, "ns"), job->unit,
		text_size((uint64_t)small->vectors[0].bytes, size, sizeof(size)),
		HTML_FIGURE(amount_ratio(on_huge.amount, ns.amount), ""),
		HTML_FIGURE(on_huge.amount, "ns"));
	page_words_source(d, trust_worse(&ns.trust, &on_huge.trust).word, out);
}

void page_words_lines(const struct page *p, FILE *out)
{
	struct list l = {out, false};

	for (size_t i = 0; i < p->results->ndocuments && p->results->machines.count < 2; i++) {
		const struct stored_document *d = &p->results->documents[i];

		if (document_simulated(&d->document))
			continue;
		say_ways(&l, d);
		say_reach(&l, d);
		say_pages(&l, d);
	}
	if (l.begun)
		fputs("</ul>\n", out);
}
