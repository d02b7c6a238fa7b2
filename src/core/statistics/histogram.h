/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many values fell into which bucket (contract/event_times.h): only the buckets that have some.
 * Merging is exact. */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "contract/event_times.h"

struct bucket {
	int bucket;
	size_t count;
};

struct histogram {
	struct bucket *buckets; /* [count], ascending; owned */
	size_t count;
	size_t n, clamped; /* clamped: above all buckets, part of n */
	double sum;        /* of the values without the clamped ones */
	size_t least, most;
};

struct histogram histogram_of(const struct events_counts *c);
void histogram_free(struct histogram *h);

/* Adds what b has to a. */
void histogram_merge(struct histogram *a, const struct histogram *b);

/* The values of rank `rank`, from 1, are in this bucket: its ends, within least and most. Beyond
 * the buckets, in the clamped ones: INFINITY. The histogram has values. */
struct bucket_ends {
	double low, high;
};
struct bucket_ends histogram_at(const struct histogram *h, double rank);

/* How many values are at most `value`, and the sum of those above, a bucket by its middle. */
double histogram_up_to(const struct histogram *h, double value);
double histogram_sum_above(const struct histogram *h, double value);

#endif
