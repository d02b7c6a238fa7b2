/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pool of sets of square matrices, from which each thread takes the next. The k-th matrices of
 * all sets are one behind the other. */
#ifndef POOL_H
#define POOL_H

#include <stdatomic.h>

#include "threads.h"

struct set {
	double *matrix[3];
	size_t n, number;
};

static struct {
	double *matrices[3];
	size_t n, sets;
	atomic_size_t next;
	void (*work)(struct set *s);
} pool;

static inline struct set set_of(size_t number)
{
	const size_t at = number * pool.n * pool.n;
	struct set s = {.n = pool.n, .number = number};

	for (int k = 0; k < 3; k++)
		s.matrix[k] = pool.matrices[k] + at;
	return s;
}

static inline void *worker(void *rank)
{
	(void)rank;
	for (size_t number; (number = atomic_fetch_add(&pool.next, 1)) < pool.sets;) {
		struct set s = set_of(number);

		pool.work(&s);
	}
	return NULL;
}

/* PROGRAM THREADS ROWS SETS: fill() in one thread, work() in all; prints a sum of matrix `result`.
 */
static inline int pool_main(
	char **argv, int result, void (*fill)(struct set *s), void (*work)(struct set *s))
{
	const uint64_t threads = number(argv, 1, "threads", 1, MOST_THREADS);
	double sum = 0;

	pool.n = number(argv, 2, "rows of a matrix", 2, 65536);
	pool.sets = number(argv, 3, "sets of matrices", 1, 1 << 20);
	pool.work = work;
	for (int k = 0; k < 3; k++)
		pool.matrices[k] = memory(pool.sets * pool.n * pool.n * sizeof(double));
	for (size_t i = 0; i < pool.sets; i++) {
		struct set s = set_of(i);

		fill(&s);
	}
	run_threads(threads, worker);
	for (size_t i = 0; i < pool.sets * pool.n * pool.n; i++)
		sum += pool.matrices[result][i] * (double)(i % 7);
	printf("%.17g\n", sum);
	return 0;
}

static inline void fill_with_zero(struct set *s)
{
	for (int k = 0; k < 3; k++)
		for (size_t i = 0; i < s->n * s->n; i++)
			s->matrix[k][i] = 0;
}

/* Sixteenths: sums of products of them are exact. */
static inline void fill_two(struct set *s)
{
	fill_with_zero(s);
	for (size_t i = 0; i < s->n; i++)
		for (size_t j = 0; j < s->n; j++) {
			s->matrix[0][i * s->n + j] =
				(double)((s->number * 5 + i * 7 + j * 13) % 16 + 1) / 16;
			s->matrix[1][i * s->n + j] =
				(double)((s->number * 5 + 5 + j * 7 + i * 13) % 16 + 1) / 16;
		}
}

#endif
