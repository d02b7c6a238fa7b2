/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * traffic: accesses to memory at a chosen rate and in a chosen ratio of reads and writes. Beside
 * chase it gives the loaded latency, as Intel's MLC and Mess (Esmaili-Dokht et al., MICRO 2024)
 * plot it.
 *
 * A round accesses the next 64 KiB of each of the thread's vectors, in lines of 64 bytes, and
 * continues at the beginning of a vector after its end. It stores to the part `writes` of each 16
 * consecutive lines, evenly spread, and loads the others; a load or store covers all 64 bytes.
 * After each line an empty loop of `gap` turns follows, about a clock cycle each. A unit is one
 * line; `bytes` are those that the program moves, `fills` those of the lines that are fetched
 * because the program stores to them.
 *
 * All threads start at the beginning of their vectors; if each thread has its own vector, this has
 * no effect.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keep.h"
#include "kernel.h"

#define LINE  64u
#define GROUP 16u /* lines: a ratio in sixteenths */

struct traffic_args {
	uint64_t gap;
	double writes;
};

static const struct param traffic_params[] = {
	{.name = "gap",
		.type = PARAM_COUNT,
		.offset = offsetof(struct traffic_args, gap),
		.fallback = "0",
		.max = 1e9,
		.flags = PARAM_PACE,
		.help = "turns of an empty loop after each line: about a clock cycle each"},
	{.name = "writes",
		.type = PARAM_FRACTION,
		.offset = offsetof(struct traffic_args, writes),
		.fallback = "0",
		.max = 1,
		.flags = PARAM_PACE,
		.help = "part of the lines that is stored to, such as 0.25; a multiple of 1/16"},
	{0},
};

/* Sixteen bytes: every CPU has these vectors, and wider ones would not speed up lines from memory.
 */
typedef long long quarter __attribute__((vector_size(16)));

static inline __attribute__((always_inline)) void load_quarter(const quarter *p)
{
	quarter x = *p;

#if defined(__aarch64__)
	__asm__ volatile("" : : "w"(x));
#else
	__asm__ volatile("" : : "x"(x));
#endif
}

static inline __attribute__((always_inline)) void store_quarter(quarter *p)
{
	const quarter mark = {1, 1};

	*p = mark;
	keep_memory();
}

/* Four calls: gcc 16 leaves a loop of four turns a loop. */
static inline __attribute__((always_inline)) void load_line(const quarter *p)
{
	load_quarter(p);
	load_quarter(p + 1);
	load_quarter(p + 2);
	load_quarter(p + 3);
}

static inline __attribute__((always_inline)) void store_line(quarter *p)
{
	store_quarter(p);
	store_quarter(p + 1);
	store_quarter(p + 2);
	store_quarter(p + 3);
}

static inline __attribute__((always_inline)) void wait_turns(uint64_t turns)
{
	for (; turns; turns--)
		__asm__ volatile("" : "+r"(turns));
}

static unsigned writes_of(const struct traffic_args *args)
{
	return (unsigned)lround(args->writes * GROUP);
}

/* Accesses `groups` groups of lines; bit i of `stored`: stores to line i of a group. */
HOT void traffic_lines(char *p, size_t groups, unsigned stored, uint64_t gap)
{
	do {
		for (unsigned i = 0; i < GROUP; i++) {
			if (stored >> i & 1)
				store_line((quarter *)p);
			else
				load_line((const quarter *)p);
			p += LINE;
			wait_turns(gap);
		}
	} while (--groups);
}

/* Only loads: without a branch between the lines, for full speed without a gap. */
HOT void traffic_loads(const char *p, size_t groups)
{
	do {
		for (unsigned i = 0; i < GROUP; i++, p += LINE)
			load_line((const quarter *)p);
	} while (--groups);
}

/* Returns a mask of n bits of 16, evenly spread. */
static unsigned spread(unsigned n)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < GROUP; i++)
		if ((i + 1) * n / GROUP > i * n / GROUP)
			bits |= 1u << i;
	return bits;
}

static size_t groups_of(const struct vector *v)
{
	return v->elements * v->element_size / (LINE * GROUP);
}

#define ROUND_GROUPS ((64u << 10) / (LINE * GROUP))

static uint64_t traffic_run(struct worker *w, uint64_t passes)
{
	const struct traffic_args *args = w->args;
	const unsigned stored = spread(writes_of(args));
	size_t *next = w->own; /* for each vector: the group to begin with */
	uint64_t units = 0;

	for (uint64_t pass = 0; pass < passes; pass++)
		for (int k = 0; k < w->nvectors; k++) {
			const struct vector *v = &w->vectors[k];
			const size_t all = groups_of(v), at = next[k];
			const size_t groups = all - at < ROUND_GROUPS ? all - at : ROUND_GROUPS;
			char *p = (char *)v->base + at * LINE * GROUP;

			if (!stored && !args->gap)
				traffic_loads(p, groups);
			else
				traffic_lines(p, groups, stored, args->gap);
			units += groups * GROUP;
			next[k] = at + groups < all ? at + groups : 0;
		}
	return units;
}

static const char *traffic_setup(struct worker *w)
{
	const size_t bytes = (size_t)w->nvectors * sizeof(size_t);

	/* aligned so that the states of two threads share no line */
	w->own = aligned_alloc(128, (bytes + 127) / 128 * 128);
	if (!w->own)
		return "no memory left for its state";
	memset(w->own, 0, bytes);
	return NULL;
}

static void traffic_teardown(struct worker *w)
{
	free(w->own);
	w->own = NULL;
}

static struct work traffic_work(const void *args)
{
	const double writes = writes_of(args) / (double)GROUP;

	return (struct work){.loads = 8 * (1 - writes),
		.stores = 8 * writes,
		.bytes = LINE,
		.fills = LINE * writes};
}

static const char *traffic_check(const struct worker *w, char *why, size_t n)
{
	const struct traffic_args *args = w->args;

	if (fabs(args->writes * GROUP - writes_of(args)) > 1e-9) {
		const double below = floor(args->writes * GROUP);

		snprintf(why, n, "writes = %g is not a multiple of 1/%u; the nearest are %g and %g",
			args->writes, GROUP, below / GROUP, (below + 1) / GROUP);
		return why;
	}
	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++)
		if (!groups_of(v)) {
			snprintf(why, n, "its vectors must have %u bytes at least", LINE * GROUP);
			return why;
		}
	return NULL;
}

const struct kernel traffic_kernel = {
	.summary = "loads and stores lines at a chosen rate, beside chase: loaded latency",
	.unit = "line",
	.params = traffic_params,
	.args_size = sizeof(struct traffic_args),
	.min_vectors = 1,
	.types = TYPES_WORDS,
	.per_unit = {.loads = 8, .bytes = LINE},
	.work = traffic_work,
	.check = traffic_check,
	.setup = traffic_setup,
	.run = traffic_run,
	.teardown = traffic_teardown,
};
