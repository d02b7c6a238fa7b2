/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bucketsort: the program of Piccoli's dissertation (figure 4.6). Thread 0 deals the values out to
 * as many buckets as there are threads; each thread sorts its bucket by selection, which compares
 * every element with every other; thread 0 joins the buckets. A unit is a comparison; a round sorts
 * all values once.
 *
 * A bucket begins with its share of the values; a full one is copied to a place of twice the size.
 * The vector of ints holds the values, then the sorted values, then the places for buckets.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "crew.h"
#include "units/memory.h"
#include "now.h"
#include "policy.h"
#include "uses.h"
#include "works.h"

/* Fewer values for a bucket could make one more than twice as large as its share. */
#define LEAST_SHARE 64

/* A bucket grows once at most: places for buckets take three times the values. */
#define PARTS 5

struct bucketsort_args {
	struct policy_args policy;
};

static const struct param bucketsort_params[] = {POLICY_PARAMS(struct bucketsort_args), {0}};

static const struct kernel_figure bucketsort_figures[] = {
	POLICY_FIGURE_ROWS,
	{.name = "serial_time",
		.unit = "ns",
		.help = "time in which one thread deals out or joins",
		.join = FIGURE_MEAN},
	{.name = "parallel_time",
		.unit = "ns",
		.help = "time in which all threads sort",
		.join = FIGURE_MEAN},
	{0},
};

struct bucket {
	int *first;
	uint64_t count, room;
};

struct sort {
	struct policy *policy;
	struct meeting meeting;
	struct bucket buckets[]; /* one a thread */
};

struct sorter {
	struct policy_account account;
	uint64_t met, serial_ns, parallel_ns;
	bool full; /* there was no place for a bucket */
};

static uint64_t values_of(const struct worker *w)
{
	const uint64_t elements = w->vectors->elements, spare = 3 * crew_size(w);

	return elements > spare ? (elements - spare) / PARTS : 0;
}

static int *input_of(const struct worker *w)
{
	return w->vectors->base;
}

static int *output_of(const struct worker *w)
{
	return input_of(w) + values_of(w);
}

static const char *bucketsort_check(const struct worker *w, char *why, size_t n)
{
	if (crew_check(w, 1, why, n))
		return why;
	if (values_of(w) / crew_size(w) >= LEAST_SHARE)
		return policy_check(w, why, n);
	snprintf(why, n,
		"its vector has %zu elements; a fifth of them are values, at least %d for each of "
		"the %d threads",
		w->vectors->elements, LEAST_SHARE, w->vectors->users);
	return why;
}

static const char *bucketsort_share(struct worker *w)
{
	const size_t bytes = sizeof(struct sort) + crew_size(w) * sizeof(struct bucket);

	w->shared = aligned_alloc(APART, (bytes + APART - 1) / APART * APART);
	if (!w->shared)
		return "no memory";
	memset(w->shared, 0, bytes);
	return policy_make(w, &((struct sort *)w->shared)->policy);
}

static void bucketsort_unshare(struct worker *w)
{
	struct sort *s = w->shared;

	if (s)
		policy_free(s->policy);
	free(s);
}

/* Value i. */
static int value(uint64_t i)
{
	return (int)(xorshift(xorshift((i + 1) * UINT64_C(0x9e3779b97f4a7c15))) >> 33);
}

static const char *bucketsort_setup(struct worker *w)
{
	const uint64_t n = values_of(w), rank = crew_rank(w);

	w->own = calloc(1, sizeof(struct sorter));
	if (!w->own)
		return "no memory";
	for (uint64_t i = crew_slice(w, n, rank); i < crew_slice(w, n, rank + 1); i++)
		input_of(w)[i] = value(i);
	return NULL;
}

static void free_own(struct worker *w)
{
	policy_forget(w->own);
	free(w->own);
	w->own = NULL;
}

/* ---- thread 0 */

struct places {
	int *next, *end;
};

static int *take_place(struct places *p, uint64_t elements)
{
	int *place = p->next;

	if ((uint64_t)(p->end - p->next) < elements)
		return NULL;
	p->next += elements;
	return place;
}

/* Policy eager attempts to move what a phase is about to access, in each of them. */
static void attempt(const struct sort *s, const int *first, uint64_t elements)
{
	policy_eager(s->policy, first, elements * sizeof(*first));
}

static bool append(const struct sort *s, struct bucket *b, int x, struct places *places)
{
	if (b->count == b->room) {
		int *more = take_place(places, 2 * b->room);

		if (!more)
			return false;
		attempt(s, more, 2 * b->room);
		memcpy(more, b->first, b->count * sizeof(*more));
		b->first = more;
		b->room *= 2;
	}
	b->first[b->count++] = x;
	return true;
}

/* The width of a bucket's values; all of them from *least on. */
static int64_t width_of(const int *values, uint64_t n, uint64_t buckets, int *least)
{
	int most = INT_MIN;

	*least = INT_MAX;
	for (uint64_t i = 0; i < n; i++) {
		*least = values[i] < *least ? values[i] : *least;
		most = values[i] > most ? values[i] : most;
	}
	int64_t width = ((int64_t)most - *least) / (int64_t)buckets;

	return width ? width : 1;
}

