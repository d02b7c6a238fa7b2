/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What caches that cores share last have to memory: how many cores fill the link of one, which of
 * them share a link, and whether threads are to be spread over them. Only where nodes have several.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/quantity.h"
#include "base/alloc.h"
#include "document/quality.h"
#include "findings/findings.h"
#include "findings/rates.h"

/* Two links move twice as much as one, or as much as the node's memory allows. A pair that has less
 * than this part of the best pair is behind one. */
#define SHARED 0.75

/* The number of last-level caches over which the threads of a run are spread; 0: not known. The
 * first two in `which`. */
static size_t caches_of(const struct document_run *r, const char *which[2])
{
	const char **seen = alloc_zeroed(r->nthreads + 1, sizeof(*seen));
	size_t n = 0;

	for (size_t i = 0; i < r->nthreads; i++) {
		size_t k = 0;

		if (!r->threads[i].last_cache) {
			n = 0;
			break;
		}
		while (k < n && strcmp(seen[k], r->threads[i].last_cache) != 0)
			k++;
		seen[k] = r->threads[i].last_cache;
		n += k == n;
	}
	for (size_t k = 0; k < n && k < 2; k++)
		which[k] = seen[k];
	free(seen);
	return n;
}

/* A figure, and over how many caches its threads are spread. */
struct spot {
	size_t caches;
	const char *which[2];
	const struct document_run *run;
	struct amount rate;
	enum trust_word word;
};

/* Does every thread of the operation, NULL: of all, find its data in memory? Data that caches hold
 * do not cross their links. */
static bool is_from_memory(const struct document_run *r, const char *operation)
{
	bool any = false;

	for (size_t i = 0; i < r->operations.count; i++) {
		const struct document_operation *o = &r->operations.list[i];

		for (size_t k = 0; (!operation || !strcmp(operation, o->name)) && k < o->njobs;
			k++) {
			if (strcmp(o->jobs[k].held, "memory") != 0)
				return false;
			any = true;
		}
	}
	return any;
}

/* What is compared: the cells of a table that have both, or those of one operation, as operations
 * move unlike amounts. */
struct spots {
	const struct document *document;
	const struct document_table *table;
	const char *operation; /* NULL: that of the table */
	struct spot *list;
	size_t n;
};

/* step: from one cell to the next. */
static void find_spots(struct spots *o, size_t first, size_t step)
{
	const struct document_table *t = o->table;
	const size_t cells = t->rows.count * t->columns.count;

	o->list = alloc_zeroed(cells + 1, sizeof(*o->list));
	o->n = 0;
	for (size_t i = first; i < cells; i += step) {
		const struct document_figure f = document_cell(o->document, t, i);
		struct spot s = {.rate = f.amount, .word = f.trust.word};

		if (f.trust.word == TRUST_WEAK || f.trust.of.again)
			continue;
		s.run = document_next_of_cell(o->document, t, i, NULL);
		if (s.run && is_from_memory(s.run, o->operation ? o->operation : t->operation))
			s.caches = caches_of(s.run, s.which);
		if (s.caches && isfinite(s.rate.value) && s.rate.value > 0)
			o->list[o->n++] = s;
	}
}

/* The spot with the fewest threads, or caches, of those with this part of the highest rate. most:
 * that one. NULL: none. caches: of so many only, 0: of any. */
static const struct spot *fewest(
	const struct spots *o, size_t caches, bool threads, const struct spot **most)
{
	const struct spot *found = NULL;

	*most = NULL;
	for (const struct spot *s = o->list; s < o->list + o->n; s++)
		if ((!caches || s->caches == caches) &&
			(!*most || s->rate.value > (*most)->rate.value))
			*most = s;
	for (const struct spot *s = o->list; s < o->list + o->n; s++)
		if ((!caches || s->caches == caches) &&
			s->rate.value >= SUFFICIENT * (*most)->rate.value &&
			(!found || (threads ? s->run->nthreads < found->run->nthreads
					    : s->caches < found->caches)))
			found = s;
	return found;
}

/* Did any spot have more threads, under so many caches, or more caches? Else it is not known
 * whether that would move more. */
static bool has_more(const struct spots *o, size_t caches, size_t than)
{
	bool more = false;

	for (const struct spot *s = o->list; s < o->list + o->n; s++)
		more |= caches ? s->caches == caches && s->run->nthreads > than : s->caches > than;
	return more;
}

/* How many times as much equal threads move under more caches as under fewer, where that is
 * certain: the most; 1: never. */
static double find_gain(const struct spots *o, const struct spot *of[2])
{
	double times = 1;

	for (const struct spot *few = o->list; few < o->list + o->n; few++)
		for (const struct spot *many = o->list; many < o->list + o->n; many++) {
			if (few->run->nthreads != many->run->nthreads ||
				few->caches >= many->caches || !(few->rate.high < many->rate.low) ||
				many->rate.value / few->rate.value <= times)
				continue;
			times = many->rate.value / few->rate.value;
			of[0] = few;
			of[1] = many;
		}
	return times;
}

