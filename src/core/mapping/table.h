/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A mapping in progress: data and functions that the methods in mapping.c and roundrobin.c
 * share. */
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
	int *order; /* [nseats]: seats in the machine's order */
	int *first; /* [ncores + 1]: index in order at which each core begins */
	int ncores;
	const char *level; /* the only one whose places the seats know; NULL: they know all */
	uint64_t seed;     /* MAPPING_RANDOM */
	bool counted;      /* threads are sorted by counts, not by shares */
	char *why;         /* [why_size]: the reason of the mapping, for the reports */
	size_t why_size;
};

/* Returns -1, 0 or 1, as qsort() requires. */
static inline int table_compare(int a, int b)
{
	return (a > b) - (a < b);
}

/* Returns the number of usable hardware threads of a core. */
static inline int table_seats(const struct table *t, int core)
{
	return t->first[core + 1] - t->first[core];
}

/* Returns the array 0 .. n - 1, to be freed. */
static inline int *table_numbers(int n)
{
	int *list = alloc_zeroed((size_t)n + 1, sizeof(*list));

	for (int i = 0; i < n; i++)
		list[i] = i;
	return list;
}

/* instruction.c: fills place[] by MAPPING_INSTRUCTION, and why[n]. Returns the type, or -1. */
int table_instruction(struct table *t, enum mapping_type by, char *why, size_t n);

/* Fills place[] by MAPPING_ROUNDROBIN, and why. */
void table_roundrobin(struct table *t);

#endif
