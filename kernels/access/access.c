/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The time of reads and writes of memory from the CPU that a thread runs on: six kernels, one for
 * each sequence of loads and stores of the same element (thesis, Code 3.1, 4.1-4.3).
 *
 * A round (one of `passes`) visits every element of the thread's part of each of its vectors
 * exactly once, one vector after another, or in turns (`alternate`); each visit is one unit. With
 * `hot`, elements of the hot part are visited again and again beside the others
 * (access_visit.h). The argument file decides whether other threads use the same vector at the same
 * time: the accesses are plain and race by intent.
 *
 *   forward  for j in 0..stride-1: for (i = j; i < part; i += stride). With the default stride of
 *            three lines, neither the neighbours in a line nor the next-line prefetch help.
 *   reverse  exactly that sequence, backwards.
 *   random   an order that no prefetcher can guess and that needs no memory of its own: a bijection
 *            of 0..2^k-1 maps a counter to an index, and the loop skips indices beyond the part.
 *            The order is the same in every thread, as with forward, and ignores stride. The 16
 *            instructions for the next index overlap with accesses that miss, but cost more than a
 *            hit in L1.
 *
 * The compiler cannot remove or move an access: keep() and keep_memory() keep each load and store
 * where the source has it, and scripts/loops counts them in the built object. Compiled
 * again with -O0 -DAFFINITY_O0, this file defines the twins read_O0_kernel ..., whose loops keep
 * their variables on the stack as those of the thesis do.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "access_visit.h"
#include "keep.h"
#include "kernel.h"

#ifdef AFFINITY_O0
#define SYMBOL(name)  name##_O0_kernel
#define SUMMARY(text) text ", compiled with -O0 as in the thesis"
#else
#define SYMBOL(name)  name##_kernel
#define SUMMARY(text) text
#endif

/* Every element type holds this value exactly, and the driver does not store it when it touches
 * the memory. */
#define MARK 'X'

static const char *const order_names[] = {"forward", "reverse", "random", NULL};

static const struct param access_params[] = {
	{.name = "stride",
		.type = PARAM_EXTENT,
		.offset = offsetof(struct access_args, stride),
		.fallback = "192B",
		.min = 1,
		.max = 0x1p50, /* a PiB: beyond any vector */
		.help = "distance of one access to the next; unused in random order"},
	{.name = "fraction",
		.type = PARAM_FRACTION,
		.offset = offsetof(struct access_args, fraction),
		.fallback = "1",
		.min = 1e-12, /* above 0: one element of the largest vector */
		.max = 1,
		.help = "the part of each vector, from its beginning, that is visited"},
	{.name = "order",
		.type = PARAM_CHOICE,
		.offset = offsetof(struct access_args, order),
		.fallback = "forward",
		.max = ORDER_RANDOM,
		.choices = order_names,
		.help = "sequence of the accesses"},
	{.name = "offset",
		.type = PARAM_FRACTION,
		.offset = offsetof(struct access_args, offset),
		.fallback = "0",
		.max = 1,
		.help = "where in that part the thread starts; it wraps around at the end"},
	{.name = "alternate",
		.type = PARAM_COUNT,
		.offset = offsetof(struct access_args, alternate),
		.fallback = "0",
		.max = 1e12,
		.help = "accesses of one vector before the next has its turn; 0: all"},
	{.name = "hot",
		.type = PARAM_FRACTION,
		.offset = offsetof(struct access_args, hot),
		.fallback = "0",
		.max = 1,
		.help = "the part of that part, from its beginning, that gets hotAccesses; 0: "
			"none"},
	{.name = "hotAccesses",
		.type = PARAM_FRACTION,
		.offset = offsetof(struct access_args, hot_accesses),
		.fallback = "90%",
		.min = 0.01,
		.max = 0.99,
		.help = "share of all accesses that the hot part gets, in whole percent"},
	{0},
};

