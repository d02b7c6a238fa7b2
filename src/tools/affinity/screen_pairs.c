/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of pairs on the first screen, of two CPUs or two nodes: each, or the least, the middle
 * and the most of those that are alike. Only the middle of an even number of nodes is computed
 * here.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "affinity/screen.h"
#include "base/alloc.h"
#include "document/figure.h"

struct pair {
	bool same;
	struct described_figure figure;
};

static int by_same_and_time(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	if (x->same != y->same)
		return x->same ? -1 : 1;
	return (x->figure.amount.value > y->figure.amount.value) -
	       (x->figure.amount.value < y->figure.amount.value);
}

/* Of figures in ascending order; of an even number the mean of both in the middle. */
static struct described_figure middle_of(const struct pair *list, size_t n)
{
	const struct described_figure *a = &list[(n - 1) / 2].figure, *b = &list[n / 2].figure;
	struct described_figure f = *a;

	f.amount = amount_between(a->amount, b->amount);
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

/* Of the pairs of CPUs that are equally near. */
static void add_class(struct screen *s, const struct document *d, const struct document_class *c,
	const char *what)
{
	const struct {
		struct amount amount;
		const char *column;
	} of_class[] = {{c->fewest, "fewest"}, {c->median, "median"}, {c->most, "most"}};

	/* of one pair, the line may take longer in one direction */
	const bool spread = c->measured > 1 || c->fewest.value < c->most.value;

	for (size_t i = 0; i < 3; i++)
		if (spread || i == 1)
			screen_add(s,
				(struct described_figure){.what = what,
					.unit = d->tables[0].unit,
					.amount = of_class[i].amount,
					.mark = trust_word_named(c->mark.word)},
				screen_text(c->name), screen_text(of_class[i].column),
				alloc_format(
					"%" PRId64 " of %" PRId64 " pairs", c->measured, c->pairs));
}

void screen_add_pairs(struct screen *s, const struct document *d, const char *what)
{
	for (size_t i = 0; i < d->tables[0].nclasses; i++)
		add_class(s, d, &d->tables[0].classes[i], what);
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
			const struct described_figure f =
				screen_figure_at(d, i * t->columns.count + k, SCREEN_MATRIX);

			if (!isfinite(f.amount.value))
				continue;
			list[n++] = (struct pair){same, f};
			own += same;
		}
	qsort(list, n, sizeof(*list), by_same_and_time);
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
