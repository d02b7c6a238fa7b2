/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loads and stores, by the names of SMT-Bench, of words of 8 bytes in the thread's vectors,
 * whatever their element type. A unit is one load or store, a round 4096 of them; the next round
 * goes on where the last one ended, so that a vector of any size is gone through by enough rounds.
 *
 *   load_dep    walks a linked list: each load waits for the one before. The list has a node every
 *               `stride` bytes of all the thread's vectors, each node once, in a random cycle that
 *               no prefetcher can guess, or one after another (order: sequential).
 *   load_ind    loads word after word, store_ind stores: independent of each other
 *   load_rand   32 consecutive words from a random place, again and again; store_rand stores them
 *
 * The last four use the first of the thread's vectors. keep() and keep_memory() leave each load and
 * store where it is written.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "keep.h"
#include "kernel.h"

/* In vectors of any type. */
typedef uint64_t __attribute__((may_alias)) word;
struct __attribute__((may_alias)) node {
	struct node *next;
};

#define ROUND  4096 /* units */
#define STEPS  64   /* of load_dep in a turn of the loop */
#define BLOCK  128  /* of load_ind and store_ind: words in a turn of the loop */
#define RANDOM 32   /* words from a random place */
#define MARK   UINT64_C(0x5858585858585858) /* in each byte what the access kernels write */

/* clang-format off */
#define TIMES_4(X, i)  X((i)) X((i) + 1) X((i) + 2) X((i) + 3)
#define TIMES_16(X, i) TIMES_4(X, i) TIMES_4(X, (i) + 4) TIMES_4(X, (i) + 8) TIMES_4(X, (i) + 12)
#define TIMES_32(X, i) TIMES_16(X, i) TIMES_16(X, (i) + 16)
#define TIMES_64(X, i) TIMES_32(X, i) TIMES_32(X, (i) + 32)
#define TIMES_128(X, i) TIMES_64(X, i) TIMES_64(X, (i) + 64)

#define LOAD(i)  { long loaded = (long)p[i]; keep(loaded); }
#define STORE(i) { p[i] = mark; keep_memory(); }
#define STEP(i)  { at = at->next; keep_changed(at); }
/* clang-format on */

enum order { ORDER_RANDOM, ORDER_SEQUENTIAL };

static const char *const order_names[] = {"random", "sequential", NULL};

struct list_args {
	struct extent stride;
	int order;
};

static const struct param list_params[] = {
	{.name = "stride",
		.type = PARAM_EXTENT,
		.offset = offsetof(struct list_args, stride),
		.fallback = "128B", /* two lines: many prefetchers fetch them as a pair */
		.min = 1,
		.max = 0x1p50,
		.help = "distance of one node of the list to the next in memory"},
	{.name = "order",
		.type = PARAM_CHOICE,
		.offset = offsetof(struct list_args, order),
		.fallback = "random",
		.max = ORDER_SEQUENTIAL,
		.choices = order_names,
		.help = "in which the list goes through memory"},
	{0},
};

static size_t stride_bytes(const struct vector *v, const struct list_args *args)
{
	return args->stride.value * (args->stride.bytes ? 1 : v->element_size);
}

static size_t nodes_of(const struct vector *v, const struct list_args *args)
{
	const size_t stride = stride_bytes(v, args), bytes = v->elements * v->element_size;

	return bytes < sizeof(struct node) ? 0 : (bytes - sizeof(struct node)) / stride + 1;
}

/* Node i of all vectors' nodes. */
static struct node *node_at(const struct worker *w, size_t i)
{
	const struct vector *v = w->vectors;

	for (; i >= nodes_of(v, w->args); v++)
		i -= nodes_of(v, w->args);
	return (struct node *)((char *)v->base + i * stride_bytes(v, w->args));
}

static const char *list_check(const struct worker *w, char *why, size_t n)
{
	size_t nodes = 0;

	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++) {
		if (stride_bytes(v, w->args) % sizeof(struct node) != 0) {
			snprintf(why, n, "stride = %zu bytes is no multiple of a pointer's %zu",
				stride_bytes(v, w->args), sizeof(struct node));
			return why;
		}
		nodes += nodes_of(v, w->args);
	}
	if (nodes >= 2)
		return NULL;
	snprintf(why, n, "the vectors have room for %zu nodes of the list, which needs 2", nodes);
	return why;
}

