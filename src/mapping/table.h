/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A mapping in progress: what the methods of mapping.c share. */
#ifndef MAPPING_TABLE_H
#define MAPPING_TABLE_H

#include "base/alloc.h"
#include "mapping/mapping.h"

struct table {
	const struct mapping_seat *seats;
	int nseats;
	const struct mapping_thread *threads;
	int nthreads;
	int *place;
	int *order; /* [nseats]: seats as they lie in the machine */
	int *first; /* [ncores + 1]: where in order each core begins */
	int ncores;
	char *why; /* [why_size]: the reason of the mapping, for the reports */
	size_t why_size;
};

/* -1, 0 or 1, as qsort() wants it. */
static inline int table_compare(int a, int b)
{
	return (a > b) - (a < b);
}

/* The hardware threads of a core that may be used. */
static inline int table_seats(const struct table *t, int core)
{
	return t->first[core + 1] - t->first[core];
}

/* 0 .. n - 1, to be freed. */
static inline int *table_numbers(int n)
{
	int *list = alloc_zeroed((size_t)n + 1, sizeof(*list));

	for (int i = 0; i < n; i++)
		list[i] = i;
	return list;
}

/* Fills place[] by MAPPING_ROUNDROBIN, and why[n]. */
void table_roundrobin(struct table *t, char *why, size_t n);

#endif
