/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many bytes a second a thread can move: ten kernels, the loops of STREAM and of likwid-bench.
 *
 *   load      x = a[i]              store     a[i] = s           store_nt  store past the caches
 *   copy      a[i] = b[i]           copy_nt   past the caches    scale     a[i] = s * b[i]
 *   add       a[i] = b[i] + c[i]    triad     a[i] = b[i] + s * c[i]
 *   update    a[i] = -a[i]          sum       x += a[i]
 *
 * A unit is one element of 8 bytes: a double where the kernel computes, else any word. a is the
 * thread's first vector, b the second, c the third, in the order of the argument file. A thread
 * with one vector splits it into parts for a, b and c; a thread with twice as many vectors as the
 * kernel takes uses two groups one after the other. A round accesses all groups once, from `offset`
 * to the end and then from the beginning to `offset`; with mode: time a round is divided into
 * steps. The rest of a stream behind the last whole block (unrolling x vector) is not accessed and
 * not counted.
 *
 * `bytes` are those that the program moves. A store to a line that is not cached fetches the line
 * first (write-allocate); `fills` counts that. `store_nt` and `copy_nt` avoid it.
 *
 * setup() fills the memory with numbers of ordinary size: arithmetic on data from other kernels
 * could be slow (denormals), and some processors treat zeros as a special case.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bandwidth.h"
#include "bandwidth_rounds.h"
#include "kernel.h"
#include "loops.h"

static const char *const unroll_names[] = {"auto", "1", "2", "4", "8", NULL};

static const struct param bandwidth_params[] = {
	{.name = "isa",
		.type = PARAM_CHOICE,
		.offset = offsetof(struct bandwidth_args, isa),
		.fallback = "auto",
		.max = BANDWIDTH_ISAS,
		.choices = bandwidth_isa_names,
		.help = "instructions; auto: what is quickest in the thread's own vectors"},
	{.name = "unroll",
		.type = PARAM_CHOICE,
		.offset = offsetof(struct bandwidth_args, unroll),
		.fallback = "auto",
		.max = BANDWIDTH_UNROLLS,
		.choices = unroll_names,
		.help = "SIMD vectors in one turn of the loop; auto: as for isa"},
	{.name = "prefetch",
		.type = PARAM_EXTENT,
		.offset = offsetof(struct bandwidth_args, prefetch),
		.fallback = "0",
		.max = 0x1p30,
		.help = "how far ahead of the loads lines are fetched by instruction, in doubles; "
			"0: none"},
	{.name = "offset",
		.type = PARAM_FRACTION,
		.offset = offsetof(struct bandwidth_args, offset),
		.fallback = "0",
		.max = 1,
		.help = "where in the vector the thread starts; it wraps around at the end"},
	{0},
};

/* The properties of an operation on a, b and c. */
static const struct traits {
	int streams;
	bool loads;           /* it loads data that could be prefetched */
	double before, after; /* of a[i]: the value from setup(), the value at the end */
	const char *finds;    /* what a must hold between samples; NULL: the kernel overwrites a */
} traits[BANDWIDTH_OP_COUNT] = {
	[BANDWIDTH_load] = {1, true, 1, 1, "ones"},
	[BANDWIDTH_store] = {1, false, -1, BANDWIDTH_SCALAR, NULL},
	[BANDWIDTH_store_nt] = {1, false, -1, BANDWIDTH_SCALAR, NULL},
	[BANDWIDTH_copy] = {2, true, -1, 1, NULL},
	[BANDWIDTH_copy_nt] = {2, true, -1, 1, NULL},
	[BANDWIDTH_scale] = {2, true, -1, BANDWIDTH_SCALAR * 1, NULL},
	[BANDWIDTH_add] = {3, true, -1, 1 + 2, NULL},
	[BANDWIDTH_triad] = {3, true, -1, 1 + BANDWIDTH_SCALAR * 2, NULL},
	[BANDWIDTH_update] = {1, true, 1, 1, "1 and -1"},
	[BANDWIDTH_sum] = {1, true, 1, 1, "ones"},
};

/* The initial values of b and c; a begins with traits.before. */
static const double content[BANDWIDTH_STREAMS] = {0, 1, 2};

#define LOOP_NAME 64 /* "store_nt_avx512_u8_ahead" */

/* The state of a thread; setup() allocates it. */
struct bandwidth {
	struct bandwidth_walk walk;
	struct bandwidth_way way;
	char without[LOOP_NAME];
};

