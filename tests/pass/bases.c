/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * More small functions for the compiler pass. Behind "expect" is what the pass must say of an
 * array: its name or argument, exact or estimated, the first and last byte, and the executions;
 * where it says exact, this is also what runs. A function without a line gets no call.
 */
#include <stdio.h>
#include <stdlib.h>

#define F __attribute__((noinline)) /* and visible: no constant is passed on into them */
typedef unsigned char byte;

static double a[100000], b[100000], c[100000];
static int v[100000];
static byte t[100000];
static volatile int flag[100];
static long sink;

/* ---- conditions and exits: as if all ran */

/* expect: condition 1 estimated 0 399 200 */
F void condition(int *x, int n)
{
	for (int i = 0; i < n; i++)
		if (x[i] & 1)
			x[i] = 5;
}

/* expect: leaves 1 estimated 0 399 100 */
F int leaves(const int *x, int n)
{
	for (int i = 0; i < n; i++)
		if (x[i] == 77777)
			return i;
	return -1;
}

/* ---- loops that do not run */

F void zero(int *x, int n)
{
	for (int i = 0; i < n; i++)
		x[i] = 4;
}

F void zero_inside(int *x, int n, int m)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			x[i * 7 + j] += 4;
}

F void two_negative(int *x, int n, int m, int o)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			for (int k = 0; k < o; k++)
				x[i + j + k] += 4;
}

/* ---- bases */

/* expect: globals v exact 0 399 200 */
F void globals(int n)
{
	for (int i = 0; i < n; i++)
		v[i] += 3;
}

/* Two pointers to one array are two arrays. */
/* expect: aliases 1 exact 0 399 100 */
/* expect: aliases 2 exact 0 399 100 */
F void aliases(int *x, const int *y, int n)
{
	for (int i = 0; i < n; i++)
		x[i] = y[i] + 1;
}

/* expect: chosen array exact 0 399 200 */
F void chosen(int *x, int *y, int n)
{
	int *z = n > 50 ? x : y;

	for (int i = 0; i < n; i++)
		z[i] += 1;
}

/* ---- loaded again in each turn */

byte *letters;
long limit;

struct vector {
	long *x, n;
};

/* expect: reloaded_base letters estimated 0 99 200 */
F void reloaded_base(long n)
{
	for (long i = 0; i < n; i++)
		letters[i] += 7;
}

/* expect: reloaded_bound 1 estimated 0 799 200 */
F void reloaded_bound(struct vector *of)
{
	for (long i = 0; i < of->n; i++)
		of->x[i] += 2;
}

/* expect: reloaded_inside letters estimated 0 99 2000 */
F void reloaded_inside(long n, long times)
{
	for (long k = 0; k < times; k++)
		for (long i = 0; i < n; i++)
			letters[i] += 7;
}

/* The loop itself changes its bound. */
F void changed(long *x)
{
	for (long i = 0; i < limit; i++) {
		x[i] += 3;
		if (x[i] & 1)
			limit--;
	}
}

/* What is behind a test must not be loaded before it: `of` can be null. The loads of its fields
 * count as if it were not. */
/* expect: tested 1 estimated 0 15 30 */
F void tested(struct vector *of, long times)
{
	for (long k = 0; k < times; k++)
		if (of)
			for (long i = 0; i < of->n; i++)
				of->x[i] += 2;
}

/* A division is made where the program makes it. */
/* expect: divided 1 exact 400 799 200 */
F void divided(int *x, unsigned long n, unsigned long parts, unsigned long part)
{
	const unsigned long from = n * part / parts, end = n * (part + 1) / parts;

	for (unsigned long i = from; i < end; i++)
		x[i] += 2;
}

/* ---- calls */

__attribute__((noinline)) static void opaque(long x)
{
	__asm__ volatile("" : : "r"(x) : "memory");
}

/* expect: calls 1 exact 0 399 100 */
F void calls(const int *x, int n)
{
	for (int i = 0; i < n; i++)
		opaque(x[i]);
}

/* ---- left alone */

F void volatiles(int n)
{
	for (int i = 0; i < n; i++)
		flag[i] = i;
}

F void atomics(int *x, int n)
{
	for (int i = 0; i < n; i++)
		__atomic_fetch_add(&x[i], 1, __ATOMIC_RELAXED);
}

F void atomic_loads(int *x, int n)
{
	for (int i = 0; i < n; i++)
		sink += __atomic_load_n(&x[i], __ATOMIC_ACQUIRE);
}

F long gather(const int *x, const volatile int *at, int n)
{
	long s = 0;

	for (int i = 0; i < n; i++)
		s += x[at[i]];
	return s;
}

struct list {
	struct list *next;
	long value;
};

F long list(const struct list *l)
{
	long s = 0;

	for (; l; l = l->next)
		s += l->value;
	return s;
}

