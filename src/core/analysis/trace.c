/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts the clock rates of a run in the order of time, and buckets of events in that of theirs. */
#include "analysis/trace.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

/* A sample of an operation of the run. */
struct moment {
	const struct sample *sample;
	const char *label;
	size_t number;
};

static int by_time(const void *a, const void *b)
{
	const struct sample *x = ((const struct moment *)a)->sample,
			    *y = ((const struct moment *)b)->sample;

	return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

/* All samples of the run in the order of time; to be freed. */
static struct moment *moments_of(const struct samples *r, size_t *count)
{
	struct moment *list;
	size_t all = 0, n = 0;

	for (int op = 0; r && r->ops && op < r->plan->nops; op++)
		all += r->ops[op].count;
	list = alloc_zeroed(all + 1, sizeof(*list));
	for (int op = 0; r && r->ops && op < r->plan->nops; op++)
		for (size_t i = 0; i < r->ops[op].count; i++)
			list[n++] =
				(struct moment){&r->ops[op].samples[i], r->plan->ops[op].label, i};
	qsort(list, n, sizeof(*list), by_time);
	*count = n;
	return list;
}

static void fill_row(struct table *m, size_t row, const struct moment *at, bool after,
	const struct samples *r, uint64_t origin_ns)
{
	m->row_labels[row] =
		alloc_format("%s %zu %s", at->label, at->number, after ? "after" : "before");
	for (size_t k = 0; k < m->cols; k++) {
		size_t cell = row * m->cols + k;

		m->cells[cell] = AMOUNT_NONE;
		m->places[cell] = NAN;
		if (k >= (size_t)r->plan->nthreads)
			continue;
		const struct thread_sample *t = &at->sample->threads[k];
		uint64_t ns = after ? t->end_ns : at->sample->start_ns;

		m->cells[cell].value = (after ? t->after.hz : t->before.hz) * 1e-9;
		m->places[cell] = (double)(ns - origin_ns) * 1e-9;
	}
}

static void make_rows(struct table *m, size_t rows, const char *unit)
{
	m->rows = rows;
	m->row_labels = alloc_zeroed(rows + 1, sizeof(*m->row_labels));
	m->cells = alloc_zeroed(rows * m->cols + 1, sizeof(*m->cells));
	m->places = alloc_zeroed(rows * m->cols + 1, sizeof(*m->places));
	m->place =
		(struct heading){.id = QUANTITY_FIGURE, .name = axis_kind(AXIS_TIME), .unit = unit};
}

void trace_fill(struct table *m, const struct samples *r)
{
	size_t n;
	struct moment *list = moments_of(r, &n);

	make_rows(m, 2 * n, "s");
	for (size_t i = 0; i < m->rows; i++)
		fill_row(m, i, &list[i / 2], i % 2, r, list[0].sample->start_ns);
	free(list);
}

/* The last bucket has none above it. */
static void fill_column(
	struct table *m, size_t column, const struct tails *t, const struct histogram *all)
{
	double above = (double)all->n;

	for (size_t row = 0; row < m->rows; row++) {
		const size_t cell = row * m->cols + column;

		m->cells[cell] = AMOUNT_NONE;
		m->places[cell] = NAN;
		if (row + 1 >= all->count)
			continue;
		above -= (double)all->buckets[row].count;
		const double ns = tails_ns(t, events_highest(all->buckets[row].bucket));

		if (ns < t->least)
			continue;
		m->cells[cell].value = 100 * above / (double)all->n;
		m->places[cell] = ns;
	}
}

void trace_tails(struct table *m, const struct tails *columns)
{
	struct histogram *all = alloc_zeroed(m->cols + 1, sizeof(*all));
	size_t rows = 0;

	for (size_t k = 0; k < m->cols; k++) {
		all[k] = tails_merged(&columns[k]);
		rows = all[k].count > rows + 1 ? all[k].count - 1 : rows;
	}
	make_rows(m, rows, "ns");
	for (size_t i = 0; i < rows; i++)
		m->row_labels[i] = alloc_format("%zu", i);
	for (size_t k = 0; k < m->cols; k++) {
		fill_column(m, k, &columns[k], &all[k]);
		histogram_free(&all[k]);
	}
	free(all);
}