/* The accesses themselves, T an element type and p an address. Where something is stored and then
 * loaded, keep_memory() makes it a real load; the processor may still forward the store to it. */

/* clang-format off */
#define ACCESS_read(T, p) do { \
	T x = *(T *)(p); \
	keep(x); \
} while (0)

#define ACCESS_write(T, p) do { \
	*(T *)(p) = MARK; \
	keep_memory(); \
} while (0)

#define ACCESS_read_write(T, p) do { \
	T x = *(T *)(p); \
	*(T *)(p) = (T)(x + 1); \
	keep_memory(); \
} while (0)

#define ACCESS_write_read(T, p) do { \
	ACCESS_write(T, p); \
	ACCESS_read(T, p); \
} while (0)

#define ACCESS_read_write_read(T, p) do { \
	ACCESS_read_write(T, p); \
	ACCESS_read(T, p); \
} while (0)

/* The last store is another constant instead of the loaded value plus one. So the element ends as
 * MARK + 1 even if other threads run this kernel on it at the same time, and verify() can check it. */
#define ACCESS_write_read_write(T, p) do { \
	ACCESS_write(T, p); \
	ACCESS_read(T, p); \
	*(T *)(p) = MARK + 1; \
	keep_memory(); \
} while (0)
/* clang-format on */

/* A bijection of 0..mask, mask = 2^k - 1, where half is about k / 2 and at least 1: multiplying by
 * an odd number and folding the upper bits into the lower ones are both invertible. The factors
 * have 31 bits so that x86 takes them as immediates; other factors with scattered bits would do. */
static inline __attribute__((always_inline)) uint64_t scatter(uint64_t i, uint64_t mask, int half)
{
	uint64_t x = i * 0x2c1b3c6d & mask;

	x ^= x >> half;
	x = x * 0x297a2d39 & mask;
	return x ^ x >> half;
}

/* The two hot loops of a kernel for one type. The skip is marked as unlikely so that the access
 * stays in line. */
#define LOOPS(name, T, type)                                                                   \
	HOT void loop_##name##_##T(uintptr_t p, size_t n, ptrdiff_t step)                      \
	{                                                                                      \
		do {                                                                           \
			ACCESS_##name(T, p);                                                   \
			p += (uintptr_t)step;                                                  \
		} while (--n);                                                                 \
	}                                                                                      \
	HOT void random_##name##_##T(                                                          \
		uintptr_t base, size_t n, uint64_t from, uint64_t to, uint64_t mask, int half) \
	{                                                                                      \
		do {                                                                           \
			size_t i = scatter(from, mask, half);                                  \
			if (__builtin_expect(i < n, 1))                                        \
				ACCESS_##name(T, base + i * sizeof(T));                        \
		} while (++from != to);                                                        \
	}

#define STRIDED(name, T, type) [type] = loop_##name##_##T,
#define RANDOM(name, T, type)  [type] = random_##name##_##T,

#define FOR_TYPES(X, name)         \
	X(name, char, TYPE_CHAR)   \
	X(name, short, TYPE_SHORT) \
	X(name, int, TYPE_INT)     \
	X(name, long, TYPE_LONG)   \
	X(name, float, TYPE_FLOAT) \
	X(name, double, TYPE_DOUBLE)

static const char *access_check(const struct worker *w, char *why, size_t n)
{
	return check_visit(w, why, n);
}

#define TYPE_NAME(name, T, type) [type] = #T,

static bool access_takes_loop(const struct worker *w, const char *loop)
{
	static const char *const types[ELEMENT_TYPES] = {FOR_TYPES(TYPE_NAME, )};
	const bool random = ((const struct access_args *)w->args)->order == ORDER_RANDOM;
	bool typed = false;

	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++)
		typed |= !strcmp(strrchr(loop, '_') + 1, types[v->type]);
	return typed && random == !strncmp(loop, "random_", strlen("random_"));
}

