/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two programs of Piccoli's dissertation (figures 4.1 and 4.2) on a pool of matrices: lu splits a
 * into b, lower, with ones on the diagonal, and c, upper; cholesky splits a symmetric a into b,
 * lower, and its transposed.
 *
 * As published, a thread fills a matrix when it has taken it; here not with ones, of which both
 * programs compute 0 / 0, but with a diagonal that outweighs the rest of its row, so that all
 * quotients and roots exist.
 */
#include "pool.h"
#include "uses.h"
#include "works.h"

static void nothing(const struct set *s)
{
	(void)s;
}

/* ---- lu */

static void lu_begin(const struct works *works, const struct set *s)
{
	works->lu_fill(s->matrix[0], s->n, s->number);
}

static void lu_compute(const struct works *works, const struct set *s)
{
	works->lu(s->matrix[0], s->matrix[1], s->matrix[2], s->n);
}

/* The turns of the innermost loop. */
static int64_t lu_units(int64_t n)
{
	return uses_squares(n);
}

/* b (c x), and a x. */
static void lu_probe(const struct set *s, double *found, double *expected, double *cx)
{
	const double *b = s->matrix[1], *c = s->matrix[2];
	const uint64_t n = s->n;

	for (uint64_t i = 0; i < n; i++) {
		cx[i] = expected[i] = found[i] = 0;
		for (uint64_t j = i; j < n; j++)
			cx[i] += c[i * n + j] * probe(j);
		for (uint64_t j = 0; j < n; j++)
			expected[i] += works_element(n, s->number, i, j) * probe(j);
		for (uint64_t j = 0; j <= i; j++)
			found[i] += b[i * n + j] * cx[j];
	}
}

static void lu_uses(int64_t n, struct uses *uses)
{
	uses[0] = (struct uses){uses_lu_a(n), uses_lu_a(n)};
	uses[1] = (struct uses){uses_lu_b(n), uses_lu_b(n)};
	uses[2] = (struct uses){uses_lu_c(n), uses_lu_c(n)};
}

static const struct pool_program lu_program = {
	.matrices = 3,
	.fill = nothing,
	.begin = lu_begin,
	.filled = 1,
	.finds = 1 << 1 | 1 << 2, /* it stores to half of them */
	.stores = 1 << 0 | 1 << 1 | 1 << 2,
	.compute = lu_compute,
	.uses = lu_uses,
	.units = lu_units,
	.probe = lu_probe,
};

POOL_KERNEL(lu, "splits matrices of a pool into a lower and an upper one", "update", 3, 1)

/* ---- cholesky */

static void cholesky_begin(const struct works *works, const struct set *s)
{
	works->cholesky_fill(s->matrix[0], s->matrix[1], s->n, s->number);
}

static void cholesky_compute(const struct works *works, const struct set *s)
{
	works->cholesky(s->matrix[0], s->matrix[1], s->n);
}

/* The turns of the innermost loop. */
static int64_t cholesky_units(int64_t n)
{
	return (n - 1) * n * (n + 1) / 6;
}

/* b (b' x), and a x. */
static void cholesky_probe(const struct set *s, double *found, double *expected, double *bx)
{
	const double *b = s->matrix[1];
	const uint64_t n = s->n;

	for (uint64_t i = 0; i < n; i++) {
		bx[i] = expected[i] = found[i] = 0;
		for (uint64_t j = i; j < n; j++)
			bx[i] += b[j * n + i] * probe(j);
		for (uint64_t j = 0; j < n; j++)
			expected[i] += works_symmetric(n, s->number, i, j) * probe(j);
		for (uint64_t j = 0; j <= i; j++)
			found[i] += b[i * n + j] * bx[j];
	}
}

static void cholesky_uses(int64_t n, struct uses *uses)
{
	uses[0] = (struct uses){uses_cholesky_a(n), uses_cholesky_a_actual(n)};
	uses[1] = (struct uses){uses_cholesky_b(n), uses_cholesky_b_actual(n)};
}

static const struct pool_program cholesky_program = {
	.matrices = 2,
	.fill = nothing,
	.begin = cholesky_begin,
	.filled = 2,
	.stores = 1 << 0 | 1 << 1,
	.compute = cholesky_compute,
	.uses = cholesky_uses,
	.units = cholesky_units,
	.probe = cholesky_probe,
};

POOL_KERNEL(cholesky, "splits symmetric matrices of a pool into a lower one and its transposed",
	"multiplication", 2, 0)
