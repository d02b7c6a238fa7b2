/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two programs of Piccoli's dissertation (figures 4.3 and 4.4) on a pool of matrices. matrix_add
 * uses every element once, so no page is worth a move; product uses those of a and b as often as a
 * matrix has rows, those of c once.
 */
#include "pool.h"
#include "uses.h"
#include "works.h"

/* Sixteenths: sums of thousands of products of them are exact. */
static double element(uint64_t set, uint64_t i, uint64_t j)
{
	return (double)((set * 5 + i * 7 + j * 13) % 16 + 1) / 16;
}

static void fill_both(const struct set *s)
{
	for (uint64_t i = 0; i < s->n; i++)
		for (uint64_t j = 0; j < s->n; j++) {
			s->matrix[0][i * s->n + j] = element(s->number, i, j);
			s->matrix[1][i * s->n + j] = element(s->number + 1, j, i);
		}
}

/* ---- product: c = a b */

static void product_compute(const struct works *works, const struct set *s)
{
	works->product(s->matrix[0], s->matrix[1], s->matrix[2], s->n);
}

/* c x, and a (b x). */
static void product_probe(const struct set *s, double *found, double *expected, double *bx)
{
	const double *c = s->matrix[2];

	for (uint64_t i = 0; i < s->n; i++) {
		found[i] = bx[i] = 0;
		for (uint64_t j = 0; j < s->n; j++) {
			found[i] += c[i * s->n + j] * probe(j);
			bx[i] += element(s->number + 1, j, i) * probe(j);
		}
	}
	for (uint64_t i = 0; i < s->n; i++) {
		expected[i] = 0;
		for (uint64_t j = 0; j < s->n; j++)
			expected[i] += element(s->number, i, j) * bx[j];
	}
}

static void product_uses(int64_t n, struct uses *uses)
{
	uses[0] = uses[1] = (struct uses){uses_product(n), uses_product(n)};
	uses[2] = (struct uses){uses_once(n), uses_once(n)};
}

static const struct pool_program product_program = {
	.matrices = 3,
	.fill = fill_both,
	.finds = 1 << 0 | 1 << 1,
	.stores = 1 << 2,
	.compute = product_compute,
	.uses = product_uses,
	.units = uses_product,
	.probe = product_probe,
};

POOL_KERNEL(product, "multiplies matrices of a pool, row by column", "multiplication", 2, 0)

/* ---- matrix_add: c = a + b */

static void matrix_add_compute(const struct works *works, const struct set *s)
{
	works->matrix_add(s->matrix[0], s->matrix[1], s->matrix[2], s->n);
}

static void matrix_add_probe(const struct set *s, double *found, double *expected, double *spare)
{
	const double *c = s->matrix[2];

	(void)spare;
	for (uint64_t i = 0; i < s->n; i++) {
		found[i] = expected[i] = 0;
		for (uint64_t j = 0; j < s->n; j++) {
			double sum = element(s->number, i, j) + element(s->number + 1, j, i);

			found[i] += c[i * s->n + j] * probe(j);
			expected[i] += sum * probe(j);
		}
	}
}

static void matrix_add_uses(int64_t n, struct uses *uses)
{
	for (int k = 0; k < 3; k++)
		uses[k] = (struct uses){uses_once(n), uses_once(n)};
}

static const struct pool_program matrix_add_program = {
	.matrices = 3,
	.fill = fill_both,
	.finds = 1 << 0 | 1 << 1,
	.stores = 1 << 2,
	.compute = matrix_add_compute,
	.uses = matrix_add_uses,
	.units = uses_once,
	.probe = matrix_add_probe,
};

POOL_KERNEL(matrix_add, "adds matrices of a pool", "addition", 2, 1)
