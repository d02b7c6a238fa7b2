/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often the loops of the programs access their arrays: loads and stores, in closed form. So a
 * compiler can compute them before the loop runs (Piccoli, Unicamp 2016, section 3.1): every loop
 * runs to its end, both sides of every branch run, a loop with a step s has 1/s of the turns. Where
 * that is not what happens, a second function has the accesses that happen.
 *
 * n is the side of a matrix.
 */
#ifndef USES_H
#define USES_H

#include <stdint.h>

/* 0 + 1 + ... + n-1, and the squares of these. */
static inline int64_t uses_sum(int64_t n)
{
	return n * (n - 1) / 2;
}

static inline int64_t uses_squares(int64_t n)
{
	return (n - 1) * n * (2 * n - 1) / 6;
}

/* c = a + b: each matrix. Also a fill. */
static inline int64_t uses_once(int64_t n)
{
	return n * n;
}

/* c = a b: a and b. c: uses_once(). */
static inline int64_t uses_product(int64_t n)
{
	return n * n * n;
}

/* LU: a[j,i] / a[i,i] in each column below i; a[j,k] -= ... a[i,k] in the rest; c[i,k] = a[i,k]. */
static inline int64_t uses_lu_a(int64_t n)
{
	return 2 * uses_sum(n) + 3 * uses_squares(n) + uses_sum(n + 1);
}

/* b[i,i] = 1; b[j,i] = ... below; ... b[j,i] * ... in the rest. */
static inline int64_t uses_lu_b(int64_t n)
{
	return n + uses_sum(n) + uses_squares(n);
}

static inline int64_t uses_lu_c(int64_t n)
{
	return uses_sum(n + 1);
}

/* Cholesky: for each of the n (n + 1) / 2 places [i,j], a[i,i] on one side of the branch, a[i,j] on
 * the other. */
static inline int64_t uses_cholesky_a(int64_t n)
{
	return 2 * uses_sum(n + 1);
}

static inline int64_t uses_cholesky_a_actual(int64_t n)
{
	return uses_sum(n + 1);
}

/* b[i,k] * b[j,k] for k < j, which are (n-1) n (n+1) / 6 products; then b[i,j] = ... on one side,
 * b[i,j] = ... b[j,j] on the other. */
static inline int64_t uses_cholesky_b(int64_t n)
{
	return (n - 1) * n * (n + 1) / 3 + 3 * uses_sum(n + 1);
}

static inline int64_t uses_cholesky_b_actual(int64_t n)
{
	return (n - 1) * n * (n + 1) / 3 + 2 * uses_sum(n + 1) - n;
}

/* The search compares the pattern with the text at each place where it fits, to its end. */
static inline int64_t uses_strsearch(int64_t places, int64_t pattern, int64_t queries)
{
	return queries * places * pattern;
}

/* It ends at the first letter that differs, which is the pattern's first, unless it matches. */
static inline int64_t uses_strsearch_actual(
	int64_t places, int64_t pattern, int64_t queries, int64_t matches)
{
	return queries * (places + matches * (pattern - 1));
}

/* Selection sort of n elements: one of them in each comparison, a[j] on both sides of a swap. The
 * place of the other one is known only when the loop runs, so no compiler counts it. */
static inline int64_t uses_selection(int64_t n)
{
	return uses_sum(n) + 2 * (n - 1);
}

/* The search for neighbours compares each point's two coordinates, in each query. */
static inline int64_t uses_knn(int64_t points, int64_t queries)
{
	return 2 * points * queries;
}

/* The paper's figure 3, rows first .. end - 1 of `side`: for each column of every fourth that is
 * right of the diagonal, a sum of as many elements of c as it is away from it. u is how many
 * columns are right of the diagonal; all bounds are u of the first row down to that of the last. */
static inline int64_t uses_fig3_c(int64_t side, int64_t first, int64_t end)
{
	const int64_t most = side - first, least = side - end; /* u + 1 */

	/* the sum of u (u + 1) / 2, a quarter of it */
	return (uses_squares(most) - uses_squares(least) + uses_sum(most) - uses_sum(least)) / 8;
}

/* b[i,j] = 0, b[i,j] = b[i,j] + ..., ... + b[i,j] */
static inline int64_t uses_fig3_b(int64_t side, int64_t first, int64_t end)
{
	const int64_t columns = (uses_sum(side - first) - uses_sum(side - end)) / 4;

	return 2 * columns + 2 * uses_fig3_c(side, first, end);
}

/* a[i] = 0, a[i] = a[i] + ... */
static inline int64_t uses_fig3_a(int64_t side, int64_t first, int64_t end)
{
	return end - first + (uses_sum(side - first) - uses_sum(side - end)) / 2;
}

#endif