static const char *access_revisits(const struct worker *w, char *why, size_t n)
{
	const struct access_args *args = w->args;

	if (!(args->hot > 0))
		return NULL;
	snprintf(why, n, "hot = %g", args->hot);
	return why;
}

static double element(const struct vector *v, size_t i)
{
	switch (v->type) {
	case TYPE_CHAR:
		return ((const char *)v->base)[i];
	case TYPE_SHORT:
		return ((const short *)v->base)[i];
	case TYPE_INT:
		return ((const int *)v->base)[i];
	case TYPE_LONG:
		return (double)((const long *)v->base)[i];
	case TYPE_FLOAT:
		return (double)((const float *)v->base)[i];
	case TYPE_DOUBLE:
		return ((const double *)v->base)[i];
	case ELEMENT_TYPES:
		break;
	}
	assert(!"element type");
	return 0;
}

/* Checks up to 65536 elements of each vector, evenly spaced. That finds every page that was not
 * visited in 256 MiB, and takes less than a millisecond when the elements are cached. */
static const char *verify_value(const struct worker *w, char *why, size_t n, double expected)
{
	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++) {
		size_t all = part(v, w->args), some = all < 65536 ? all : 65536;

		for (size_t k = 0; k < some; k++) {
			size_t i = all / some * k + all % some * k / some;

			if (element(v, i) == expected)
				continue;
			snprintf(why, n, "element %zu of the thread's vector %td is %g, not %g", i,
				v - w->vectors, element(v, i), expected);
			return why;
		}
	}
	return NULL;
}

static const char *verify_mark(const struct worker *w, char *why, size_t n)
{
	return verify_value(w, why, n, MARK);
}

static const char *verify_mark_and_1(const struct worker *w, char *why, size_t n)
{
	return verify_value(w, why, n, MARK + 1);
}

static double access_reach(const struct worker *w)
{
	return ((const struct access_args *)w->args)->fraction;
}

static double access_hot(const struct worker *w)
{
	const struct access_args *args = w->args;

	return args->fraction * args->hot;
}

/* Defines the kernel `name` with the loops and functions that depend on its name. */
#define ACCESS_KERNEL(name, load, store, check_result, text)          \
	FOR_TYPES(LOOPS, name)                                        \
	static const struct loops name##_loops = {                    \
		.strided = {FOR_TYPES(STRIDED, name)},                \
		.random = {FOR_TYPES(RANDOM, name)},                  \
	};                                                            \
	static uint64_t name##_run(struct worker *w, uint64_t passes) \
	{                                                             \
		return visit(w, passes, &name##_loops);               \
	}                                                             \
	const struct kernel SYMBOL(name) = {                          \
		.summary = SUMMARY(text),                             \
		.unit = "access",                                     \
		.params = access_params,                              \
		.args_size = sizeof(struct access_args),              \
		.min_vectors = 1,                                     \
		.per_unit = {.loads = load, .stores = store},         \
		.check = access_check,                                \
		.takes_loop = access_takes_loop,                      \
		.accesses.revisits = access_revisits,                 \
		.accesses.reach = access_reach,                       \
		.accesses.hot = access_hot,                           \
		.fixed = true,                                        \
		.run = name##_run,                                    \
		.verify = check_result,                               \
	};

ACCESS_KERNEL(read, 1, 0, NULL, "loads each element, a stride of 192 B apart")
ACCESS_KERNEL(write, 0, 1, verify_mark, "stores a constant to each element")
ACCESS_KERNEL(read_write, 1, 1, NULL, "adds 1 to each element")
ACCESS_KERNEL(write_read, 1, 1, verify_mark, "stores a constant to each element, then loads it")
ACCESS_KERNEL(read_write_read, 2, 1, NULL, "adds 1 to each element, then loads it")
ACCESS_KERNEL(write_read_write, 1, 2, verify_mark_and_1,
	"stores a constant to each element, loads it, stores another")
