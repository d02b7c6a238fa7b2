/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The nearest neighbours of places in a plane, one of the programs of Piccoli et al. (PACT 2014),
 * whose loops are in neither text: each thread looks through its slice of the points for each
 * query; PROGRAM THREADS POINTS QUERIES NEIGHBOURS. */
#include <string.h>

#include "threads.h"

struct place {
	double x, y;
};

struct neighbour {
	double distance; /* squared */
	uint64_t point;
};

static struct place *points, *asked;
static struct neighbour *lists;
static uint64_t threads, n, queries, neighbours;

static struct place place_of(uint64_t i)
{
	const uint64_t r = drawn(i);

	return (struct place){
		(double)(uint32_t)r / UINT32_MAX, (double)(uint32_t)(r >> 32) / UINT32_MAX};
}

static void insert(struct neighbour *list, uint64_t *count, uint64_t most, struct neighbour x)
{
	uint64_t at;

	if (*count == most && x.distance >= list[most - 1].distance)
		return;
	at = *count < most ? (*count)++ : most - 1;
	for (; at && list[at - 1].distance > x.distance; at--)
		list[at] = list[at - 1];
	list[at] = x;
}

static void *worker(void *rank)
{
	const uint64_t from = n * (uintptr_t)rank / threads;
	const uint64_t end = n * ((uintptr_t)rank + 1) / threads, most = neighbours;
	const struct place *own = points;

	for (uint64_t q = 0; q < queries; q++) {
		const struct place at = asked[q];
		struct neighbour *list = lists + ((uintptr_t)rank * queries + q) * most;
		uint64_t count = 0;

		for (uint64_t i = from; i < end; i++) {
			const double x = own[i].x - at.x, y = own[i].y - at.y;

			insert(list, &count, most, (struct neighbour){x * x + y * y, i});
		}
	}
	return NULL;
}

int main(int argc, char **argv)
{
	double sum = 0;

	(void)argc;
	threads = number(argv, 1, "threads", 1, MOST_THREADS);
	n = number(argv, 2, "points", 1, UINT64_C(1) << 32);
	queries = number(argv, 3, "queries", 1, 1000000);
	neighbours = number(argv, 4, "neighbours", 1, n / threads);
	points = memory(n * sizeof(*points));
	asked = memory(queries * sizeof(*asked));
	lists = memory(threads * queries * neighbours * sizeof(*lists));
	for (uint64_t i = 0; i < n; i++)
		points[i] = place_of(i);
	for (uint64_t q = 0; q < queries; q++)
		asked[q] = place_of((UINT64_C(1) << 40) + q);
	run_threads(threads, worker);
	for (uint64_t i = 0; i < threads * queries * neighbours; i++)
		sum += lists[i].distance * (double)(i % 7) + (double)lists[i].point;
	printf("%.17g\n", sum);
	return 0;
}
