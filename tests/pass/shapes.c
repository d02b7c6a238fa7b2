/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Small functions for the compiler pass. Behind "expect" is what the pass must say of an array: its
 * name or argument, exact or estimated, the first and last byte, and the executions; where it says
 * exact, this is also what runs. a|b: as the version of LLVM is. A function without a line gets no
 * call.
 */
#include <stdio.h>
#include <stdlib.h>

#define F __attribute__((noinline)) /* and visible: no constant is passed on into them */
typedef unsigned char byte;

static double a[100000], b[100000], c[100000];
static int v[100000];
static byte t[100000];
static long sink;

/* ---- listings of the works */

/* expect: product 1 exact 0 28799 216000 */
/* expect: product 2 exact 0 28799 216000 */
/* expect: product 3 exact 0 28799 3600 */
F void product(const double *x, const double *y, double *z, long n)
{
	for (long i = 0; i < n; i++)
		for (long j = 0; j < n; j++) {
			double sum = 0;

			for (long k = 0; k < n; k++)
				sum += x[i * n + k] * y[k * n + j];
			z[i * n + j] = sum;
		}
}

/* expect: add 1 exact 0 28799 3600 */
/* expect: add 2 exact 0 28799 3600 */
/* expect: add 3 exact 0 28799 3600 */
F void add(const double *x, const double *y, double *z, long n)
{
	for (long i = 0; i < n; i++)
		for (long j = 0; j < n; j++)
			z[i * n + j] = x[i * n + j] + y[i * n + j];
}

/* y: n + n (n-1) / 2 + (n-1) n (2n-1) / 6; LLVM 14 keeps an element of each column in a register */
/* expect: lu 1 exact 0 28799 216000 */
/* expect: lu 2 exact 0 28799 70270|72040 */
/* expect: lu 3 exact 0 28799 1830 */
F void lu(double *x, double *y, double *z, long n)
{
	for (long i = 0; i < n; i++) {
		y[i * n + i] = 1;
		for (long j = i + 1; j < n; j++) {
			y[j * n + i] = x[j * n + i] / x[i * n + i];
			for (long k = i + 1; k < n; k++)
				x[j * n + k] -= y[j * n + i] * x[i * n + k];
		}
		for (long k = i; k < n; k++)
			z[i * n + k] = x[i * n + k];
	}
}

/* The search of the dissertation's figure 3.4: Q s (end - start - s + 1) executions, bytes from
 * start to end - 1. */
/* expect: search 1 estimated 100 899 100480 */
/* expect: search 4 estimated 0 15 100480 */
F long search(const byte *text, long start, long end, const byte *pattern, long s, long queries)
{
	long found = 0;

	for (long q = 0; q < queries; q++)
		for (long j = start; j < end - s + 1; j++) {
			long k = 0;

			while (k < s && text[j + k] == pattern[k])
				k++;
			found += k == s;
		}
	return found;
}

/* Figure 3 of the paper, sum by sum: rows 3 to 14 of 30, so also the overlap with a neighbour. */
/* expect: slices 1 exact 24 119 24 */
F void slices(double *x, long first, long region, long overlap)
{
	for (long i = first; i < first + region + overlap; i++)
		x[i] += 1;
}

/* expect: selection 1 estimated 0 399 5148 */
F void selection(int *x, long n)
{
	for (long j = 0; j < n - 1; j++) {
		long least = j;

		for (long i = j + 1; i < n; i++)
			if (x[i] < x[least])
				least = i;
		if (least != j) {
			int y = x[j];

			x[j] = x[least];
			x[least] = y;
		}
	}
}

/* ---- shapes of loops */

/* expect: up 1 exact 0 399 100 */
F void up(int *x, int n)
{
	for (int i = 0; i < n; i++)
		x[i] = i;
}

/* expect: until 1 exact 0 403 202 */
F void until(int *x, int n)
{
	for (int i = 0; i <= n; i++)
		x[i] += i;
}

/* expect: down 1 estimated|exact 0 399 200 */
F void down(int *x, int n)
{
	for (int i = n - 1; i >= 0; i--)
		x[i] ^= i;
}

/* expect: down3 1 estimated|exact 12 399 33 */
F long down3(const int *x, int n)
{
	long s = 0;

	for (int i = n - 1; i > 0; i -= 3)
		s = s * 3 + x[i] + (x[i] >> 1) - (s & 1) * x[n];
	return s;
}

/* expect: step4 1 exact 0 387 50 */
F void step4(int *x, int n)
{
	for (int i = 0; i < n; i += 4)
		x[i] += 3;
}

/* expect: pointers 1 exact 0 799 100 */
F long pointers(const long *p, const long *end)
{
	unsigned long s = 0;

	while (p != end)
		s = s * 5 + (unsigned long)*p++;
	return (long)s;
}

/* expect: dowhile 1 exact 0 399 200 */
F void dowhile(int *x, int n)
{
	int i = 0;

	do {
		x[i] += i;
	} while (++i < n);
}

/* expect: unsigned_index 1 exact 0 399 200 */
F void unsigned_index(int *x, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		x[i] += 2;
}

/* expect: offset 1 exact 40 439 200 */
F void offset(int *x, long from, long n)
{
	for (long i = 0; i < n; i++)
		x[from + i] += 2;
}

/* expect: two 1 exact 0 403 200 */
F void two(int *x, long n)
{
	for (long i = 0; i < n; i++)
		x[i] = x[i + 1] + 1;
}

/* expect: bytes 1 exact 0 99 200 */
F void bytes(byte *x, long n)
{
	for (long i = 0; i < n; i++)
		x[i] += 7;
}

struct point {
	int x, y;
};