static const char *revisited(size_t places, const char *what, char *why, size_t n)
{
	if (places >= ROUND)
		return NULL;
	snprintf(why, n, "a round of %d goes over the %zu %s again", ROUND, places, what);
	return why;
}

static const char *list_revisits(const struct worker *w, char *why, size_t n)
{
	size_t nodes = 0;

	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++)
		nodes += nodes_of(v, w->args);
	return revisited(nodes, "nodes of the list", why, n);
}

/* xorshift64 (Marsaglia 2003): never 0, the same sequence in every run. */
static inline uint64_t xorshift(uint64_t x)
{
	x ^= x << 13;
	x ^= x >> 7;
	return x ^ x << 17;
}

/* 0 .. n-1 from 64 random bits: the upper half of their product. */
static inline uint64_t below(uint64_t random, uint64_t n)
{
	return (uint64_t)((unsigned __int128)random * n >> 64);
}

/* Where a thread is between two rounds. */
struct position {
	struct node *node;
	word *at;
	uint64_t random;
	uint64_t units; /* done by the last run() */
};

static struct position *begin(struct worker *w)
{
	struct position *own = w->own = calloc(1, sizeof(*own));

	if (!own)
		return NULL;
	own->at = w->vectors[0].base;
	own->random = 0x9e3779b97f4a7c15 + (uint64_t)w->id;
	return own;
}

static void memory_teardown(struct worker *w)
{
	free(w->own);
	w->own = NULL;
}

/* Each node goes into the cycle behind one of those that are in it, by chance: that makes every
 * cycle of them equally likely, and needs no memory. */
static const char *list_setup(struct worker *w)
{
	const struct list_args *args = w->args;
	struct position *own = begin(w);
	uint64_t random = 0x9e3779b97f4a7c15;
	size_t nodes = 0;

	if (!own)
		return "no memory";
	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++)
		nodes += nodes_of(v, args);
	struct node *before = own->node = node_at(w, 0);
	before->next = before;
	for (size_t i = 1; i < nodes; i++) {
		struct node *node = node_at(w, i);

		if (args->order == ORDER_RANDOM) {
			random = xorshift(random);
			before = node_at(w, below(random, i));
		}
		node->next = before->next;
		before->next = node;
		before = node;
	}
	return NULL;
}

HOT struct node *loop_load_dep(uint64_t turns, struct node *at)
{
	do {
		TIMES_64(STEP, 0)
	} while (--turns);
	return at;
}

static uint64_t load_dep_run(struct worker *w, uint64_t passes)
{
	struct position *own = w->own;

	own->node = loop_load_dep(passes * (ROUND / STEPS), own->node);
	return passes * ROUND;
}

static size_t words_of(const struct worker *w)
{
	return w->vectors[0].elements * w->vectors[0].element_size / sizeof(word);
}

static const char *words_check(const struct worker *w, char *why, size_t n)
{
	if (words_of(w) >= BLOCK)
		return NULL;
	snprintf(why, n, "the vector has %zu bytes, fewer than the %zu of a turn of its loop",
		w->vectors[0].elements * w->vectors[0].element_size, BLOCK * sizeof(word));
	return why;
}

static const char *words_revisits(const struct worker *w, char *why, size_t n)
{
	return revisited(words_of(w), "words of the vector", why, n);
}

static const char *words_setup(struct worker *w)
{
	return begin(w) ? NULL : "no memory";
}

#define IND_LOOP(name, WORD)                                                                    \
	HOT word *loop_##name(uint64_t turns, word *p, word *first, const word *end)            \
	{                                                                                       \
		word mark = MARK;                                                               \
		keep_changed(mark);                                                             \
		do {                                                                            \
			TIMES_128(WORD, 0)                                                      \
			p += BLOCK;                                                             \
			if (p == end) {                                                         \
				p = first;                                                      \
				keep_changed(p); /* a jump, which is predicted; a move would be \
						    waited for */                               \
			}                                                                       \
		} while (--turns);                                                              \
		return p;                                                                       \
	}                                                                                       \
	static uint64_t name##_run(struct worker *w, uint64_t passes)                           \
	{                                                                                       \
		struct position *own = w->own;                                                  \
		word *first = w->vectors[0].base, *end = first + words_of(w) / BLOCK * BLOCK;   \
                                                                                                \
		own->at = loop_##name(passes * (ROUND / BLOCK), own->at, first, end);           \
		own->units = passes * ROUND;                                                    \
		return passes * ROUND;                                                          \
	}

