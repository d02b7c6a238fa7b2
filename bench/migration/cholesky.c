/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cholesky decompositions: figure 4.2 of Piccoli's dissertation; PROGRAM THREADS ROWS SETS. */
#include <math.h>

#include "pool.h"

/* A thread fills a matrix when it has taken it. */
static void fill(double *a, double *b, size_t n, size_t set)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			a[i * n + j] = (double)((set + i * j + (i + j) * 5) % 16) / 16 +
				       (i == j ? (double)n : 0);
			b[i * n + j] = 0;
		}
}

static void split(const double *a, double *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= i; j++) {
			double sum = 0;

			for (size_t k = 0; k < j; k++)
				sum += b[i * n + k] * b[j * n + k];
			if (i == j)
				b[i * n + j] = sqrt(a[i * n + i] - sum);
			else
				b[i * n + j] = 1 / b[j * n + j] * (a[i * n + j] - sum);
		}
}

static void work(struct set *s)
{
	fill(s->matrix[0], s->matrix[1], s->n, s->number);
	split(s->matrix[0], s->matrix[1], s->n);
}

int main(int argc, char **argv)
{
	(void)argc;
	return pool_main(argv, 1, fill_with_zero, work);
}
