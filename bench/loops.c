/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cost of kernels beyond their accesses, in caches, where the ends of rounds and an extra
 * instruction show; of the access kernels also in memory. Compares each kernel with the loop that
 * one would write by hand, in the same process, over the same vectors, in pairs with random order.
 * Prints the ratio of their times, without a verdict; a ratio near 1 is right.
 *
 * usage: loops [PAIRS]    more pairs for a machine that is not quiet
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "contract/keep.h"
#include "input/param.h"
#include "input/registry.h"

#define LARGE        (64ull << 20) /* exceeds the caches of most machines: what users measure */
#define ROUNDS_BYTES (8u << 20)    /* so that a run takes a tenth of a millisecond or more */
#define STRIDE       192           /* bytes: the default of the kernels */
#define PAIRS        21            /* odd, so the median is one of them; enough for quartiles */
#define MOST         1001

#define SINK_char   "r"
#define SINK_double KEEP_FP
#define SINK(T, x)  __asm__ volatile("" : : SINK_##T(x))
#define BARRIER()   __asm__ volatile("" : : : "memory")

/* Aligned to the beginning of a line, like the kernels: the address of a short loop can double its
 * time. */
#define ALONE __attribute__((noinline, aligned(64), optimize("align-loops=64")))

/* The loops by hand: i and j as in the thesis, one statement after the other. */
#define BARE(kernel, T, ...)                                        \
	ALONE static void bare_##kernel##_##T(void *base, size_t n) \
	{                                                           \
		const size_t stride = STRIDE / sizeof(T);           \
		T *v = base, x;                                     \
                                                                    \
		for (size_t j = 0; j < stride; j++)                 \
			for (size_t i = j; i < n; i += stride) {    \
				__VA_ARGS__                         \
			}                                           \
		(void)x;                                            \
	}

#define BARE_FAMILY(T)                                                                     \
	BARE(read, T, x = v[i]; SINK(T, x);)                                               \
	BARE(write, T, v[i] = 'X'; BARRIER();)                                             \
	BARE(read_write, T, v[i] = (T)(v[i] + 1); BARRIER();)                              \
	BARE(write_read, T, v[i] = 'X'; BARRIER(); x = v[i]; SINK(T, x);)                  \
	BARE(read_write_read, T, v[i] = (T)(v[i] + 1); BARRIER(); x = v[i]; SINK(T, x);)   \
	BARE(write_read_write, T, v[i] = 'X'; BARRIER(); x = v[i]; SINK(T, x); v[i] = 'Y'; \
		BARRIER();)

BARE_FAMILY(char)
BARE_FAMILY(double)

/* Of kernels of bandwidth, four vectors in a turn: n bytes of each of the streams
 * a, b and c, which follow each other; rounds times. */
#if defined(__x86_64__)
typedef double wide __attribute__((vector_size(32), aligned(32)));
#define WIDE(x) __asm__ volatile("" : : "x"(x))
#define TARGET  __attribute__((target("avx2,fma")))
#define ISA     "avx2"
#else
typedef double wide __attribute__((vector_size(16), aligned(16)));
#define WIDE(x) __asm__ volatile("" : : "w"(x))
#define TARGET
#define ISA "neon"
#endif

/* clang-format off */
#define STORE(value) do { wide x = value; WIDE(x); a[i] = x; BARRIER(); } while (0)
/* clang-format on */

#define BARE_STREAMS(kernel, ...)                                                          \
	ALONE TARGET static void bare_##kernel(void *base, size_t n, uint64_t rounds)      \
	{                                                                                  \
		wide *a = base, s = {3, 3}, *b = a + n / sizeof(wide), *c = b + (b - a);   \
		const size_t all = n / sizeof(wide);                                       \
                                                                                           \
		(void)c, (void)s;                                                          \
		s += s;                                                                    \
		for (uint64_t round = 0; round < rounds; round++)                          \
			for (size_t j = 0; j < all; j += 4)                                \
				_Pragma("GCC unroll 4") for (size_t i = j; i < j + 4; i++) \
				{                                                          \
					__VA_ARGS__                                        \
				}                                                          \
	}

BARE_STREAMS(load, wide x = a[i]; WIDE(x);)
BARE_STREAMS(store, STORE(s);)
BARE_STREAMS(copy, STORE(b[i]);)
BARE_STREAMS(triad, STORE(b[i] + s * c[i]);)

