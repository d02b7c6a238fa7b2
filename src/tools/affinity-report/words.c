/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What nodes, paths and numbers of threads mean on this machine, in sentences that name their
 * figures. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/text.h"
#include "document/node_figures.h"
#include "affinity-report/html.h"
#include "affinity-report/page.h"

/* Threads that reach this part of the highest rate saturate a memory. */
#define SATURATED 0.9

/* What a run says of a pair of nodes. */
struct reading {
	const struct stored_document *from;
	struct topo_memattr figure;
	struct document_figure found; /* the same: ns, or bytes per second */
	size_t threads;
};

struct readings {
	struct reading *list;
	size_t count;
};

/* The figures of a run are those of a document that has no other. */
static void read_run(struct readings *all, const struct stored_document *from, size_t run)
{
	struct document one = from->document;
	struct node_figures found = {.force = true}; /* it is shown with its mark */
	struct errors own = {0};

	one.runs = &from->document.runs[run];
	one.nruns = 1;
	if (!node_figures_add(&found, &one, &own))
		for (size_t i = 0; i < found.count; i++) {
			all->list = alloc_grow(all->list, all->count, sizeof(*all->list));
			all->list[all->count++] = (struct reading){
				from, found.figures[i], found.found[i], one.runs->nthreads};
		}
	node_figures_free(&found);
	errors_free(&own);
}

/* What must be measured again is no better than anything else. */
static bool is_better(const struct reading *a, const struct reading *b)
{
	if (a->found.trust.of.again != b->found.trust.of.again)
		return b->found.trust.of.again;
	return a->figure.attribute == MEMATTR_READ_LATENCY ? a->figure.value < b->figure.value
							   : a->figure.value > b->figure.value;
}

/* The best reading of a pair in the document of `like`; NULL: none. */
static const struct reading *best_of(
	const struct readings *all, const struct reading *like, int initiator, int target)
{
	const struct reading *best = NULL;

	for (size_t i = 0; i < all->count; i++) {
		const struct reading *r = &all->list[i];

		if (r->from == like->from && r->figure.attribute == like->figure.attribute &&
			r->figure.initiator == initiator && r->figure.target == target &&
			(!best || is_better(r, best)))
			best = r;
	}
	return best;
}

/* The dearest of a node's memories, by the best reading of each. */
static const struct reading *worst_of(const struct readings *all, const struct reading *like)
{
	const struct reading *worst = NULL;

	for (size_t i = 0; i < all->count; i++) {
		const struct reading *r =
			best_of(all, like, like->figure.initiator, all->list[i].figure.target);

		if (r && (!worst || is_better(worst, r)))
			worst = r;
	}
	return worst;
}

void page_words_source(const struct stored_document *d, enum trust_word word, FILE *out)
{
	html(out, " (<code>%s</code>, %s).</li>\n", d->name,
		page_quality_word(document_word_of_figures(&d->document, word)));
}

static void say_source(const struct reading *own, const struct reading *far, FILE *out)
{
	page_words_source(own->from, trust_worse(&own->found.trust, &far->found.trust).word, out);
}

static void say_latency(const struct reading *own, const struct reading *far, FILE *out)
{
	html(out, "<li>A thread on node %d waits %p for memory of its own node",
		own->figure.initiator, HTML_FIGURE(own->found.amount, "ns"));
	if (far != own)
		html(out, ", and %p times as long, %p, for memory of node %d",
			HTML_FIGURE(amount_ratio(far->found.amount, own->found.amount), ""),
			HTML_FIGURE(far->found.amount, "ns"), far->figure.target);
	say_source(own, far, out);
}

#define BANDWIDTH(r) HTML_FIGURE(amount_times((r)->found.amount, 1e-9), "GB/s")

static void say_rate(const struct reading *own, const struct reading *far, FILE *out)
{
	const bool reads = own->figure.attribute == MEMATTR_READ_BANDWIDTH;

	html(out, "<li>Threads on node %d %s memory of their own node at up to %p",
		own->figure.initiator, reads ? "read" : "write", BANDWIDTH(own));
	if (far != own)
		html(out, ", and %p, %p of that, %s node %d", BANDWIDTH(far),
			HTML_FIGURE(amount_ratio(far->found.amount, own->found.amount), ""),
			reads ? "from" : "to", far->figure.target);
	say_source(own, far, out);
}

/* The fewest threads that come near the highest rate, where others were tried. */
static void say_saturation(const struct readings *all, const struct reading *most, FILE *out)
{
	const struct reading *enough = most;
	size_t least = most->threads, largest = most->threads;

	for (size_t i = 0; i < all->count; i++) {
		const struct reading *r = &all->list[i];

		if (r->from != most->from || r->figure.attribute != most->figure.attribute ||
			r->figure.initiator != most->figure.initiator ||
			r->figure.target != most->figure.target)
			continue;
		least = r->threads < least ? r->threads : least;
		largest = r->threads > largest ? r->threads : largest;
		if (r->threads < enough->threads &&
			r->figure.value >= SATURATED * most->figure.value)
			enough = r;
	}
	if (least == largest)
		return;
	html(out,
		"<li>Of %zu to %zu threads on node %d that %s its memory, %zu reach%s %.0f&nbsp;%% "
		"of the highest rate, %p",
		least, largest, most->figure.initiator,
		most->figure.attribute == MEMATTR_READ_BANDWIDTH ? "read" : "write",
		enough->threads, enough->threads == 1 ? "es" : "", 100 * SATURATED,
		BANDWIDTH(most));
	say_source(most, enough, out);
}

/* Is it the first reading of its node and attribute in its document? */
static bool is_first(const struct readings *all, size_t index)
{
	const struct reading *own = &all->list[index];

	for (size_t i = 0; i < index; i++)
		if (all->list[i].from == own->from &&
			all->list[i].figure.attribute == own->figure.attribute &&
			all->list[i].figure.initiator == own->figure.initiator)
			return false;
	return true;
}

static void say(const struct readings *all, size_t index, FILE *out)
{
	const struct reading *like = &all->list[index];
	const int node = like->figure.initiator;
	const struct reading *own = best_of(all, like, node, node);

	if (!own || !is_first(all, index))
		return;
	if (own->figure.attribute == MEMATTR_READ_LATENCY) {
		say_latency(own, worst_of(all, like), out);
	} else {
		say_rate(own, worst_of(all, like), out);
		say_saturation(all, own, out);
	}
}

void page_words(const struct page *p, FILE *out)
{
	struct readings all = {0};

	for (size_t i = 0; i < p->results->ndocuments && p->results->machines.count < 2; i++) {
		const struct stored_document *d = &p->results->documents[i];

		/* times of an emulated machine say nothing of a real one */
		for (size_t run = 0; run < d->document.nruns && !document_simulated(&d->document);
			run++)
			if (!d->document.runs[run].skipped)
				read_run(&all, d, run);
	}
	if (all.count) {
		fputs("<p>What was measured of its memories, in words:</p>\n<ul class=words>\n",
			out);
		for (size_t i = 0; i < all.count; i++)
			say(&all, i, out);
		fputs("</ul>\n", out);
	}
	free(all.list);
}