/* expect: structs 1 exact 4 799 100 */
F long structs(const struct point *p, long n)
{
	unsigned long s = 0;

	for (long i = 0; i < n; i++)
		s = s * 3 + (unsigned long)p[i].y;
	return (long)s;
}

/* ---- nests */

/* expect: columns 1 exact 0 3199 800 */
F void columns(double *x, long n)
{
	for (long j = 0; j < n; j++)
		for (long i = 0; i < n; i++)
			x[i * n + j] *= 2;
}

/* expect: lower 1 exact 0 3199 420 */
F void lower(double *x, long n)
{
	for (long i = 0; i < n; i++)
		for (long j = 0; j <= i; j++)
			x[i * n + j] *= 2;
}

/* Row 0 has no turn. */
/* expect: below_diagonal 1 exact 160 3191 380 */
F void below_diagonal(double *x, long n)
{
	for (long i = 0; i < n; i++)
		for (long j = 0; j < i; j++)
			x[i * n + j] *= 2;
}

/* y[n] is for a turn that the inner loop does not have. */
/* expect: beside 1 exact 8 3039 380 */
/* expect: beside 2 exact 8 159 19 */
F void beside(double *restrict x, double *restrict y, long n)
{
	for (long i = 0; i < n; i++)
		for (long j = i + 1; j < n; j++)
			x[i * n + j] *= y[i + 1];
}

/* expect: upper 1 exact 0 3199 420 */
F void upper(double *x, long n)
{
	for (long i = 0; i < n; i++)
		for (long j = i; j < n; j++)
			x[i * n + j] *= 2;
}

/* A step of 4 rounds up in each row, which the sum leaves out: 1100 for y run. */
/* expect: fourths 1 estimated 0 3199 2500 */
/* expect: fourths 2 estimated 0 159 1250 */
F void fourths(double *restrict x, const double *restrict y, unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		for (unsigned long j = i + 1; j < n; j += 4)
			for (unsigned long k = 0; k < n; k++)
				x[i * n + k] += y[k];
}

/* expect: lengths 1 exact 20 79 240 */
F void lengths(int *x, int n, int m)
{
	for (int i = 0; i < n; i++)
		for (int j = i + 5; j < m; j++)
			x[j] += i;
}

/* expect: tetrahedron 1 exact 0 75 1330 */
F long tetrahedron(const int *x, long n)
{
	unsigned long s = 0;

	for (long i = 0; i < n; i++)
		for (long j = 0; j <= i; j++)
			for (long k = j; k <= i; k++)
				s = s * 3 + (unsigned long)x[k];
	return (long)s;
}

/* expect: ints 1 exact 0 1599 800 */
F void ints(int *x, int n)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			x[i * n + j] += 2;
}

/* expect: array2 1 exact 0 3999 2000 */
F void array2(int (*x)[50], int n)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < 50; j++)
			x[i][j] += j;
}

/* expect: again 1 exact 0 399 2000 */
F void again(int *x, int n, int times)
{
	for (int r = 0; r < times; r++)
		for (int i = 0; i < n; i++)
			x[i] += x[i] >> 3;
}

/* The call stays with each row; from the second row on the innermost loop does not run. */
/* expect: rows 1 exact 0 23 3 */
/* expect: rows array exact 0 79 40 */
/* expect: rows array exact 0 79 20 */
/* expect: rows array exact 0 79 20 */
F void rows(long **x, long n, long count, long m)
{
	for (long i = 0; i < count; i++)
		for (long j = 0; j < n; j++) {
			for (long k = 0; k < m - i; k++)
				x[i][k] += 1;
			x[i][j] ^= 3;
		}
}

/* The test of x[i] is in front of the inner loop, as that of its turns could be. */
/* expect: behind_test 1 estimated 0 799 1100 */
F long behind_test(const long *x, long n, long m)
{
	long s = 0;

	for (long i = 0; i < n; i++)
		if (x[i] & 1)
			for (long j = 0; j < m; j++)
				s = s * 3 + x[j];
	return s;
}

static void listings(void)
{
	product(a, b, c, 60);
	add(a, b, c, 60);
	for (int i = 0; i < 60; i++)
		a[i * 61] = 100;
	lu(a, b, c, 60);
	sink += search(t, 100, 900, t + 2000, 16, 8);
	slices(a, 3, 10, 2);
	selection(v, 100);
}

static void shapes(void)
{
	up(v, 100);
	until(v, 100);
	down(v, 100);
	sink += down3(v, 100);
	step4(v, 97);
	sink += pointers((long *)a, (long *)a + 100);
	dowhile(v, 100);
	unsigned_index(v, 100);
	offset(v, 10, 100);
	two(v, 100);
	bytes(t, 100);
	sink += structs((struct point *)v, 100);
	columns(a, 20);
	lower(a, 20);
	below_diagonal(a, 20);
	beside(a, b, 20);
	upper(a, 20);
	fourths(a, b, 20);
	lengths(v, 30, 20);
	lengths(v, 30, -3);
	sink += tetrahedron(v, 19);
	ints(v, 20);
	array2((int(*)[50])v, 20);
	again(v, 100, 10);
	sink += behind_test((long *)a, 100, 10);
	rows((long *[]){(long *)a, (long *)a + 20, (long *)a + 40}, 10, 3, 1);
}

int main(void)
{
	unsigned long sum = 0;

	sink = 20;
	listings();
	shapes();
	for (int i = 0; i < 100000; i++)
		sum = sum * 31 + (unsigned long)(a[i] * 16 + b[i] * 4 + c[i]) + (unsigned)v[i] +
		      t[i];
	printf("%lu %ld\n", sum, sink);
	return 0;
}
