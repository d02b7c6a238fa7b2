/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares the kernels of execution units with the limit of the core: operations per cycle of each
 * kernel, and the maximum that short loops of the same instruction reach in the same program, with
 * several numbers of chains. A cycle is the time of one add that waits for the previous one.
 * Samples of both alternate, and the fastest of each counts, because other activity of the machine
 * can only make samples slower. Prints values and ratios, without a verdict; a ratio near 1 is
 * right. If there is no single limit (random places, branches, moves that renaming may execute
 * alone), it prints none. load_ind and store_ind run with a stride of 8 bytes, as their limits do.
 *
 * usage: units [SAMPLES]    more samples for a machine that is not quiet
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "input/param.h"
#include "input/registry.h"

#define SAMPLES   201
#define SAMPLE_NS 100000 /* so short that other activity misses many samples */
#define BYTES     16384  /* fits every L1 */

#define TIMES_8(text) text text text text text text text text
#define REPEATED      8

typedef void limit_loop(uint64_t turns, void *p);

struct limit {
	const char *id;
	struct {
		limit_loop *loop;
		int chains;
	} tries[3];
};

#if defined(__x86_64__)
#include "units_x86.h"
#elif defined(__aarch64__)
#include "units_arm.h"
#else
#define INT_ADD
#define GPR_1
#define LOOP(name, chains, instruction)           \
	static void name(uint64_t turns, void *p) \
	{                                         \
		(void)turns;                      \
		(void)p;                          \
	}
#define SCALARS(X)
#define VECTORS(X)
#endif

#define SCALAR_LOOPS(id, instruction, a, na, b, nb, c, nc) \
	LOOP(id##_a, a, instruction)                       \
	LOOP(id##_b, b, instruction)                       \
	LOOP(id##_c, c, instruction)
#define SCALAR_ROW(id, instruction, a, na, b, nb, c, nc) \
	{#id, {{id##_a, na}, {id##_b, nb}, {id##_c, nc}}},
#define VECTOR_LOOPS(id, instruction)      \
	LOOP(id##_1, VEC_1, instruction)   \
	LOOP(id##_5, VEC_5, instruction)   \
	LOOP(id##_10, VEC_10, instruction) \
	LOOP(id##_15, VEC_15, instruction)
#define VECTOR_ROW(id, instruction)                            \
	{#id "_lat", {{id##_1, 1}, {id##_1, 1}, {id##_1, 1}}}, \
		{#id "_tput", {{id##_5, 5}, {id##_10, 10}, {id##_15, 15}}},

SCALARS(SCALAR_LOOPS)
VECTORS(VECTOR_LOOPS)
LOOP(one_add, GPR_1, INT_ADD)

static const struct limit limits[] = {SCALARS(SCALAR_ROW) VECTORS(VECTOR_ROW){NULL, {{NULL, 0}}}};

/* The data that the loops load: an address that points to itself, then numbers about 1. */
static union {
	void *self;
	double numbers[64];
} data __attribute__((aligned(64)));

static double loop_ns(limit_loop *loop, int chains, uint64_t turns)
{
	uint64_t t = clock_ns();

	loop(turns, &data);
	return (double)(clock_ns() - t) / (double)(turns * REPEATED * (uint64_t)chains);
}

static double kernel_ns(const struct kernel *k, struct worker *w, uint64_t passes)
{
	uint64_t t = clock_ns(), units = k->run(w, passes);

	return (double)(clock_ns() - t) / (double)units;
}

static double least(double a, double b)
{
	return a && a < b ? a : b;
}

static const struct limit *limit_of(const char *id)
{
	for (const struct limit *l = limits; l->id; l++)
		if (!strcmp(l->id, id))
			return l;
	return NULL;
}

static void print(const char *id, double ours, double limit, double cycle)
{
	printf("%-27s %9.4f %11.4f", id, ours, cycle / ours);
	if (limit)
		printf(" %11.4f %7.3f\n", cycle / limit, limit / ours);
	else
		printf(" %11s %7s\n", "-", "-");
	fflush(stdout);
}

/* The limits of load_ind and store_ind access one word after another. With the kernels' default
 * stride each access has a line of its own, and some cores store to one line in each cycle, but
 * twice to the same line. */
static void leave_no_gap(const char *id, const struct kernel *k, void *args)
{
	struct errors none = {0};

	if (!strcmp(id, "load_ind") || !strcmp(id, "store_ind"))
		param_set(param_find(k->params, "stride"), args, "8B", NOWHERE, &none);
	errors_free(&none);
}

static void compare(const char *id, const struct kernel *k, struct vector *v, long samples)
{
	const struct limit *l = limit_of(id);
	uint64_t args[16];
	struct worker w = {.workers = 1, .vectors = v, .nvectors = 1, .args = args};
	double ours = 0, limit = 0, cycle = 0;

	memset(args, 0, sizeof(args));
	param_defaults(k->params, args);
	leave_no_gap(id, k, args);
	if (k->setup && k->setup(&w))
		exit(1);
	double ns = kernel_ns(k, &w, 10) * (double)k->run(&w, 1);
	uint64_t passes = (uint64_t)(SAMPLE_NS / ns) + 1;

	for (long i = 0; i < samples; i++) {
		ours = least(ours, kernel_ns(k, &w, passes));
		cycle = least(cycle, loop_ns(one_add, 1, SAMPLE_NS / 8));
		for (int t = 0; l && t < 3; t++)
			limit = least(limit, loop_ns(l->tries[t].loop, l->tries[t].chains, 2000));
	}
	print(id, ours, limit, cycle);
	if (k->teardown)
		k->teardown(&w);
}

/* The kernels of single units of the core, as opposed to those of memory and of waiting. */
static bool is_unit(const char *id)
{
	static const char *const families[] = {
		"fp_", "int_", "dep_chain", "load_", "store_", "branch", "ctl_", "simd_"};

	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (!strncmp(id, families[i], strlen(families[i])))
			return true;
	return false;
}

int main(int argc, char **argv)
{
	long samples = argc > 1 ? atol(argv[1]) : SAMPLES;
	struct vector v = {.base = aligned_alloc(4096, BYTES),
		.elements = BYTES,
		.element_size = 1,
		.type = TYPE_CHAR};

	if (samples < 1) {
		fprintf(stderr, "usage: %s [SAMPLES]\n", argv[0]);
		return 2;
	}
	if (!v.base) {
		perror("16 KiB");
		return 1;
	}
	memset(v.base, 0, BYTES);
	data.self = &data;
	for (int i = 8; i < 64; i++)
		data.numbers[i] = 1 + 0x1p-30 * i;
	printf("kernels of execution units against short loops, %ld samples each\n", samples);
	printf("%-27s %9s %11s %11s %7s\n", "kernel", "ns", "per cycle", "limit", "ratio");
	for (const struct kernel_id *k = kernel_map; k->id; k++)
		if (is_unit(k->id) && !registry_lacks(k->kernel))
			compare(k->id, k->kernel, &v, samples);
	free(v.base);
	return 0;
}
