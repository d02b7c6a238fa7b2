/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loops of the programs on page migration. Without further words this file defines
 * works_driver; the Makefile compiles it again, with WORKS as the name of another table, and with
 * WORKS_ABSENT where there is no compiler for that one.
 *
 * The loops are the plain ones: they are what pages are moved for, not the fastest of their kind.
 * So that the pass finds nests with all their loops, nothing here is called in a loop, and no
 * barrier stands in one.
 */
#include "works.h"

#include <math.h>
#include <string.h>

#include "keep.h"

#ifndef WORKS
#define WORKS works_driver
#endif

#ifdef WORKS_ABSENT

const struct works WORKS = {0};

#else

HOT void loop_product(const double *a, const double *b, double *c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			double sum = 0;

			for (size_t k = 0; k < n; k++)
				sum += a[i * n + k] * b[k * n + j];
			c[i * n + j] = sum;
		}
}

HOT void loop_matrix_add(const double *a, const double *b, double *c, size_t n)
{
	for (size_t i = 0; i < n * n; i++)
		c[i] = a[i] + b[i];
}

HOT void fill_lu(double *a, size_t n, uint64_t set)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			a[i * n + j] = works_element(n, set, i, j);
}

HOT void loop_lu(double *a, double *b, double *c, size_t n)
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

HOT void fill_cholesky(double *a, double *b, size_t n, uint64_t set)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			a[i * n + j] = works_symmetric(n, set, i, j);
			b[i * n + j] = 0;
		}
}

HOT void loop_cholesky(const double *a, double *b, size_t n)
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

/* The pattern might be a part of the text, so that no query can be left out. */
HOT uint64_t loop_strsearch(
	const char *text, uint64_t places, char *pattern, uint64_t length, uint64_t queries)
{
	uint64_t found = 0;

	for (uint64_t query = 0; query < queries; query++) {
		memset(pattern, 'b', length);
		pattern[0] = 'a';
		for (uint64_t j = 0; j < places; j++) {
			uint64_t k = 0;

			while (k < length && text[j + k] == pattern[k])
				k++;
			found += k == length;
		}
	}
	return found;
}

HOT void loop_bucketsort(int *a, uint64_t n)
{
	for (uint64_t j = 0; j + 1 < n; j++) {
		uint64_t least = j;

		for (uint64_t i = j + 1; i < n; i++)
			if (a[i] < a[least])
				least = i;
		if (least != j) {
			int x = a[j];

			a[j] = a[least];
			a[least] = x;
		}
	}
}

HOT void loop_knn(const struct place *points, uint64_t from, uint64_t to, const struct place *asked,
	uint64_t queries, struct neighbour *lists, uint64_t most)
{
	for (uint64_t q = 0; q < queries; q++) {
		const struct place at = asked[q];
		struct neighbour *list = lists + q * most;
		uint64_t count = 0;

		for (uint64_t i = from; i < to; i++) {
			const double x = points[i - from].x - at.x, y = points[i - from].y - at.y;

			works_insert(list, &count, most, (struct neighbour){x * x + y * y, i});
		}
	}
}

const struct works WORKS = {
	.by = __VERSION__,
	.product = loop_product,
	.matrix_add = loop_matrix_add,
	.lu_fill = fill_lu,
	.lu = loop_lu,
	.cholesky_fill = fill_cholesky,
	.cholesky = loop_cholesky,
	.strsearch = loop_strsearch,
	.bucketsort = loop_bucketsort,
	.knn = loop_knn,
};

#endif