/* RandomAccess of HPC Challenge: its generator, and a number of words that is a power of two. */
ALONE static void bare_gups(void *base, size_t n, uint64_t rounds)
{
	uint64_t *v = base, x = 1;
	const size_t words = n / sizeof(*v);

	for (uint64_t round = 0; round < rounds; round++)
		for (size_t k = 0; k < words; k++) {
			x = x << 1 ^ ((int64_t)x < 0 ? 7 : 0);
			v[x & (words - 1)] ^= x;
			BARRIER();
		}
}

/* Of patterns: the index that the kernel made follows the data. */
ALONE static void bare_gather(void *base, size_t n, uint64_t rounds)
{
	const uint64_t *data = base, *index = data + n / sizeof(*data);
	uint64_t sum = 0;

	for (uint64_t round = 0; round < rounds; round++) {
		for (size_t i = 0; i < n / sizeof(*data); i++)
			sum += data[index[i]];
		SINK(char, sum);
	}
}

ALONE static void bare_scatter(void *base, size_t n, uint64_t rounds)
{
	uint64_t *data = base, *index = data + n / sizeof(*data);

	for (uint64_t round = 0; round < rounds; round++) {
		for (size_t i = 0; i < n / sizeof(*data); i++)
			data[index[i]] = i;
		BARRIER();
	}
}

typedef void bare_rounds(void *base, size_t n, uint64_t rounds);

static const struct rounds_row {
	const char *id;
	int streams;
	bare_rounds *bare;
} rounds_rows[] = {
	{"load", 1, bare_load},
	{"store", 1, bare_store},
	{"copy", 2, bare_copy},
	{"triad", 3, bare_triad},
	{"gups", 1, bare_gups},
	{"gather", 2, bare_gather},
	{"scatter", 2, bare_scatter},
};

/* From small rounds to those that three streams fill L1 with, and one in L2. */
static const size_t round_bytes[] = {4096, 8192, 12288, 16384, 262144};

typedef void bare_loop(void *base, size_t n);

static const struct row {
	const char *id;
	bare_loop *bare_char, *bare_double;
} rows[] = {
	{"read", bare_read_char, bare_read_double},
	{"write", bare_write_char, bare_write_double},
	{"read_write", bare_read_write_char, bare_read_write_double},
	{"write_read", bare_write_read_char, bare_write_read_double},
	{"read_write_read", bare_read_write_read_char, bare_read_write_read_double},
	{"write_read_write", bare_write_read_write_char, bare_write_read_write_double},
};

/* Nanoseconds per access. The loop runs as many rounds as visit LARGE bytes in total. */
static double time_bare(bare_loop *bare, const struct vector *v, uint64_t rounds)
{
	uint64_t t = clock_ns();

	for (uint64_t i = 0; i < rounds; i++)
		bare(v->base, v->elements);
	return (double)(clock_ns() - t) / (double)(v->elements * rounds);
}

static double time_kernel(const struct kernel *kernel, struct worker *w, uint64_t rounds)
{
	uint64_t t = clock_ns();
	uint64_t units = kernel->run(w, rounds);

	return (double)(clock_ns() - t) / (double)units;
}

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Prints the median of the pairs' ratios with its quartiles, and the ratio of the fastest runs.
 * Other activity of the machine can only make runs slower. */
static void print(const char *id, const char *type, const struct vector *v, double *ours,
	double *bare, size_t pairs)
{
	double ratio[MOST];

	for (size_t i = 0; i < pairs; i++)
		ratio[i] = ours[i] / bare[i];
	qsort(ratio, pairs, sizeof(*ratio), ascending);
	qsort(ours, pairs, sizeof(*ours), ascending);
	qsort(bare, pairs, sizeof(*bare), ascending);
	printf("%-17s %-7s %5zuK %6.3f %14.3f %.3f %9.3f %12.3f\n", id, type,
		v->elements * v->element_size >> 10, ratio[pairs / 2], ratio[pairs / 4],
		ratio[pairs - 1 - pairs / 4], ours[0] / bare[0], bare[pairs / 2]);
	fflush(stdout);
}

static void compare(
	const char *id, const char *type, bare_loop *bare, struct vector *v, size_t pairs)
{
	const struct kernel *kernel = registry_find(id);
	double ours_ns[MOST], bare_ns[MOST];
	void *args = calloc(1, kernel->args_size);
	struct worker w = {.workers = 1, .vectors = v, .nvectors = 1, .args = args};

	if (!args)
		exit(1);
	param_defaults(kernel->params, args);
	uint64_t rounds = LARGE / (v->elements * v->element_size);
	memset(v->base, 0, LARGE); /* numbers of earlier runs could grow into slow ones */
	for (size_t i = 0; i < pairs; i++) {
		bool first = random() & 1;

		if (first)
			ours_ns[i] = time_kernel(kernel, &w, rounds);
		bare_ns[i] = time_bare(bare, v, rounds);
		if (!first)
			ours_ns[i] = time_kernel(kernel, &w, rounds);
	}
	free(args);
	print(id, type, v, ours_ns, bare_ns, pairs);
}

