/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of matrices: figure 4.3 of Piccoli's dissertation; PROGRAM THREADS ROWS SETS. */
#include "pool.h"

static void multiply(const double *a, const double *b, double *c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			double sum = 0;

			for (size_t k = 0; k < n; k++)
				sum += a[i * n + k] * b[k * n + j];
			c[i * n + j] = sum;
		}
}

static void work(struct set *s)
{
	multiply(s->matrix[0], s->matrix[1], s->matrix[2], s->n);
}

int main(int argc, char **argv)
{
	(void)argc;
	return pool_main(argv, 2, fill_two, work);
}