#define OWN_BYTES 256 /* no line shared with another thread's */
_Static_assert(sizeof(struct bandwidth) <= OWN_BYTES, "the state of a thread has its own lines");

#define BANDWIDTH_NAME(op) #op,
static const char *loop_of(const struct bandwidth_args *args, enum bandwidth_op op,
	struct bandwidth_way way, char name[LOOP_NAME])
{
	static const char *const ops[] = {BANDWIDTH_OPS(BANDWIDTH_NAME)};

	snprintf(name, LOOP_NAME, "%s_%s_u%s%s", ops[op], way.isa->name,
		unroll_names[way.unroll + 1], args->prefetch.value ? "_ahead" : "");
	return name;
}

/* The ways that args allow for op, but those whose loop is spoiled if there are others. The last
 * one that is left out, or "", in `without`. */
static size_t ways_of(const struct bandwidth_args *args, enum bandwidth_op op,
	struct bandwidth_way ways[BANDWIDTH_WAYS], char without[LOOP_NAME])
{
	const size_t all = bandwidth_ways(op, args->isa, args->unroll, ways);
	char name[LOOP_NAME];
	size_t n = 0;

	*without = '\0';
	for (size_t i = 0; i < all; i++)
		if (!loop_is_spoiled(loop_of(args, op, ways[i], name)))
			ways[n++] = ways[i];
		else
			memcpy(without, name, sizeof(name));
	if (!n)
		*without = '\0';
	return n ? n : all;
}

static const char *bandwidth_lacks(
	const struct worker *w, enum bandwidth_op op, char *why, size_t n)
{
	const struct bandwidth_args *args = w->args;
	struct bandwidth_way ways[BANDWIDTH_WAYS];
	char names[64];

	if (bandwidth_ways(op, args->isa, args->unroll, ways))
		return NULL;
	snprintf(why, n, "isa = %s is not available here: this CPU has %s",
		bandwidth_isa_names[args->isa], bandwidth_usable(op, names, sizeof(names)));
	return why;
}

static const char *bandwidth_check(
	const struct worker *w, enum bandwidth_op op, char *why, size_t n)
{
	const struct bandwidth_args *args = w->args;
	const int streams = traits[op].streams;
	struct bandwidth_way ways[BANDWIDTH_WAYS];
	char without[LOOP_NAME];
	size_t block = 0;

	if (bandwidth_misfit(w, streams, why, n))
		return why;
	if (args->prefetch.value && !traits[op].loads) {
		snprintf(why, n,
			"prefetch: it loads nothing that could be fetched ahead; leave this "
			"kernel out");
		return why;
	}
	for (size_t i = ways_of(args, op, ways, without); i-- > 0;)
		block = bandwidth_block(ways[i]) > block ? bandwidth_block(ways[i]) : block;
	for (int g = 0; g < bandwidth_groups(w, streams); g++) {
		const size_t bytes = bandwidth_group(w, streams, g).bytes;

		for (int k = 1; k < streams && w->nvectors > 1; k++)
			if (bandwidth_bytes(&w->vectors[g * streams + k]) != bytes) {
				snprintf(why, n, "its vectors must be of the same size");
				return why;
			}
		if (bytes < block) {
			snprintf(why, n,
				"%zu bytes to go through are less than the %zu of one turn of the "
				"loop (unroll x vector); a larger sizePerVector, or a smaller "
				"unroll",
				bytes, block);
			return why;
		}
	}
	return NULL;
}

static bool bandwidth_takes_loop(const struct worker *w, enum bandwidth_op op, const char *loop)
{
	const struct bandwidth_args *args = w->args;
	struct bandwidth_way ways[BANDWIDTH_WAYS];
	char own[LOOP_NAME];
	bool takes = false;

	for (size_t i = ways_of(args, op, ways, own); i-- > 0 && !takes;)
		takes = !strcmp(loop, loop_of(args, op, ways[i], own));
	return takes;
}

/* Operations with a stream b store to a; no operation stores to b or c. */
static const char *bandwidth_finds(const struct worker *w, enum bandwidth_op op, int k)
{
	static const char *const whole[BANDWIDTH_STREAMS] = {NULL, "ones", "twos"};
	static const char *const parts[BANDWIDTH_STREAMS] = {NULL, "two parts", "three parts"};
	const int streams = traits[op].streams;

	if (streams == 1)
		return traits[op].finds;
	return w->nvectors == 1 ? parts[streams - 1] : whole[k % streams];
}

