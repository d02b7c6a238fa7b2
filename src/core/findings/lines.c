/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What lines between CPUs, the reach of the TLB and huge pages mean. */
#include <string.h>

#include "base/text.h"
#include "document/quality.h"
#include "machine/translations.h"
#include "findings/findings.h"
#include "input/registry.h"

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

		if (!k || !k->meetings.hands_over || r->threads[0].cpu < 0 || r->threads[1].cpu < 0)
			continue;
		const struct way one = {r->threads[0].cpu, r->threads[1].cpu,
			document_figure(r, o, 1, DOCUMENT_NS_PER_UNIT)};

		if (one.ns.amount.value > 0 && !one.ns.trust.of.again)
			add_way(w, one);
	}
}

static void add_ways(const struct document *d, struct finding_list *to)
{
	struct ways w = {.count = 0};

	for (size_t i = 0; i < d->nruns; i++)
		if (!d->runs[i].skipped && d->runs[i].nthreads == 2)
			read_run(&w, &d->runs[i]);
	if (!w.count)
		return;
	struct finding *f = findings_add(to, FINDING_LINE);

	f->trust = document_word_of_figures(
		d, trust_worse(&w.nearest.ns.trust, &w.farthest.ns.trust).word);
	finding_figure(f, "near", w.nearest.ns.amount, "ns");
	finding_text(f, "near_from", "%d", w.nearest.from);
	finding_text(f, "near_to", "%d", w.nearest.to);
	if (w.count < 2)
		return;
	finding_text(f, "pairs", "%zu", w.count);
	finding_figure(f, "times", amount_ratio(w.farthest.ns.amount, w.nearest.ns.amount), "");
	finding_figure(f, "far", w.farthest.ns.amount, "ns");
	finding_text(f, "far_from", "%d", w.farthest.from);
	finding_text(f, "far_to", "%d", w.farthest.to);
}

static void add_size(struct finding *f, const char *name, double bytes)
{
	char size[32];

	if (bytes > 0)
		finding_text(f, name, "%s", text_size((uint64_t)bytes, size, sizeof(size)));
}

static void add_reach(const struct document *d, struct finding_list *to)
{
	static const struct {
		enum mem_pages pages;
		const char *name;
	} kinds[] = {{PAGES_BASE, "base pages"}, {PAGES_4K, "pages of 4 KiB"},
		{PAGES_THP, "transparent huge pages"}, {PAGES_2M, "pages of 2 MiB"}};
	struct translations t;

	translations_begin(&t);
	translations_add(&t, d);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		const double *bytes = t.bytes[kinds[i].pages];

		if (!(bytes[0] > 0))
			continue;
		struct finding *f = findings_add(to, FINDING_REACH);

		f->trust = document_word_of_figures(d, document_quality_of(d).word);
		finding_text(f, "pages", "%s", kinds[i].name);
		add_size(f, "first", bytes[0]);
		add_size(f, "second", bytes[1]);
	}
}

/* Of the first thread in the first operation. */
static struct document_figure time_of_unit(const struct document_run *r)
{
	return document_figure(r, &r->operations.list[0], 0, DOCUMENT_NS_PER_UNIT);
}

/* Is it of a thread alone that visits one vector on pages of this name at random? */
static bool is_random_on(const struct document_run *r, const char *pages)
{
	if (r->skipped || r->nthreads != 1 || r->nvectors != 1 || !r->operations.count ||
		!r->vectors[0].asked_pages || strcmp(r->vectors[0].asked_pages, pages) != 0)
		return false;
	const struct document_operation *o = &r->operations.list[0];
	const struct document_figure ns = time_of_unit(r);

	return !ns.trust.of.again && o->njobs == 1 && !strcmp(o->jobs[0].order, "random") &&
	       ns.amount.value > 0;
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
static void add_pages(const struct document *d, struct finding_list *to)
{
	const struct document_run *runs = d->runs, *small = NULL, *huge = NULL;

	for (size_t i = 0; i < d->nruns; i++)
		for (size_t k = 0; is_random_on(&runs[i], "base") && k < d->nruns; k++)
			if (is_random_on(&runs[k], "thp") &&
				is_same_but_pages(&runs[i], &runs[k]) &&
				(!small || runs[i].vectors[0].bytes > small->vectors[0].bytes)) {
				small = &runs[i];
				huge = &runs[k];
			}
	if (!small)
		return;
	const struct document_job *job = &small->operations.list[0].jobs[0];
	const struct document_figure ns = time_of_unit(small), on_huge = time_of_unit(huge);
	struct finding *f = findings_add(to, FINDING_HUGE_PAGES);

	f->trust = document_word_of_figures(d, trust_worse(&ns.trust, &on_huge.trust).word);
	finding_text(f, "kernel", "%s", job->kernel);
	finding_text(f, "unit", "%s", job->unit);
	add_size(f, "size", (double)small->vectors[0].bytes);
	finding_figure(f, "small", ns.amount, "ns");
	finding_figure(f, "huge", on_huge.amount, "ns");
	finding_figure(f, "times", amount_ratio(on_huge.amount, ns.amount), "");
}

void findings_lines(const struct document *d, struct finding_list *to)
{
	add_ways(d, to);
	add_reach(d, to);
	add_pages(d, to);
}