/* As the loops by hand. */
static void set_args(const struct kernel *kernel, void *args)
{
	struct errors none = {0};

	param_defaults(kernel->params, args);
	for (const struct param *p = kernel->params; p && p->name; p++)
		if (!strcmp(p->name, "isa") || !strcmp(p->name, "unroll"))
			param_set(p, args, *p->name == 'i' ? ISA : "4", NOWHERE, &none);
	errors_free(&none);
}

static double time_rounds(const struct rounds_row *r, struct worker *w, bool ours, uint64_t rounds)
{
	const struct vector *v = w->vectors;
	uint64_t t = clock_ns();

	if (ours)
		registry_find(r->id)->run(w, rounds);
	else
		r->bare(v->base, v->elements * v->element_size, rounds);
	return (double)(clock_ns() - t) / (double)(v->elements * rounds);
}

/* Streams of `bytes` each. */
static void compare_rounds(const struct rounds_row *r, void *base, size_t bytes, size_t pairs)
{
	const struct kernel *kernel = registry_find(r->id);
	struct vector vectors[3];
	double ours_ns[MOST], bare_ns[MOST];
	void *args = calloc(1, kernel->args_size + 1);
	struct worker w = {.workers = 1, .vectors = vectors, .nvectors = r->streams, .args = args};

	for (int i = 0; i < r->streams; i++)
		vectors[i] = (struct vector){.base = (char *)base + (size_t)i * bytes,
			.elements = bytes / sizeof(double),
			.element_size = sizeof(double),
			.type = TYPE_DOUBLE,
			.node = -1,
			.users = 1};
	if (!args)
		exit(1);
	set_args(kernel, args);
	if (kernel->setup(&w))
		exit(1);
	if (kernel->choose)
		kernel->choose(&w);
	for (size_t i = 0; i < pairs; i++) {
		bool first = random() & 1;

		if (first)
			ours_ns[i] = time_rounds(r, &w, true, ROUNDS_BYTES / bytes);
		bare_ns[i] = time_rounds(r, &w, false, ROUNDS_BYTES / bytes);
		if (!first)
			ours_ns[i] = time_rounds(r, &w, true, ROUNDS_BYTES / bytes);
	}
	kernel->teardown(&w);
	free(args);
	print(r->id, "double", vectors, ours_ns, bare_ns, pairs);
}

static void compare_all(void *base, size_t bytes, size_t pairs)
{
	struct vector chars = {
		.base = base, .elements = bytes, .element_size = 1, .type = TYPE_CHAR, .node = -1};
	struct vector doubles = {.base = base,
		.elements = bytes / sizeof(double),
		.element_size = sizeof(double),
		.type = TYPE_DOUBLE,
		.node = -1};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		compare(rows[i].id, "char", rows[i].bare_char, &chars, pairs);
		compare(rows[i].id, "double", rows[i].bare_double, &doubles, pairs);
	}
}

int main(int argc, char **argv)
{
	long pairs = argc > 1 ? atol(argv[1]) : PAIRS;
	void *base = aligned_alloc(1 << 21, LARGE);

	if (pairs < 1 || pairs > MOST) {
		fprintf(stderr, "usage: %s [PAIRS], 1 to %d\n", argv[0], MOST);
		return 2;
	}
	if (!base) {
		perror("64 MiB");
		return 1;
	}
	srandom(1); /* so that the random order is the same in each run */
	printf("access kernels against loops by hand, %ld pairs, stride %d bytes\n", pairs, STRIDE);
	printf("%-17s %-7s %6s %6s %20s %9s %12s\n", "kernel", "type", "vector", "ratio",
		"middle half", "fastest", "ns by hand");
	for (size_t i = 0; i < sizeof(rounds_rows) / sizeof(rounds_rows[0]); i++)
		for (size_t k = 0; k < sizeof(round_bytes) / sizeof(round_bytes[0]); k++)
			compare_rounds(&rounds_rows[i], base, round_bytes[k], (size_t)pairs);
	for (size_t k = 0; k < sizeof(round_bytes) / sizeof(round_bytes[0]); k++)
		compare_all(base, round_bytes[k], (size_t)pairs);
	compare_all(base, LARGE, (size_t)pairs);
	free(base);
	return 0;
}