#define RAND_LOOP(name, WORD)                                                          \
	HOT word *loop_##name(uint64_t turns, word *base, uint64_t n, uint64_t *state) \
	{                                                                              \
		uint64_t random = *state;                                              \
		word *p;                                                               \
                                                                                       \
		word mark = MARK;                                                      \
		keep_changed(mark);                                                    \
		do {                                                                   \
			random = xorshift(random);                                     \
			p = base + below(random, n);                                   \
			TIMES_32(WORD, 0)                                              \
		} while (--turns);                                                     \
		*state = random;                                                       \
		return p;                                                              \
	}                                                                              \
	static uint64_t name##_run(struct worker *w, uint64_t passes)                  \
	{                                                                              \
		struct position *own = w->own;                                         \
                                                                                       \
		own->at = loop_##name(passes * (ROUND / RANDOM), w->vectors[0].base,   \
			words_of(w) - RANDOM + 1, &own->random);                       \
		own->units = passes * ROUND;                                           \
		return passes * ROUND;                                                 \
	}

IND_LOOP(load_ind, LOAD)
IND_LOOP(store_ind, STORE)
RAND_LOOP(load_rand, LOAD)
RAND_LOOP(store_rand, STORE)

static const char *marked(const word *p, size_t words, char *why, size_t n)
{
	for (size_t i = 0; i < words; i++)
		if (p[i] != MARK) {
			snprintf(why, n, "word %zu of %zu that it stored is %#" PRIx64, i, words,
				(uint64_t)p[i]);
			return why;
		}
	return NULL;
}

/* Up to 512 KiB that were stored last. What was stored before, another operation may have changed
 * that takes turns with this one. */
static const char *store_ind_verify(const struct worker *w, char *why, size_t n)
{
	const struct position *own = w->own;
	const word *first = w->vectors[0].base;
	const size_t all = words_of(w) / BLOCK * BLOCK, at = (size_t)(own->at - first);
	size_t words = own->units < all ? own->units : all;

	words = words < 65536 ? words : 65536;
	const size_t behind = words < at ? words : at;
	const char *wrong = marked(own->at - behind, behind, why, n);

	return wrong ? wrong : marked(first + all - (words - behind), words - behind, why, n);
}

/* The last random place. */
static const char *store_rand_verify(const struct worker *w, char *why, size_t n)
{
	const struct position *own = w->own;

	return marked(own->at, own->units ? RANDOM : 0, why, n);
}

#define WORDS_KERNEL(name, what, load, store, check_result, text) \
	const struct kernel name##_kernel = {                     \
		.summary = text,                                  \
		.unit = what,                                     \
		.min_vectors = 1,                                 \
		.per_unit = {.loads = load, .stores = store},     \
		.check = words_check,                             \
		.revisits = words_revisits,                       \
		.setup = words_setup,                             \
		.run = name##_run,                                \
		.verify = check_result,                           \
		.teardown = memory_teardown,                      \
	};

const struct kernel load_dep_kernel = {
	.summary = "walks a linked list, each load waits for the last",
	.unit = "load",
	.params = list_params,
	.args_size = sizeof(struct list_args),
	.min_vectors = 1,
	.per_unit = {.loads = 1},
	.owns = true,
	.check = list_check,
	.revisits = list_revisits,
	.setup = list_setup,
	.run = load_dep_run,
	.teardown = memory_teardown,
};

WORDS_KERNEL(load_ind, "load", 1, 0, NULL, "loads words one after another, independent")
WORDS_KERNEL(load_rand, "load", 1, 0, NULL, "loads 32 words in a row from a random place")
WORDS_KERNEL(store_ind, "store", 0, 1, store_ind_verify, "stores words one after another")
WORDS_KERNEL(store_rand, "store", 0, 1, store_rand_verify,
	"stores 32 words in a row from a random place")
