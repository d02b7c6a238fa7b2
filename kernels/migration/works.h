/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loops of the programs on page migration: plain C without calls, in a file of their own that
 * is compiled up to three times. What knows of policies calls them through these tables.
 */
#ifndef WORKS_H
#define WORKS_H

#include <stddef.h>
#include <stdint.h>

/* Of knn. */
struct place {
	double x, y;
};

struct neighbour {
	double distance; /* squared */
	uint64_t point;
};

struct works {
	const char *by; /* the compiler's version; NULL: not built, and the rest is NULL, too */
	/* Square matrices of n rows, one row behind the other. */
	void (*product)(const double *a, const double *b, double *c, size_t n);
	void (*matrix_add)(const double *a, const double *b, double *c, size_t n);
	void (*lu_fill)(double *a, size_t n, uint64_t set);
	void (*lu)(double *a, double *b, double *c, size_t n);
	void (*cholesky_fill)(double *a, double *b, size_t n, uint64_t set);
	void (*cholesky)(const double *a, double *b, size_t n);
	/* At how many of the text's places the pattern stands, which each query writes anew: an 'a'
	 * and then 'b'. The sum of all queries. */
	uint64_t (*strsearch)(const char *text, uint64_t places, char *pattern, uint64_t length,
		uint64_t queries);
	void (*bucketsort)(int *a, uint64_t n);
	/* points are numbers from to to - 1; lists has `most` of them for each query. */
	void (*knn)(const struct place *points, uint64_t from, uint64_t to,
		const struct place *asked, uint64_t queries, struct neighbour *lists,
		uint64_t most);
};

/* By the compiler of all kernels; by clang; by clang with the compiler pass (src/runtimes/pass),
 * which puts the calls of the runtime into them. */
extern const struct works works_driver, works_clang, works_compiled;

/* Inserts a neighbour into the list of those found so far, nearest first; the last one drops out.
 */
static inline void works_insert(
	struct neighbour *list, uint64_t *count, uint64_t most, struct neighbour x)
{
	uint64_t at;

	if (*count == most && x.distance >= list[most - 1].distance)
		return;
	at = *count < most ? (*count)++ : most - 1;
	for (; at && list[at - 1].distance > x.distance; at--)
		list[at] = list[at - 1];
	list[at] = x;
}

/* The matrices that lu and cholesky split: a diagonal of n and more, below n / n beside it. */
static inline double works_element(uint64_t n, uint64_t set, uint64_t i, uint64_t j)
{
	return (double)((set + i * 7 + j * 13) % 16) / 16 + (i == j ? (double)n : 0);
}

static inline double works_symmetric(uint64_t n, uint64_t set, uint64_t i, uint64_t j)
{
	return (double)((set + i * j + (i + j) * 5) % 16) / 16 + (i == j ? (double)n : 0);
}

#endif
