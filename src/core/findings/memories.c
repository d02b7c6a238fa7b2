/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What nodes, paths and numbers of threads mean: of runs with all threads and all vectors on one
 * node each. */
#include <stdlib.h>

#include "base/alloc.h"
#include "machine/node_figures.h"
#include "document/quality.h"
#include "findings/findings.h"

/* Threads that reach this part of the highest rate saturate a memory. */
#define SATURATED 0.9

/* What a run says of a pair of nodes. */
struct reading {
	struct topo_memattr figure;
	struct document_figure found; /* the same: ns, or bytes per second */
	size_t threads;
};

struct readings {
	const struct document *from;
	struct reading *list;
	size_t count;
};

/* The figures of a run are those of a document that has no other. */
static void read_run(struct readings *all, size_t run)
{
	struct document one = *all->from;
	struct node_figures found = {.force = true}; /* it is shown with its mark */
	struct errors own = {0};

	one.runs = &all->from->runs[run];
	one.nruns = 1;
	if (!node_figures_add(&found, &one, &own))
		for (size_t i = 0; i < found.count; i++) {
			all->list = alloc_grow(all->list, all->count, sizeof(*all->list));
			all->list[all->count++] = (struct reading){
				found.figures[i], found.found[i], one.runs->nthreads};
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

static bool is_of(const struct reading *r, const struct reading *like, int target)
{
	return r->figure.attribute == like->figure.attribute &&
	       r->figure.initiator == like->figure.initiator && r->figure.target == target;
}

/* The best reading of a target; NULL: none. */
static const struct reading *best_of(
	const struct readings *all, const struct reading *like, int target)
{
	const struct reading *best = NULL;

	for (size_t i = 0; i < all->count; i++)
		if (is_of(&all->list[i], like, target) && (!best || is_better(&all->list[i], best)))
			best = &all->list[i];
	return best;
}

/* The slowest of a node's memories, by the best reading of each. */
static const struct reading *worst_of(const struct readings *all, const struct reading *like)
{
	const struct reading *worst = NULL;

	for (size_t i = 0; i < all->count; i++) {
		const struct reading *r = best_of(all, like, all->list[i].figure.target);

		if (r && (!worst || is_better(worst, r)))
			worst = r;
	}
	return worst;
}

static struct finding *add_finding(struct finding_list *to, enum finding_kind kind,
	const struct readings *all, const struct reading *own, const struct reading *far)
{
	struct finding *f = findings_add(to, kind);

	f->trust = document_word_of_figures(
		all->from, trust_worse(&own->found.trust, &far->found.trust).word);
	finding_text(f, "node", "%d", own->figure.initiator);
	if (own->figure.attribute != MEMATTR_READ_LATENCY)
		finding_text(f, "verb",
			own->figure.attribute == MEMATTR_READ_BANDWIDTH ? "read" : "write");
	return f;
}

static void add_figure(struct finding *f, const char *name, const struct reading *r)
{
	if (r->figure.attribute == MEMATTR_READ_LATENCY)
		finding_figure(f, name, r->found.amount, "ns");
	else
		finding_figure(f, name, amount_times(r->found.amount, 1e-9), "GB/s");
}

/* Of a node's own memory and the slowest other one. */
static void add_memory(
	struct finding_list *to, const struct readings *all, const struct reading *own)
{
	const bool latency = own->figure.attribute == MEMATTR_READ_LATENCY;
	const struct reading *far = worst_of(all, own);
	struct finding *f =
		add_finding(to, latency ? FINDING_LATENCY : FINDING_BANDWIDTH, all, own, far);

	add_figure(f, "own", own);
	if (far == own)
		return;
	add_figure(f, "far", far);
	finding_figure(f, "times", amount_ratio(far->found.amount, own->found.amount), "");
	finding_text(f, "far_node", "%d", far->figure.target);
	if (!latency)
		finding_text(
			f, "way", own->figure.attribute == MEMATTR_READ_BANDWIDTH ? "from" : "to");
}

/* The fewest threads that come near the highest rate, where others were tried. */
static void add_saturation(
	struct finding_list *to, const struct readings *all, const struct reading *most)
{
	const struct reading *enough = most;
	size_t least = most->threads, largest = most->threads;

	for (size_t i = 0; i < all->count; i++) {
		const struct reading *r = &all->list[i];

		if (!is_of(r, most, most->figure.target))
			continue;
		least = r->threads < least ? r->threads : least;
		largest = r->threads > largest ? r->threads : largest;
		if (r->threads < enough->threads &&
			r->figure.value >= SATURATED * most->figure.value)
			enough = r;
	}
	if (least == largest)
		return;
	struct finding *f = add_finding(to, FINDING_SATURATION, all, most, enough);

	finding_text(f, "least", "%zu", least);
	finding_text(f, "largest", "%zu", largest);
	finding_text(f, "enough", "%zu", enough->threads);
	finding_figure(f, "part", (struct amount){100 * SATURATED, NAN, NAN}, "%");
	add_figure(f, "most", most);
}

/* Is it the first reading of its node and attribute? */
static bool is_first(const struct readings *all, size_t index)
{
	const struct reading *own = &all->list[index];

	for (size_t i = 0; i < index; i++)
		if (all->list[i].figure.attribute == own->figure.attribute &&
			all->list[i].figure.initiator == own->figure.initiator)
			return false;
	return true;
}

void findings_memories(const struct document *d, struct finding_list *to)
{
	struct readings all = {.from = d};

	for (size_t run = 0; run < d->nruns; run++)
		if (!d->runs[run].skipped)
			read_run(&all, run);
	for (size_t i = 0; i < all.count; i++) {
		const struct reading *like = &all.list[i];
		const struct reading *own = best_of(&all, like, like->figure.initiator);

		if (!own || !is_first(&all, i))
			continue;
		add_memory(to, &all, own);
		if (own->figure.attribute != MEMATTR_READ_LATENCY)
			add_saturation(to, &all, own);
	}
	free(all.list);
}