static ptrdiff_t distance(const struct bandwidth_args *args)
{
	return (ptrdiff_t)(args->prefetch.value * (args->prefetch.bytes ? 1 : sizeof(double)));
}

static uint64_t bandwidth_run(struct worker *w, uint64_t passes)
{
	struct bandwidth *b = w->own;

	return bandwidth_rounds(&b->walk, w, passes);
}

static uint64_t bandwidth_step(struct worker *w, uint64_t steps)
{
	struct bandwidth *b = w->own;

	return bandwidth_steps(&b->walk, w, steps);
}

static void fill(char *p, size_t bytes, double value)
{
	double *x = (double *)p;

	for (size_t i = 0; i < bytes / sizeof(*x); i++)
		x[i] = value;
}

static const char *bandwidth_setup(struct worker *w, enum bandwidth_op op)
{
	const int streams = traits[op].streams;
	struct bandwidth *b = aligned_alloc(OWN_BYTES, OWN_BYTES);

	if (!b)
		return "no memory left for its state";
	*b = (struct bandwidth){0};
	w->own = b;
	for (int g = 0; g < bandwidth_groups(w, streams); g++) {
		const struct bandwidth_group group = bandwidth_group(w, streams, g);

		for (int i = 0; i < streams; i++)
			fill(group.streams[i], group.bytes, i ? content[i] : traits[op].before);
	}
	return NULL;
}

static void bandwidth_choose(struct worker *w, enum bandwidth_op op)
{
	const struct bandwidth_args *args = w->args;
	const int streams = traits[op].streams;
	const struct bandwidth_group first = bandwidth_group(w, streams, 0);
	struct bandwidth_way ways[BANDWIDTH_WAYS];
	struct bandwidth *b = w->own;
	const size_t n = ways_of(args, op, ways, b->without);

	b->way = ways[bandwidth_quickest(
		op, ways, n, first.streams, first.bytes, args->prefetch.value > 0, distance(args))];
	/* the trials of update changed signs; the trials of the others left what a pass leaves */
	for (int g = 0; op == BANDWIDTH_update && g < bandwidth_groups(w, streams); g++)
		fill(bandwidth_group(w, streams, g).streams[0],
			bandwidth_group(w, streams, g).bytes, traits[op].before);
	b->walk = (struct bandwidth_walk){.op = op,
		.streams = streams,
		.loop = b->way.isa->loops[op][b->way.unroll][args->prefetch.value > 0],
		.block = bandwidth_block(b->way),
		.offset = args->offset,
		.ahead = distance(args)};
	bandwidth_begin(&b->walk, w);
}

static void bandwidth_chose(const struct worker *w, char *text, size_t n)
{
	const struct bandwidth_args *args = w->args;
	const struct bandwidth *b = w->own;

	text[0] = '\0';
	if (args->isa == BANDWIDTH_AUTO && args->unroll == BANDWIDTH_AUTO)
		snprintf(text, n, "isa %s unroll %s", b->way.isa->name,
			unroll_names[b->way.unroll + 1]);
	else if (args->isa == BANDWIDTH_AUTO)
		snprintf(text, n, "isa %s", b->way.isa->name);
	else if (args->unroll == BANDWIDTH_AUTO)
		snprintf(text, n, "unroll %s", unroll_names[b->way.unroll + 1]);
	if (*b->without)
		snprintf(
			text + strlen(text), n - strlen(text), ", without %s: spoiled", b->without);
}

static const char *bandwidth_verify(
	const struct worker *w, enum bandwidth_op op, char *why, size_t n)
{
	struct bandwidth *b = w->own;
	const int streams = traits[op].streams;

	bandwidth_complete(&b->walk, w);
	if (b->walk.wrong_sum) {
		snprintf(why, n, "the sum over the vector was not that of its elements");
		return why;
	}
	for (int g = 0; g < bandwidth_groups(w, streams); g++) {
		const struct bandwidth_group group = bandwidth_group(w, streams, g);
		const double *a = (const double *)group.streams[0];

		for (size_t k = 0; k < bandwidth_checked(&b->walk, &group); k++) {
			size_t i = bandwidth_place(&b->walk, &group, k);

			if ((op == BANDWIDTH_update && a[i] < 0 ? -a[i] : a[i]) == traits[op].after)
				continue;
			snprintf(why, n, "double %zu of group %d is %g, not %g", i, g, a[i],
				traits[op].after);
			return why;
		}
	}
	return NULL;
}

static void bandwidth_teardown(struct worker *w)
{
	free(w->own);
	w->own = NULL;
}

