/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the costs of a document. */
#include "compare/costs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/derive.h"
#include "base/alloc.h"
#include "document/figure.h"
#include "document/programs.h"

/* Of a program, or of the slowest one. */
static double round_of(const struct document_operation *o, int thread, size_t i)
{
	double most = 0;

	for (size_t t = 0; t < o->njobs; t++)
		if (thread == ALL_THREADS || (size_t)thread == t)
			most = fmax(most, o->jobs[t].samples[i].cost_s);
	return most;
}

/* Programs run anew each time, so that their runs say what results of kernels say. */
static void add_rounds(struct cost *x, const struct document_operation *o)
{
	x->nrounds = o->jobs[0].nsamples;
	for (size_t t = 0; t < o->njobs; t++)
		x->nrounds = o->jobs[t].nsamples < x->nrounds ? o->jobs[t].nsamples : x->nrounds;
	x->rounds = alloc_zeroed(x->nrounds + 1, sizeof(*x->rounds));
	for (size_t i = 0; i < x->nrounds; i++)
		x->rounds[i] = round_of(o, x->thread, i);
}

static void add_cost_of(struct costs *c, const struct document_run *r,
	const struct document_operation *o, int thread)
{
	const struct document_figure cost = document_figure(r, o, thread, DOCUMENT_COST);

	c->list = alloc_grow(c->list, c->count, sizeof(*c->list));
	c->list[c->count++] =
		(struct cost){r->label, o->name, thread, cost.trust.of.again, cost.amount, NULL, 0};
	if (c->document.nprograms)
		add_rounds(&c->list[c->count - 1], o);
}

static void add_operation(
	struct costs *c, const struct document_run *r, const struct document_operation *o)
{
	for (size_t i = 0; i < o->njobs; i++)
		add_cost_of(c, r, o, (int)i);
	add_cost_of(c, r, o, ALL_THREADS);
}

static int compare_costs(const struct cost *x, const struct cost *y)
{
	int by = strcmp(x->run, y->run);

	by = by ? by : strcmp(x->operation, y->operation);
	return by ? by : (x->thread > y->thread) - (x->thread < y->thread);
}

/* Equal costs in the document's order. */
static int by_name(const void *a, const void *b)
{
	const struct cost *x = *(const struct cost *const *)a, *y = *(const struct cost *const *)b;
	int by = compare_costs(x, y);

	return by ? by : (x > y) - (x < y);
}

static void sort(struct costs *c)
{
	c->sorted = alloc_zeroed(c->count + 1, sizeof(*c->sorted));
	for (size_t i = 0; i < c->count; i++)
		c->sorted[i] = &c->list[i];
	qsort(c->sorted, c->count, sizeof(*c->sorted), by_name);
}

int costs_read(struct costs *c, const char *path, struct errors *e)
{
	*c = (struct costs){0};
	if (document_read_any(&c->document, path, e))
		return -1;
	for (size_t i = 0; i < c->document.nruns; i++) {
		const struct document_run *r = &c->document.runs[i];

		for (size_t k = 0; k < r->operations.count; k++)
			add_operation(c, r, &r->operations.list[k]);
	}
	sort(c);
	return 0;
}

void costs_free(struct costs *c)
{
	for (size_t i = 0; i < c->count; i++)
		free(c->list[i].rounds);
	document_free(&c->document);
	free(c->list);
	free(c->sorted);
	*c = (struct costs){0};
}

const struct cost *costs_find(const struct costs *c, const struct cost *like)
{
	size_t low = 0, high = c->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_costs(c->sorted[middle], like) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < c->count && !compare_costs(c->sorted[low], like) ? c->sorted[low] : NULL;
}
