/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sparse log-linear histograms. */
#include "statistics/histogram.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

struct histogram histogram_of(const struct events_counts *c)
{
	struct histogram h = {.n = c->n,
		.clamped = c->clamped,
		.sum = (double)c->sum,
		.least = c->least,
		.most = c->most};

	for (uint32_t i = 0; i < EVENTS_BUCKETS; i++)
		h.count += c->counts[i] != 0;
	h.buckets = alloc_zeroed(h.count + 1, sizeof(*h.buckets));
	h.count = 0;
	for (int i = 0; i < EVENTS_BUCKETS; i++)
		if (c->counts[i])
			h.buckets[h.count++] = (struct bucket){i, c->counts[i]};
	return h;
}

void histogram_free(struct histogram *h)
{
	free(h->buckets);
	*h = (struct histogram){0};
}

/* The values that a histogram has in buckets. */
static size_t count_values(const struct histogram *h)
{
	return h->n - h->clamped;
}

static void join_ends(struct histogram *a, const struct histogram *b)
{
	if (!count_values(a) || (count_values(b) && b->least < a->least))
		a->least = b->least;
	if (b->most > a->most)
		a->most = b->most;
	a->n += b->n;
	a->clamped += b->clamped;
	a->sum += b->sum;
}

void histogram_merge(struct histogram *a, const struct histogram *b)
{
	struct bucket *all = alloc_zeroed(a->count + b->count + 1, sizeof(*all));
	size_t i = 0, k = 0, n = 0;

	while (i < a->count || k < b->count) {
		const int own = i < a->count ? a->buckets[i].bucket : INT_MAX;
		const int other = k < b->count ? b->buckets[k].bucket : INT_MAX;

		all[n].bucket = own < other ? own : other;
		all[n].count += own <= other ? a->buckets[i++].count : 0;
		all[n].count += other <= own ? b->buckets[k++].count : 0;
		n++;
	}
	free(a->buckets);
	a->buckets = all;
	a->count = n;
	join_ends(a, b);
}

struct bucket_ends histogram_at(const struct histogram *h, double rank)
{
	size_t sum = 0;

	for (size_t i = 0; i < h->count; i++) {
		sum += h->buckets[i].count;
		if ((double)sum >= rank)
			return (struct bucket_ends){
				fmax(events_lowest(h->buckets[i].bucket), h->least),
				fmin(events_highest(h->buckets[i].bucket), h->most)};
	}
	return (struct bucket_ends){INFINITY, INFINITY};
}

static double middle(const struct bucket *b)
{
	return ((double)events_lowest(b->bucket) + (double)events_highest(b->bucket)) / 2;
}

double histogram_up_to(const struct histogram *h, double value)
{
	double sum = 0;

	for (size_t i = 0; i < h->count && middle(&h->buckets[i]) <= value; i++)
		sum += (double)h->buckets[i].count;
	return sum;
}

double histogram_sum_above(const struct histogram *h, double value)
{
	double sum = 0;

	for (size_t i = h->count; i && middle(&h->buckets[i - 1]) > value; i--)
		sum += middle(&h->buckets[i - 1]) * (double)h->buckets[i - 1].count;
	return sum;
}
