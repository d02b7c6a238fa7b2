/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of pairs on the first screen, of two CPUs or two nodes: each, or the least, the middle
 * and the most of those that are alike. Only the middle of an even number is computed here. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "affinity/screen.h"
#include "base/alloc.h"
#include "document/figure.h"

struct pair {
	int shared;
	struct told_figure figure;
};

static int by_shared_and_time(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	if (x->shared != y->shared)
		return x->shared > y->shared ? -1 : 1; /* the innermost first */
	return (x->figure.amount.value > y->figure.amount.value) -
	       (x->figure.amount.value < y->figure.amount.value);
}

static size_t count_pairs(const struct topo *t, int shared)
{
	size_t n = 0;

	for (int i = 0; i < t->ncpus; i++)
		for (int k = i + 1; t->cpus[i].allowed && k < t->ncpus; k++)
			n += t->cpus[k].allowed &&
			     topo_shared(t, &t->cpus[i], &t->cpus[k]) == shared;
	return n;
}

/* Of figures in ascending order; of an even number the mean of both in the middle. */
static struct told_figure middle_of(const struct pair *list, size_t n)
{
	const struct told_figure *a = &list[(n - 1) / 2].figure, *b = &list[n / 2].figure;
	struct told_figure f = *a;

	f.amount = (struct amount){(a->amount.value + b->amount.value) / 2,
		(a->amount.low + b->amount.low) / 2, (a->amount.high + b->amount.high) / 2};
	f.mark = a->mark > b->mark ? a->mark : b->mark;
	return f;
}

/* The least, the middle and the most of figures in ascending order. */
static void add_spread(
	struct screen *s, const struct pair *list, size_t n, const char *row, const char *of)
{
	if (n > 1)
		screen_add(s, list[0].figure, screen_text(row), screen_text("fewest"),
			screen_text(of));
	screen_add(s, middle_of(list, n), screen_text(row), screen_text("median"), screen_text(of));
	if (n > 1)
		screen_add(s, list[n - 1].figure, screen_text(row), screen_text("most"),
			screen_text(of));
}

static void add_class(struct screen *s, const struct pair *list, size_t n)
{
	char shared[128], row[160], of[64];

	if (list->shared >= 0)
		topo_level_names(s->topo, list->shared, shared, sizeof(shared));
	snprintf(row, sizeof(row), "%s %s", list->shared < 0 ? "other" : "same",
		list->shared >= 0        ? shared
		: s->topo->npackages > 1 ? "package"
					 : "node");
	snprintf(of, sizeof(of), "%zu of %zu pairs", n, count_pairs(s->topo, list->shared));
	add_spread(s, list, n, row, of);
}

void screen_add_cores(struct screen *s, const struct document *d)
{
	const struct document_table *t = &d->tables[0];
	const size_t cells = t->rows.count * t->columns.count;
	struct pair *list = alloc_zeroed(cells, sizeof(*list));
	size_t n = 0, end;

	for (size_t i = 0; i < cells; i++) {
		const struct document_run *r = document_next_of_cell(d, t, i, NULL);
		const struct told_figure f = screen_figure_at(d, i, "a line from core to core");

		if (!r || !isfinite(f.amount.value) || r->nthreads != 2)
			continue;
		const struct topo_cpu *a = topo_cpu(s->topo, r->threads[0].cpu),
				      *b = topo_cpu(s->topo, r->threads[1].cpu);

		if (a && b)
			list[n++] = (struct pair){topo_shared(s->topo, a, b), f};
	}
	qsort(list, n, sizeof(*list), by_shared_and_time);
	for (size_t i = 0; i < n; i = end) {
		for (end = i; end < n && list[end].shared == list[i].shared;)
			end++;
		add_class(s, &list[i], end - i);
	}
	free(list);
}

/* More are wider than a screen, and args/first chooses some of their pairs only. */
#define MATRIX_NODES 8

/* Of many nodes: their own memory, and that of others. */
static void add_large_matrix(struct screen *s, const struct document *d)
{
	const struct document_table *t = &d->tables[0];
	struct pair *list = alloc_zeroed(t->rows.count * t->columns.count, sizeof(*list));
	size_t n = 0, own = 0;

	for (size_t i = 0; i < t->rows.count; i++)
		for (size_t k = 0; k < t->columns.count; k++) {
			const bool same = !strcmp(t->rows.list[i], t->columns.list[k]);
			const struct told_figure f =
				screen_figure_at(d, i * t->columns.count + k, SCREEN_MATRIX);

			if (!isfinite(f.amount.value))
				continue;
			list[n++] = (struct pair){same, f};
			own += same;
		}
	qsort(list, n, sizeof(*list), by_shared_and_time);
	char *ofs[] = {alloc_format("%zu measured", own), alloc_format("%zu measured", n - own)};

	if (own)
		add_spread(s, list, own, "memory of its own node", ofs[0]);
	if (n > own)
		add_spread(s, list + own, n - own, "memory of another node", ofs[1]);
	free(ofs[0]);
	free(ofs[1]);
	free(list);
}

void screen_add_matrix(struct screen *s, const struct document *d)
{
	const struct document_table *t = &d->tables[0];

	if (t->rows.count > MATRIX_NODES || t->columns.count > MATRIX_NODES) {
		add_large_matrix(s, d);
		return;
	}
	for (size_t i = 0; i < t->rows.count; i++)
		for (size_t k = 0; k < t->columns.count; k++)
			screen_add(s, screen_figure_at(d, i * t->columns.count + k, SCREEN_MATRIX),
				alloc_format("CPUs of node %s", t->rows.list[i]),
				screen_text(t->columns.list[k]), screen_text(""));
}
