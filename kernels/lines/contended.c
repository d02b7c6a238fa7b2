/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cost of additions to a line that several threads write all the time. A round is one addition.
 *
 *   false_sharing  each thread adds 1 to a word of its own, `distance` from the next thread's. The
 *                  threads share no word; if distance is less than a line, they share the line.
 *   atomic_add     all threads add 1 to one word with one atomic instruction.
 *   atomic_cas     the same with a load and a compare-and-swap, repeated until it succeeds.
 *
 * The words are at the beginning of each of the threads' vectors, one vector after another, so the
 * line's home is the vector's node. No thread waits for another; when a thread ends early, only the
 * others still access the line.
 *
 * verify() detects lost additions: it compares the words after the last sample with the number of
 * additions. The vector may hold any data before, and other operations of the file may write to it
 * between samples.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "coherence.h"
#include "own.h"
#include "keep.h"

struct false_sharing_args {
	uint64_t rounds;
	struct extent distance;
};

static const struct param false_sharing_params[] = {
	{.name = "rounds",
		.type = PARAM_COUNT,
		.offset = offsetof(struct false_sharing_args, rounds),
		.fallback = "100000",
		.min = 1,
		.max = 1e6, /* times passes within 64 bits */
		.help = "additions of each thread in one pass"},
	{.name = "distance",
		.type = PARAM_EXTENT,
		.offset = offsetof(struct false_sharing_args, distance),
		.fallback = "8B",
		.min = 1,
		.max = 0x1p40, /* times any number of threads within 64 bits */
		.help = "distance between the words of two threads, a multiple of 8 bytes"},
	{0},
};

/* Each addition loads and stores memory: the thread requests the line again each time that another
 * thread has taken it. */
HOT void loop_false_sharing(uint64_t *word, uint64_t n)
{
	do {
		*word += 1;
		keep_memory();
	} while (--n);
}

static size_t distance_of(const struct vector *v, const struct false_sharing_args *args)
{
	return args->distance.bytes ? args->distance.value : args->distance.value * v->element_size;
}

static const char *false_sharing_check(const struct worker *w, char *why, size_t n)
{
	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++) {
		size_t distance = distance_of(v, w->args);

		if (distance % sizeof(uint64_t)) {
			snprintf(why, n,
				"distance = %zu bytes is not a multiple of the 8 of a word",
				distance);
			return why;
		}
		if (too_small(v, distance * (size_t)(v->users - 1) + sizeof(uint64_t), why, n))
			return why;
	}
	return NULL;
}

static const char *false_sharing_revisits(const struct worker *w, char *why, size_t n)
{
	const struct false_sharing_args *args = w->args;

	return many_rounds(args->rounds, 1, why, n);
}

static uint64_t false_sharing_run(struct worker *w, uint64_t passes)
{
	const struct false_sharing_args *args = w->args;
	uint64_t n = args->rounds * passes;

	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++) {
		uint64_t *word = word_at(v, distance_of(v, args) * (size_t)v->rank);

		*word = 0;
		loop_false_sharing(word, n);
	}
	*(uint64_t *)w->own = n;
	return n * (uint64_t)w->nvectors;
}

static const char *false_sharing_setup(struct worker *w)
{
	w->own = calloc(1, sizeof(uint64_t));
	return w->own ? NULL : "out of memory";
}

static const char *false_sharing_verify(const struct worker *w, char *why, size_t n)
{
	uint64_t expected = *(const uint64_t *)w->own;

	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++) {
		uint64_t found = *word_at(v, distance_of(v, w->args) * (size_t)v->rank);

		if (found == expected)
			continue;
		snprintf(why, n, "the thread's word is %" PRIu64 " after %" PRIu64 " additions",
			found, expected);
		return why;
	}
	return NULL;
}

const struct kernel false_sharing_kernel = {
	.summary = "each thread adds 1 to a word of its own beside the others' words",
	.unit = "add",
	.params = false_sharing_params,
	.args_size = sizeof(struct false_sharing_args),
	.min_vectors = 1,
	.types = TYPES_WORDS,
	.per_unit = {.loads = 1, .stores = 1},
	.check = false_sharing_check,
	.accesses.revisits = false_sharing_revisits,
	.setup = false_sharing_setup,
	.run = false_sharing_run,
	.meetings.transfers = true,
	.verify = false_sharing_verify,
	.teardown = free_own,
};

/* atomic_add, atomic_cas */

struct atomic_args {
	uint64_t rounds;
};

static const struct param atomic_params[] = {
	{.name = "rounds",
		.type = PARAM_COUNT,
		.offset = offsetof(struct atomic_args, rounds),
		.fallback = "100000",
		.min = 1,
		.max = 1e6, /* times passes within 64 bits */
		.help = "additions of each thread in one pass"},
	{0},
};

/* At the beginning of a vector: the counter between two words that show whether another operation
 * of the file wrote here between samples. */
struct tally {
	uint64_t before, counter, behind;
};