static bool deal_out(const struct worker *w)
{
	const uint64_t n = values_of(w), buckets = crew_size(w);
	const int *values = input_of(w);
	struct sort *s = w->shared;
	struct places places = {output_of(w) + n, input_of(w) + w->vectors->elements};
	int least;
	int64_t width;

	attempt(s, values, n);
	width = width_of(values, n, buckets, &least);
	for (uint64_t i = 0; i < buckets; i++) {
		const uint64_t room = n / buckets + 1;

		s->buckets[i] = (struct bucket){take_place(&places, room), 0, room};
		attempt(s, s->buckets[i].first, room);
	}
	for (uint64_t i = 0; i < n; i++) {
		uint64_t at = (uint64_t)(((int64_t)values[i] - least) / width);

		if (!append(s, &s->buckets[at < buckets ? at : buckets - 1], values[i], &places))
			return false;
	}
	return true;
}

static void join(const struct worker *w)
{
	const struct sort *s = w->shared;
	int *out = output_of(w);

	attempt(s, out, values_of(w));
	for (uint64_t i = 0; i < crew_size(w); i++) {
		attempt(s, s->buckets[i].first, s->buckets[i].count);
		memcpy(out, s->buckets[i].first, s->buckets[i].count * sizeof(*out));
		out += s->buckets[i].count;
	}
}

/* ---- every thread */

static uint64_t sort_own(struct worker *w)
{
	const struct bucketsort_args *args = w->args;
	struct sort *s = w->shared;
	struct bucket *b = &s->buckets[crew_rank(w)];

	struct sorter *own = w->own;
	const uint64_t bytes = b->count * sizeof(*b->first);
	int *values = policy_take(s->policy, &own->account, 0, b->first, bytes, true);
	const int64_t compiled = b->count ? uses_selection((int64_t)b->count) : 0;

	attempt(s, values, b->count);
	policy_call(s->policy, values, bytes, sizeof(*values), (struct uses){compiled, compiled});
	policy_works(&args->policy)->bucketsort(values, b->count);
	policy_release(s->policy, values, bytes);
	policy_give(s->policy, &own->account, 0, true);
	return b->count ? (uint64_t)uses_sum((int64_t)b->count) : 0;
}

static uint64_t bucketsort_run(struct worker *w, uint64_t passes)
{
	struct sort *s = w->shared;
	struct sorter *own = w->own;
	uint64_t comparisons = 0;

	own->serial_ns = own->parallel_ns = 0;
	policy_begin(s->policy, &own->account);
	for (uint64_t pass = 0; pass < passes; pass++) {
		uint64_t begin = now_ns(), dealt, sorted;

		if (crew_rank(w) == 0 && !deal_out(w))
			own->full = true;
		meet(&s->meeting, &own->met, w);
		dealt = now_ns();
		own->serial_ns += dealt - begin;
		comparisons += sort_own(w);
		meet(&s->meeting, &own->met, w);
		sorted = now_ns();
		own->parallel_ns += sorted - dealt;
		if (crew_rank(w) == 0)
			join(w);
		meet(&s->meeting, &own->met, w);
		own->serial_ns += now_ns() - sorted;
	}
	policy_end(s->policy, &own->account);
	return comparisons;
}

static void bucketsort_tell(const struct worker *w, double *values)
{
	const struct sorter *own = w->own;

	policy_tell(w, values);
	values[POLICY_FIGURES] = (double)own->serial_ns;
	values[POLICY_FIGURES + 1] = (double)own->parallel_ns;
}

/* The same numbers in any order have the same sum. */
static uint64_t mixed(int x)
{
	return xorshift(((uint64_t)(uint32_t)x + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

static const char *bucketsort_verify(const struct worker *w, char *why, size_t size)
{
	const struct sorter *own = w->own;
	const uint64_t n = values_of(w);
	const int *sorted = output_of(w);
	uint64_t found = 0, expected = 0;

	if (own->full)
		return "a bucket has grown beyond the vector";
	if (crew_rank(w))
		return NULL;
	for (uint64_t i = 0; i < n; i++) {
		found += mixed(sorted[i]);
		expected += mixed(value(i));
		if (!i || sorted[i - 1] <= sorted[i])
			continue;
		snprintf(why, size, "value %" PRIu64 " of the sorted ones is below the one before",
			i);
		return why;
	}
	return found == expected ? NULL : "the sorted values are not those that it was given";
}

static const char *bucketsort_finds(const struct worker *w, int k)
{
	(void)w;
	(void)k;
	return "values to sort";
}

const struct kernel bucketsort_kernel = {
	.summary = "deals values out to buckets and sorts each by selection",
	.unit = "comparison",
	.run = bucketsort_run,
	.per_unit = {.loads = 2},
	.fixed = true,
	.migration.moves = policy_moves,
	.reset = policy_reset,
	.migration.arrange = policy_arrange,
	.figures = bucketsort_figures,
	.tell = bucketsort_tell,
	.params = bucketsort_params,
	.args_size = sizeof(struct bucketsort_args),
	.min_vectors = 1,
	.types = TYPE_SET(TYPE_INT),
	.check = bucketsort_check,
	.lacks_for = policy_lacks,
	.share = bucketsort_share,
	.setup = bucketsort_setup,
	.verify = bucketsort_verify,
	.teardown = free_own,
	.unshare = bucketsort_unshare,
	.prepares = true,
	.meetings.together = true,
	.finds = bucketsort_finds,
};
