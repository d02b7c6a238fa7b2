/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bucketsort, figure 4.6 of Piccoli's dissertation: values are dealt out to buckets, each thread
 * sorts its bucket by selection, and they are joined; PROGRAM THREADS VALUES. */
#include <limits.h>
#include <string.h>

#include "threads.h"

struct bucket {
	int *first;
	uint64_t count, room;
};

static struct bucket buckets[MOST_THREADS];
static int *next_place;

static void sort(int *a, uint64_t n)
{
	for (uint64_t j = 0; j + 1 < n; j++) {
		uint64_t least = j;

		for (uint64_t i = j + 1; i < n; i++)
			if (a[i] < a[least])
				least = i;
		if (least != j) {
			int x = a[j];

			a[j] = a[least];
			a[least] = x;
		}
	}
}

static void *worker(void *rank)
{
	const struct bucket *b = &buckets[(uintptr_t)rank];

	sort(b->first, b->count);
	return NULL;
}

static void append(struct bucket *b, int x)
{
	if (b->count == b->room) {
		memcpy(next_place, b->first, b->count * sizeof(int));
		b->first = next_place;
		b->room *= 2;
		next_place += b->room;
	}
	b->first[b->count++] = x;
}

static void deal_out(const int *values, uint64_t n, uint64_t threads)
{
	int least = INT_MAX, most = INT_MIN;

	for (uint64_t i = 0; i < n; i++) {
		least = values[i] < least ? values[i] : least;
		most = values[i] > most ? values[i] : most;
	}
	const int64_t width = ((int64_t)most - least) / (int64_t)threads;

	for (uint64_t i = 0; i < threads; i++) {
		buckets[i] = (struct bucket){next_place, 0, n / threads + 1};
		next_place += buckets[i].room;
	}
	for (uint64_t i = 0; i < n; i++) {
		const uint64_t at = (uint64_t)(((int64_t)values[i] - least) / (width ? width : 1));

		append(&buckets[at < threads ? at : threads - 1], values[i]);
	}
}

int main(int argc, char **argv)
{
	(void)argc;
	const uint64_t threads = number(argv, 1, "threads", 1, MOST_THREADS);
	const uint64_t n = number(argv, 2, "values", 64 * threads, UINT64_C(1) << 32);
	int *values = memory((5 * n + 3 * threads) * sizeof(int)), *out = values + n;
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n; i++)
		values[i] = (int)(drawn(i) >> 33);
	next_place = values + 2 * n;
	deal_out(values, n, threads);
	run_threads(threads, worker);
	for (uint64_t i = 0; i < threads; out += buckets[i++].count)
		memcpy(out, buckets[i].first, buckets[i].count * sizeof(int));
	for (uint64_t i = 0; i < n; i++)
		sum = sum * 31 + (uint64_t)values[n + i];
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}