static struct finding *begin(const struct spots *o, enum finding_kind kind, struct finding_list *to)
{
	struct finding *f = findings_add(to, kind);

	f->trust = document_word_of_figures(o->document, TRUST_FIRM);
	findings_add_of(f, o->table);
	if (o->operation)
		finding_text(f, "operation", "%s", o->operation);
	return f;
}

/* The sentence is no better than a figure that it is made of. */
static void use_spot(struct finding *f, const struct spot *s)
{
	f->trust = s->word > f->trust ? s->word : f->trust;
}

static void add_links(const struct spots *o, struct finding_list *to)
{
	const struct spot *link, *most, *apart[2] = {NULL, NULL};
	const struct spot *cores = fewest(o, 1, true, &link), *caches = fewest(o, 0, false, &most);
	const bool filled = cores && has_more(o, 1, cores->run->nthreads);
	const bool full = caches && has_more(o, 0, caches->caches);
	const double times = find_gain(o, apart);
	const char *unit = o->table->unit;

	if (!filled && !full && !apart[0])
		return;
	struct finding *f = begin(o, FINDING_LINKS, to);

	if (filled) {
		use_spot(f, cores);
		use_spot(f, link);
		finding_text(f, "cores", "%zu", cores->run->nthreads);
		finding_text(f, "cache", "%s", cores->which[0]);
		finding_figure(f, "link", link->rate, unit);
	}
	if (full) {
		use_spot(f, caches);
		use_spot(f, most);
		finding_text(f, "caches", "%zu", caches->caches);
		finding_figure(f, "node", most->rate, unit);
	}
	if (!apart[0])
		return;
	use_spot(f, apart[0]);
	use_spot(f, apart[1]);
	finding_text(f, "threads", "%zu", apart[0]->run->nthreads);
	finding_text(f, "few", "%zu", apart[0]->caches);
	finding_text(f, "many", "%zu", apart[1]->caches);
	finding_figure(f, "times", (struct amount){times, NAN, NAN}, "");
}

static bool is_same_pair(const struct spot *a, const struct spot *b)
{
	const int turned = strcmp(a->which[0], b->which[0]) != 0;

	return !strcmp(a->which[0], b->which[turned]) && !strcmp(a->which[1], b->which[!turned]);
}

/* Is each spot one of two caches, and are there several pairs? */
static bool are_pairs(const struct spots *o)
{
	bool several = false;

	for (const struct spot *s = o->list; s < o->list + o->n; s++) {
		if (s->caches != 2)
			return false;
		several |= !is_same_pair(s, o->list);
	}
	return several;
}

/* Was it there before, in whatever order? */
static bool is_repeated(const struct spots *o, const struct spot *of)
{
	bool repeated = false;

	for (const struct spot *s = o->list; s < of; s++)
		repeated |= is_same_pair(s, of);
	return repeated;
}

static void add_pairs(const struct spots *o, struct finding_list *to)
{
	const struct spot *most;
	struct finding_list *pairs = NULL;
	struct finding *f = NULL;

	fewest(o, 2, true, &most);
	for (const struct spot *s = o->list; s < o->list + o->n; s++) {
		if (!(s->rate.high < SHARED * most->rate.low) || is_repeated(o, s))
			continue;
		if (!pairs) {
			f = begin(o, FINDING_SHARED_LINKS, to);
			use_spot(f, most);
			finding_figure(f, "most", most->rate, o->table->unit);
			pairs = finding_add_list(f, "pairs");
		}
		use_spot(f, s);
		struct finding *one = findings_add(pairs, FINDING_SHARED_LINK);

		finding_text(one, "one", "%s", s->which[0]);
		finding_text(one, "other", "%s", s->which[1]);
		finding_figure(one, "rate", s->rate, o->table->unit);
	}
}

static void add(struct spots *o, size_t first, size_t step, struct finding_list *to)
{
	find_spots(o, first, step);
	if (are_pairs(o))
		add_pairs(o, to);
	else
		add_links(o, to);
	free(o->list);
}

void findings_links(
	const struct document *d, const struct document_table *t, struct finding_list *to)
{
	struct spots o = {.document = d, .table = t};

	if (t->id != QUANTITY_BANDWIDTH || !rates_is(d, t) || t->rows_are != AXIS_VARIABLE)
		return;
	if (t->columns_are != AXIS_OPERATION)
		add(&o, 0, 1, to);
	for (size_t k = 0; t->columns_are == AXIS_OPERATION && k < t->columns.count; k++) {
		o.operation = t->columns.list[k];
		add(&o, k, t->columns.count, to);
	}
}