#define BANDWIDTH_PAST(op) \
	(BANDWIDTH_##op == BANDWIDTH_store_nt || BANDWIDTH_##op == BANDWIDTH_copy_nt)

/* Defines the kernel `op` with the functions that depend on its operation. */
#define BANDWIDTH_KERNEL(op, of, l, s, fetched, attribute, text)                               \
	static const char *op##_lacks(const struct worker *w, char *why, size_t n)             \
	{                                                                                      \
		return bandwidth_lacks(w, BANDWIDTH_##op, why, n);                             \
	}                                                                                      \
	static const char *op##_check(const struct worker *w, char *why, size_t n)             \
	{                                                                                      \
		return bandwidth_check(w, BANDWIDTH_##op, why, n);                             \
	}                                                                                      \
	static bool op##_takes_loop(const struct worker *w, const char *loop)                  \
	{                                                                                      \
		return bandwidth_takes_loop(w, BANDWIDTH_##op, loop);                          \
	}                                                                                      \
	static const char *op##_finds(const struct worker *w, int k)                           \
	{                                                                                      \
		return bandwidth_finds(w, BANDWIDTH_##op, k);                                  \
	}                                                                                      \
	static const char *op##_setup(struct worker *w)                                        \
	{                                                                                      \
		return bandwidth_setup(w, BANDWIDTH_##op);                                     \
	}                                                                                      \
	static void op##_choose(struct worker *w)                                              \
	{                                                                                      \
		bandwidth_choose(w, BANDWIDTH_##op);                                           \
	}                                                                                      \
	static const char *op##_verify(const struct worker *w, char *why, size_t n)            \
	{                                                                                      \
		return bandwidth_verify(w, BANDWIDTH_##op, why, n);                            \
	}                                                                                      \
	const struct kernel op##_kernel = {                                                    \
		.summary = text,                                                               \
		.unit = "element",                                                             \
		.params = bandwidth_params,                                                    \
		.args_size = sizeof(struct bandwidth_args),                                    \
		.min_vectors = 1,                                                              \
		.types = TYPES_##of,                                                           \
		.per_unit = {.loads = l, .stores = s, .bytes = 8 * (l + s), .fills = fetched}, \
		.measures = ATTRIBUTE_##attribute,                                             \
		.accesses.past_caches = BANDWIDTH_PAST(op),                                    \
		.prepares = true,                                                              \
		.finds = op##_finds,                                                           \
		.lacks_for = op##_lacks,                                                       \
		.check = op##_check,                                                           \
		.takes_loop = op##_takes_loop,                                                 \
		.setup = op##_setup,                                                           \
		.choose = op##_choose,                                                         \
		.chose = bandwidth_chose,                                                      \
		.run = bandwidth_run,                                                          \
		.step = bandwidth_step,                                                        \
		.verify = op##_verify,                                                         \
		.teardown = bandwidth_teardown,                                                \
	};

BANDWIDTH_KERNEL(
	load, WORDS, 1, 0, 0, READ_BANDWIDTH, "bandwidth of x = a[i], all elements in order")
BANDWIDTH_KERNEL(store, WORDS, 0, 1, 8, WRITE_BANDWIDTH, "bandwidth of a[i] = s")
BANDWIDTH_KERNEL(store_nt, WORDS, 0, 1, 0, WRITE_BANDWIDTH,
	"bandwidth of a[i] = s past the caches (non-temporal)")
BANDWIDTH_KERNEL(copy, WORDS, 1, 1, 8, NONE, "bandwidth of a[i] = b[i]")
BANDWIDTH_KERNEL(copy_nt, WORDS, 1, 1, 0, NONE, "bandwidth of a[i] = b[i], stored past the caches")
BANDWIDTH_KERNEL(scale, DOUBLES, 1, 1, 8, NONE, "bandwidth of a[i] = s * b[i]")
BANDWIDTH_KERNEL(add, DOUBLES, 2, 1, 8, NONE, "bandwidth of a[i] = b[i] + c[i]")
BANDWIDTH_KERNEL(triad, DOUBLES, 2, 1, 8, NONE, "bandwidth of a[i] = b[i] + s * c[i]")
BANDWIDTH_KERNEL(update, DOUBLES, 1, 1, 0, NONE, "bandwidth of a[i] = -a[i]")
BANDWIDTH_KERNEL(sum, DOUBLES, 1, 0, 0, NONE, "bandwidth of x += a[i]")
