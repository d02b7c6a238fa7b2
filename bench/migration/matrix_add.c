/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of matrices: figure 4.4 of Piccoli's dissertation; PROGRAM THREADS ROWS SETS. */
#include "pool.h"

static void add(const double *a, const double *b, double *c, size_t n)
{
	for (size_t i = 0; i < n * n; i++)
		c[i] = a[i] + b[i];
}

static void work(struct set *s)
{
	add(s->matrix[0], s->matrix[1], s->matrix[2], s->n);
}

int main(int argc, char **argv)
{
	(void)argc;
	return pool_main(argv, 2, fill_two, work);
}
