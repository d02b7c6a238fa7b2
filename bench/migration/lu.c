/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LU decompositions: figure 4.1 of Piccoli's dissertation; PROGRAM THREADS ROWS SETS. */
#include "pool.h"

/* A thread fills a matrix when it has taken it. */
static void fill(double *a, size_t n, size_t set)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			a[i * n + j] = (double)((set + i * 7 + j * 13) % 16) / 16 +
				       (i == j ? (double)n : 0);
}

static void split(double *a, double *b, double *c, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		b[i * n + i] = 1;
		for (size_t j = i + 1; j < n; j++) {
			b[j * n + i] = a[j * n + i] / a[i * n + i];
			for (size_t k = i + 1; k < n; k++)
				a[j * n + k] -= b[j * n + i] * a[i * n + k];
		}
		for (size_t k = i; k < n; k++)
			c[i * n + k] = a[i * n + k];
	}
}

static void work(struct set *s)
{
	fill(s->matrix[0], s->n, s->number);
	split(s->matrix[0], s->matrix[1], s->matrix[2], s->n);
}

int main(int argc, char **argv)
{
	(void)argc;
	return pool_main(argv, 2, fill_with_zero, work);
}
