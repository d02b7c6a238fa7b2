/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instruction-aware mapping: threads whose instructions differ most share a core. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mapping/table.h"

static double value_of(const struct table *t, int thread, int type)
{
	const struct mapping_thread *p = &t->threads[thread];

	return t->counted ? p->count[type] : p->share[type];
}

struct range {
	double least, most; /* NAN: the value of at least one thread is not known */
};

static struct range range_of(const struct table *t, int type)
{
	struct range r = {INFINITY, -INFINITY};

	for (int i = 0; i < t->nthreads; i++) {
		double value = value_of(t, i, type);

		if (isnan(value))
			return (struct range){NAN, NAN};
		r.least = value < r.least ? value : r.least;
		r.most = value > r.most ? value : r.most;
	}
	return r;
}

/* Writes, for example, "branch 0.02 .. 0.31, fp not known". */
static void list_ranges(const struct table *t, char *text, size_t n)
{
	size_t used = 0;

	for (int type = 0; type < MAPPING_TYPES && used < n; type++) {
		struct range r = range_of(t, type);
		const char *comma = type ? ", " : "";

		if (isnan(r.most))
			used += (size_t)snprintf(text + used, n - used, "%s%s not known", comma,
				mapping_types[type]);
		else
			used += (size_t)snprintf(text + used, n - used,
				t->counted ? "%s%s %.4g .. %.4g" : "%s%s %.3f .. %.3f", comma,
				mapping_types[type], r.least, r.most);
	}
}

/* Returns -1 if there is no type whose share is known for every thread. */
static int widest(const struct table *t)
{
	double spread = -1;
	int found = -1;

	for (int type = 0; type < MAPPING_TYPES; type++) {
		struct range r = range_of(t, type);

		if (r.most - r.least > spread) {
			spread = r.most - r.least;
			found = type;
		}
	}
	return found;
}

static int choose_type(const struct table *t, enum mapping_type by, char *why, size_t n)
{
	bool asked = by != MAPPING_SPREAD;
	int type = asked ? (int)by : widest(t);
	const char *what = t->counted ? "number" : "share";
	char ranges[256];

	list_ranges(t, ranges, sizeof(ranges));
	if (type < 0) {
		snprintf(why, n,
			"there is no type of instructions whose %s is known for every thread (%s)",
			what, ranges);
		return -1;
	}
	if (isnan(range_of(t, type).most)) {
		snprintf(why, n, "the %s of %s instructions is not known for every thread (%s)",
			what, mapping_types[type], ranges);
		return -1;
	}
	struct range found = range_of(t, type);
	if (found.most <= found.least)
		snprintf(why, n,
			"all threads have the same %s of %s: they keep their order (%ss: %s)", what,
			asked ? mapping_types[type] : "every type that is known", what, ranges);
	else
		snprintf(why, n, "sorted by %s%s, %s (%ss: %s)",
			t->counted ? "the number of instructions of the type " : "",
			mapping_types[type],
			asked        ? "as asked"
			: t->counted ? "which differs most"
				     : "whose share differs most",
			what, ranges);
	return type;
}

struct sorting {
	const struct table *table;
	int type;
};

/* The largest value first; threads of equal value keep their order. */
static int by_value(const void *a, const void *b, void *arg)
{
	const struct sorting *s = arg;
	int x = *(const int *)a, y = *(const int *)b;
	double p = value_of(s->table, x, s->type), q = value_of(s->table, y, s->type);

	return p != q ? (p < q) - (p > q) : table_compare(x, y);
}

/* Returns how many threads each core gets: one each, then a second if the core has a
 * hardware thread for it, and so on. When all hardware threads have a thread, it starts
 * again with one each. */
static int *loads(const struct table *t)
{
	int *load = alloc_zeroed((size_t)t->ncores, sizeof(*load)), left = t->nthreads;

	while (left)
		for (int level = 1, any = 1; any && left; level++) {
			any = 0;
			for (int core = 0; core < t->ncores && left; core++)
				if (table_seats(t, core) >= level) {
					load[core]++;
					left--;
					any = 1;
				}
		}
	return load;
}

int table_instruction(struct table *t, enum mapping_type by, char *why, size_t n)
{
	int head = 0, tail = t->nthreads - 1;

	t->counted = true;
	for (int i = 0; i < t->nthreads; i++)
		t->counted = t->counted && t->threads[i].counted;
	int type = choose_type(t, by, why, n);

	if (type < 0)
		return -1;
	struct sorting sorting = {t, type};
	int *queue = table_numbers(t->nthreads), *load = loads(t);
	qsort_r(queue, (size_t)t->nthreads, sizeof(*queue), by_value, &sorting);
	for (int core = 0; core < t->ncores; core++)
		for (int i = 0; i < load[core]; i++) {
			int thread = queue[i % 2 ? tail-- : head++];

			t->place[thread] = t->order[t->first[core] + i % table_seats(t, core)];
		}
	free(queue);
	free(load);
	return type;
}