/* A number that no other kernel stores: "count" in the upper bytes. */
#define UNTOUCHED UINT64_C(0x636f756e74000000)

static struct tally *tally_of(const struct vector *v)
{
	return v->base;
}

/* The number of additions of a thread since setup(), on a line of its own. The other threads read
 * it in verify(). */
static uint64_t *added_by(const struct vector *v, int rank)
{
	return word_at(v, ((size_t)rank + 1) * APART);
}

struct account {
	uint64_t added;   /* to each vector, since setup() */
	uint64_t begin[]; /* the counter of each vector at that time */
};

/* Relaxed order is enough: only the addition itself must be atomic. */
HOT void loop_atomic_add(uint64_t *counter, uint64_t n)
{
	do
		keep((long)__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED));
	while (--n);
}

HOT void loop_atomic_cas(uint64_t *counter, uint64_t n)
{
	do {
		uint64_t seen = __atomic_load_n(counter, __ATOMIC_RELAXED);

		while (!__atomic_compare_exchange_n(
			counter, &seen, seen + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			;
		keep((long)seen);
	} while (--n);
}

/* All threads of a vector run setup() at the same time, and none adds yet. */
static const char *atomic_setup(struct worker *w)
{
	struct account *own = malloc(sizeof(*own) + (size_t)w->nvectors * sizeof(*own->begin));

	w->own = own;
	if (!own)
		return "out of memory";
	own->added = 0;
	for (int i = 0; i < w->nvectors; i++) {
		struct tally *t = tally_of(&w->vectors[i]);

		__atomic_store_n(&t->before, UNTOUCHED, __ATOMIC_RELAXED);
		__atomic_store_n(&t->behind, UNTOUCHED, __ATOMIC_RELAXED);
		own->begin[i] = t->counter;
	}
	return NULL;
}

static uint64_t count(
	const struct worker *w, uint64_t passes, void loop(uint64_t *counter, uint64_t n))
{
	const struct atomic_args *args = w->args;
	struct account *own = w->own;
	uint64_t n = args->rounds * passes;

	own->added += n;
	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++) {
		loop(&tally_of(v)->counter, n);
		*added_by(v, v->rank) = own->added;
	}
	return n * (uint64_t)w->nvectors;
}

static uint64_t atomic_add_run(struct worker *w, uint64_t passes)
{
	return count(w, passes, loop_atomic_add);
}

static uint64_t atomic_cas_run(struct worker *w, uint64_t passes)
{
	return count(w, passes, loop_atomic_cas);
}

static const char *atomic_check(const struct worker *w, char *why, size_t n)
{
	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++)
		if (too_small(v, ((size_t)v->users + 1) * APART, why, n))
			return why;
	return NULL;
}

static const char *atomic_revisits(const struct worker *w, char *why, size_t n)
{
	const struct atomic_args *args = w->args;

	return many_rounds(args->rounds, 1, why, n);
}

/* The additions of all threads; of this thread alone when the others do not take part (solo). */
static uint64_t all_added(const struct worker *w, const struct vector *v)
{
	uint64_t sum = 0;

	if (w->workers < v->users)
		return *added_by(v, v->rank);
	for (int i = 0; i < v->users; i++)
		sum += *added_by(v, i);
	return sum;
}

/* A counter below the sum means that additions were lost. A higher counter is no error: another
 * operation may take turns with this one. A counter that another kernel overwrote is not checked.
 * The differences are also right when a counter wraps at 2^64. */
static const char *atomic_verify(const struct worker *w, char *why, size_t n)
{
	const struct account *own = w->own;

	for (int i = 0; i < w->nvectors; i++) {
		const struct vector *v = &w->vectors[i];
		const struct tally *t = tally_of(v);
		uint64_t sum = all_added(w, v);

		if (t->before != UNTOUCHED || t->behind != UNTOUCHED)
			continue;
		if (t->counter - own->begin[i] >= sum)
			continue;
		snprintf(why, n, "the counter went up by %" PRIu64 " in %" PRIu64 " additions",
			t->counter - own->begin[i], sum);
		return why;
	}
	return NULL;
}

#define ATOMIC_KERNEL(name, text)                        \
	const struct kernel name##_kernel = {            \
		.summary = text,                         \
		.unit = "add",                           \
		.params = atomic_params,                 \
		.args_size = sizeof(struct atomic_args), \
		.min_vectors = 1,                        \
		.types = TYPES_WORDS,                    \
		.per_unit = {.loads = 1, .stores = 1},   \
		.check = atomic_check,                   \
		.accesses.revisits = atomic_revisits,    \
		.setup = atomic_setup,                   \
		.run = name##_run,                       \
		.meetings.transfers = true,              \
		.verify = atomic_verify,                 \
		.teardown = free_own,                    \
	};

ATOMIC_KERNEL(atomic_add, "all threads add 1 to one word with one atomic instruction")
ATOMIC_KERNEL(atomic_cas, "all threads add 1 to one word by compare-and-swap until it succeeds")
