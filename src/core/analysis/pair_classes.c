/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Only the median of an even number of figures is computed here. */
#include "analysis/pair_classes.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "analysis/view.h"
#include "base/alloc.h"
#include "topology/pairs.h"

/* A cell. */
struct pair {
	const struct topo_cpu *cpus[2];
	struct topo_pair near;
	size_t group, cell;
	struct amount amount; /* value NAN: not measured */
};

/* False: not two threads, or not bound. */
static bool read_pair(const struct experiment *x, long run, struct pair *p)
{
	const struct plan *plan = run < 0 || x->runs[run].skipped ? NULL : &x->runs[run].plan;

	for (int i = 0; plan && i < 2; i++)
		p->cpus[i] = plan->nthreads == 2 ? topo_cpu(x->topo, plan->threads[i].cpu) : NULL;
	if (!plan || !p->cpus[0] || !p->cpus[1])
		return false;
	p->near = topo_pair(x->topo, p->cpus[0], p->cpus[1]);
	return true;
}

/* False: some cell has a figure and is no pair. */
static bool read_pairs(
	const struct experiment *x, const long *runs, const struct table *m, struct pair *pairs)
{
	for (size_t i = 0; i < m->rows * m->cols; i++) {
		pairs[i].cell = i;
		pairs[i].amount = m->cells[i];
		if (isfinite(m->cells[i].value) && !read_pair(x, runs[i], &pairs[i]))
			return false;
	}
	return true;
}

/* Do cells of a line differ in their pair? step: from one to the next. */
static bool differ(const struct pair *first, size_t n, size_t step)
{
	const struct pair *known = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct pair *p = &first[i * step];

		if (!p->cpus[0])
			continue;
		if (known && (known->cpus[0] != p->cpus[0] || known->cpus[1] != p->cpus[1]))
			return true;
		known = p;
	}
	return false;
}

/* Not measured ones last. */
static int compare(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	const int known = isfinite(y->amount.value) - isfinite(x->amount.value);

	if (known)
		return known;
	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (!topo_pair_is(x->near, y->near))
		return topo_pair_order(x->near, y->near);
	return (x->amount.value > y->amount.value) - (x->amount.value < y->amount.value);
}

static bool is_same_class(const struct pair *a, const struct pair *b)
{
	return isfinite(b->amount.value) && a->group == b->group && topo_pair_is(a->near, b->near);
}

static int compare_keys(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* A pair that was measured in both directions is one. */
static size_t count_distinct(const struct pair *list, size_t n)
{
	uint64_t *keys = alloc_zeroed(n, sizeof(*keys));
	size_t distinct = 0;

	for (size_t i = 0; i < n; i++) {
		const uint64_t a = (uint64_t)list[i].cpus[0]->cpu,
			       b = (uint64_t)list[i].cpus[1]->cpu;

		keys[i] = a < b ? a << 32 | b : b << 32 | a;
	}
	qsort(keys, n, sizeof(*keys), compare_keys);
	for (size_t i = 0; i < n; i++)
		distinct += !i || keys[i] != keys[i - 1];
	free(keys);
	return distinct;
}

static void add_class(
	const struct topo *t, struct table *m, const struct pair *list, size_t n, const char *at)
{
	const size_t middle[] = {0, (n - 1) / 2, n / 2, n - 1};
	char name[160];
	struct pair_class c = {.at = at,
		.measured = count_distinct(list, n),
		.pairs = topo_pair_count(t, list->near),
		.fewest = list[0].amount,
		.median = amount_between(list[middle[1]].amount, list[middle[2]].amount),
		.most = list[n - 1].amount};

	topo_pair_name(t, list->near, name, sizeof(name));
	c.name = alloc_format("%s", name);
	for (size_t i = 0; m->trust && i < sizeof(middle) / sizeof(*middle); i++) {
		const struct trust *own = &m->trust[list[middle[i]].cell];

		c.trust = i ? trust_worse(&c.trust, own) : *own;
	}
	m->classes = alloc_grow(m->classes, m->nclasses, sizeof(*m->classes));
	m->classes[m->nclasses++] = c;
}

/* Both axes change the pair: one group; one does: a group for each label of the other. False:
 * none does, and there are several cells. */
static bool group(struct pair *pairs, const struct table *m, char *const **labels)
{
	bool by_rows = false, by_columns = false;
	size_t known = 0;

	for (size_t k = 0; k < m->cols; k++)
		by_rows |= differ(&pairs[k], m->rows, m->cols);
	for (size_t i = 0; i < m->rows; i++)
		by_columns |= differ(&pairs[i * m->cols], m->cols, 1);
	for (size_t i = 0; by_rows != by_columns && i < m->rows * m->cols; i++)
		pairs[i].group = by_rows ? i % m->cols : i / m->cols;
	*labels = by_rows == by_columns || (by_rows ? m->cols : m->rows) == 1 ? NULL
		  : by_rows                                                   ? m->col_labels
									      : m->row_labels;
	for (size_t i = 0; i < m->rows * m->cols; i++)
		known += pairs[i].cpus[0] != NULL;
	return known == 1 || differ(pairs, m->rows * m->cols, 1);
}

void pair_classes_add(const struct experiment *x, const long *runs, struct table *m)
{
	const size_t all = m->rows * m->cols;
	struct pair *pairs = alloc_zeroed(all + 1, sizeof(*pairs));
	char *const *labels = NULL;

	if (read_pairs(x, runs, m, pairs) && group(pairs, m, &labels)) {
		qsort(pairs, all, sizeof(*pairs), compare);
		for (size_t i = 0, n; i < all && isfinite(pairs[i].amount.value); i += n) {
			for (n = 1; i + n < all && is_same_class(&pairs[i], &pairs[i + n]);)
				n++;
			add_class(x->topo, m, &pairs[i], n, labels ? labels[pairs[i].group] : NULL);
		}
	}
	free(pairs);
}

void pair_classes_free(struct table *m)
{
	for (size_t i = 0; i < m->nclasses; i++)
		free(m->classes[i].name);
	free(m->classes);
	m->classes = NULL;
	m->nclasses = 0;
}