F long text(const char *s)
{
	long n = 0;

	while (s[n])
		n++;
	return n;
}

F long one_element(volatile long *stop, long *x)
{
	for (long i = 0; i < *stop; i++)
		*x += i ^ *stop;
	return *x;
}

F long local(int n)
{
	int own[64];
	unsigned long s = 0;

	for (int i = 0; i < n; i++)
		own[i] = i * n;
	opaque((long)own);
	for (int i = 0; i < n; i++)
		s = s * 3 + (unsigned long)own[i];
	return (long)s;
}

/* ---- a base behind a base, which all turns load again, for an address that is not understood */

struct behind {
	struct vector *of;
};

/* expect: twice_behind 2 exact 0 63 8 */
F long twice_behind(const struct behind *first, const long *at, const long **to, long n)
{
	long s = 0;

	for (long i = 0; i < n; i++) {
		s = s * 3 + first->of->x[at[i] % 8];
		*to = &at[i];
	}
	return s;
}

/* Indices that come back to their start: what a call in front could ask for ends behind the array.
 */
F unsigned long masked(const int *x, long n)
{
	unsigned long s = 0;

	for (long i = 0; i < n; i++)
		s = s * 3 + (unsigned)x[i & 7];
	return s;
}

F unsigned long of_8_bits(const int *x, long n)
{
	unsigned long s = 0;

	for (long i = 0; i < n; i++)
		s = s * 3 + (unsigned)x[(byte)i];
	return s;
}

F unsigned long modulo(const int *x, long n)
{
	unsigned long s = 0;

	for (long i = 0; i < n; i++)
		s = s * 3 + (unsigned)x[i % 10];
	return s;
}

/* expect: parts 1 exact 0 135 100 */
F unsigned long parts(const int *x, unsigned n)
{
	unsigned long s = 0;

	for (unsigned i = 0; i < n; i++)
		s = s * 3 + (unsigned)x[i / 3];
	return s;
}

/* expect: no_further 1 exact 0 123 100 */
F unsigned long no_further(const int *x, long n, long most)
{
	unsigned long s = 0;

	for (long i = 0; i < n; i++)
		s = s * 3 + (unsigned)x[i < most ? i : most];
	return s;
}

/* The last turn of the outer loop touches nothing: the innermost loop has no turns in it. */
/* expect: empty_at_end 1 exact 8 111 168 */
F void empty_at_end(long *x, long n)
{
	for (long i = n + 2; i >= 0; i--)
		for (long j = 0; j <= i; j++)
			for (long k = 0; k < j; k++)
				x[i + k] += i;
}

/* ---- numbers near the end of their types: the estimate ends where a call can say no more */

/* expect: enormous 1 estimated 0 399 9223372036854775807 */
F void enormous(int *x, long n, long m, long o)
{
	for (long i = 0; i < n; i++)
		for (long j = 0; j < m; j++)
			for (long k = 0; k < o; k++)
				for (long l = 0; l < 100; l++) {
					x[l] += 1;
					if (x[l] > 200)
						return;
				}
}

static void others(void)
{
	volatile long stop = 50;
	const long *seen;
	struct list two_of = {0, 5}, one_of = {&two_of, 4};

	condition(v, 100);
	sink += leaves(v, 100);
	zero(v, 0);
	zero(v, -5);
	zero_inside(v, 5, 0);
	empty_at_end((long *)b, 5);
	zero_inside(v, 5, -3);
	two_negative(v, 5, -3, -2);
	globals(100);
	aliases(v, v + 200, 100);
	chosen(v, v + 100, 100);
	letters = t;
	limit = 20;
	reloaded_base(100);
	reloaded_bound(&(struct vector){(long *)b, 100});
	reloaded_inside(100, 10);
	changed((long *)c);
	tested(NULL, 10);
	divided(v, 400, 4, 1);
	calls(v, 100);
	volatiles(100);
	atomics(v, 100);
	atomic_loads(v, 100);
	sink += gather(v, flag, 100) + list(&one_of) + text("some text");
	one_element(&stop, (long *)a);
	sink += local(50);
	sink = (long)((unsigned long)sink + masked(v, 100) + of_8_bits(v, 1000) + modulo(v, 100) +
		      parts(v, 100) + no_further(v, 100, 30));
	twice_behind(&(struct behind){&(struct vector){(long *)b, 100}}, (long *)c, &seen, 8);
	enormous(v, 1L << 62, 1L << 62, 1L << 62);
}

int main(void)
{
	unsigned long sum = 0;

	sink = 20;
	others();
	for (int i = 0; i < 100000; i++)
		sum = sum * 31 + (unsigned long)(a[i] * 16 + b[i] * 4 + c[i]) + (unsigned)v[i] +
		      t[i];
	printf("%lu %ld\n", sum, sink);
	return 0;
}
