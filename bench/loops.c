/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the access kernels cost beyond their accesses: each against the loop that one would write by
 * hand, in the same process, over the same vector, in pairs of which either is first at random.
 * Prints the ratio of their times; near 1 is right, and it judges nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "keep.h"
#include "param.h"
#include "registry.h"

#define BYTES  (64ull << 20) /* more than the caches of most machines */
#define STRIDE 192           /* bytes: the default of the kernels */
#define TURNS  21 /* odd, so that the median is one of them, and quartiles mean something */

#define SINK_char   "r"
#define SINK_double KEEP_FP
#define SINK(T, x)  __asm__ volatile("" : : SINK_##T(x))
#define BARRIER()   __asm__ volatile("" : : : "memory")

/* The loops by hand: i and j as in the thesis, one statement after the other. */
#define BARE(kernel, T, ...)                                                     \
	static void bare_##kernel##_##T(void *base)                              \
	{                                                                        \
		const size_t n = BYTES / sizeof(T), stride = STRIDE / sizeof(T); \
		T *v = base, x;                                                  \
                                                                                 \
		for (size_t j = 0; j < stride; j++)                              \
			for (size_t i = j; i < n; i += stride) {                 \
				__VA_ARGS__                                      \
			}                                                        \
		(void)x;                                                         \
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

static const struct row {
	const char *id;
	void (*bare_char)(void *base), (*bare_double)(void *base);
} rows[] = {
	{"read", bare_read_char, bare_read_double},
	{"write", bare_write_char, bare_write_double},
	{"read_write", bare_read_write_char, bare_read_write_double},
	{"write_read", bare_write_read_char, bare_write_read_double},
	{"read_write_read", bare_read_write_read_char, bare_read_write_read_double},
	{"write_read_write", bare_write_read_write_char, bare_write_read_write_double},
};

static double time_bare(void (*bare)(void *), void *base)
{
	uint64_t t = clock_ns();

	bare(base);
	return (double)(clock_ns() - t);
}

static double time_kernel(const struct kernel *kernel, struct worker *w)
{
	uint64_t t = clock_ns();

	kernel->run(w, 1);
	return (double)(clock_ns() - t);
}

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void compare(const char *id, const char *type, void (*bare)(void *), struct vector *v)
{
	const struct kernel *kernel = registry_find(id);
	double ratio[TURNS], bare_ns[TURNS];
	void *args = calloc(1, kernel->args_size);
	struct worker w = {.workers = 1, .vectors = v, .nvectors = 1, .args = args};

	if (!args)
		exit(1);
	param_defaults(kernel->params, args);
	memset(v->base, 0, BYTES); /* no number grows into a slow one, whatever ran before */
	for (int i = 0; i < TURNS; i++) {
		bool first = random() & 1;
		double ours = first ? time_kernel(kernel, &w) : 0;

		bare_ns[i] = time_bare(bare, v->base);
		if (!first)
			ours = time_kernel(kernel, &w);
		ratio[i] = ours / bare_ns[i];
	}
	free(args);
	qsort(ratio, TURNS, sizeof(*ratio), ascending);
	qsort(bare_ns, TURNS, sizeof(*bare_ns), ascending);
	printf("%-17s %-7s %6.3f %14.3f %.3f %12.3f\n", id, type, ratio[TURNS / 2],
		ratio[TURNS / 4], ratio[TURNS - 1 - TURNS / 4],
		bare_ns[TURNS / 2] / (double)v->elements);
	fflush(stdout);
}

int main(void)
{
	void *base = aligned_alloc(1 << 21, BYTES);
	struct vector chars = {base, BYTES, 1, TYPE_CHAR, -1};
	struct vector doubles = {base, BYTES / sizeof(double), sizeof(double), TYPE_DOUBLE, -1};

	if (!base) {
		perror("64 MiB");
		return 1;
	}
	srandom(1); /* the same sequence of turns each time */
	printf("access kernels against loops by hand, %d pairs, stride %d bytes\n", TURNS, STRIDE);
	printf("%-17s %-7s %6s %20s %12s\n", "kernel", "type", "ratio", "middle half",
		"ns by hand");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		compare(rows[i].id, "char", rows[i].bare_char, &chars);
		compare(rows[i].id, "double", rows[i].bare_double, &doubles);
	}
	free(base);
	return 0;
}
