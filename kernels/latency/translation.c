/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs whose time is that of finding addresses: which pages they lie in, and where, matters
 * more to them than to others (V.-O. Politis, NTUA 2021). Elements have 8 bytes, in vectors of any
 * type.
 *
 *   hashjoin  acc += B[hash(A[j])] for all j in order: A is the first vector, B the second, or the
 *             other way round: vectors are touched in their order. A unit is one look-up: a load of
 *             each. The hash multiplies, and takes the upper half of the
 *             product with the size of B. The keys are numbers without a pattern, each for one j.
 *             The hash of each thread has a salt of its own: threads that share A and B would
 *             otherwise read the same lines of B at the same time, and bring them to each other.
 *   hotcold   acc += v[r] for random r in the hot part of each vector, its beginning; the rest is
 *             only written before the first sample. A unit is one load; a round has as many as the
 *             hot parts have elements.
 *
 * No place depends on an earlier load, so look-ups overlap as in a program. B and the hot part hold
 * their own numbers: what they add up to is known without a load, and verify() asks for it. Threads
 * may share the vectors, because setup() writes the same to them in each thread and run() nothing.
 */
#include <stdio.h>
#include <stdlib.h>

#include "keep.h"
#include "kernel.h"
#include "places.h"

/* The bits of a key change its upper half too: FACTOR alone would make a sequence of keys one of
 * even steps through B. */
static uint64_t key_of(size_t j)
{
	uint64_t x = next_random(j);

	return x ^ x >> 32;
}

static inline __attribute__((always_inline)) size_t hash(uint64_t key, size_t n)
{
	return place(key * FACTOR, n);
}

struct sums {
	uint64_t expected; /* of a round */
	bool wrong;        /* a round had another sum */
};

static const char *keep_sums(struct worker *w, uint64_t expected)
{
	struct sums *s = aligned_alloc(128, 128);

	if (!s)
		return "no memory left for its state";
	*s = (struct sums){.expected = expected};
	w->own = s;
	return NULL;
}

static const char *sums_verify(const struct worker *w, char *why, size_t n)
{
	const struct sums *s = w->own;

	if (!s->wrong)
		return NULL;
	snprintf(why, n, "the sum of what was read is not that of the elements");
	return why;
}

static void sums_free(struct worker *w)
{
	free(w->own);
	w->own = NULL;
}

static void number(const struct vector *v)
{
	for (size_t i = 0; i < words_of(v); i++)
		((uint64_t *)v->base)[i] = i;
}

/* ---- hashjoin */

struct hashjoin_args {
	bool table_first;
};

static const struct param hashjoin_params[] = {
	{.name = "tableFirst",
		.type = PARAM_FLAG,
		.offset = offsetof(struct hashjoin_args, table_first),
		.fallback = "no",
		.help = "yes: the first vector, which is touched first, is the table; the second "
			"the keys"},
	{0},
};

static int table_of(const struct worker *w)
{
	return ((const struct hashjoin_args *)w->args)->table_first ? 0 : 1;
}

static const struct vector *the_table(const struct worker *w)
{
	return &w->vectors[table_of(w)];
}

static const struct vector *the_keys(const struct worker *w)
{
	return &w->vectors[!table_of(w)];
}

HOT uint64_t hashjoin_loop(
	const uint64_t *a, size_t na, const uint64_t *b, size_t nb, uint64_t salt)
{
	uint64_t sum = 0;

	for (size_t j = 0; j < na; j++) {
		uint64_t x = b[hash(a[j] ^ salt, nb)];

		keep((long)x);
		sum += x;
	}
	return sum;
}

static const char *hashjoin_check(const struct worker *w, char *why, size_t n)
{
	if (w->nvectors != 2)
		snprintf(why, n,
			"it takes two vectors of each thread, the keys A and the table B; not %d",
			w->nvectors);
	else if (!words_of(&w->vectors[0]) || !words_of(&w->vectors[1]))
		snprintf(why, n, "its vectors must have 8 bytes at least");
	else
		return NULL;
	return why;
}

static const char *hashjoin_finds(const struct worker *w, int k)
{
	return k == table_of(w) ? "numbers" : "keys";
}

static const char *hashjoin_setup(struct worker *w)
{
	const struct vector *a = the_keys(w), *b = the_table(w);
	const uint64_t salt = seed_of(w);
	uint64_t expected = 0;

	number(b);
	for (size_t j = 0; j < words_of(a); j++) {
		((uint64_t *)a->base)[j] = key_of(j);
		expected += hash(key_of(j) ^ salt, words_of(b));
	}
	return keep_sums(w, expected);
}

static uint64_t hashjoin_run(struct worker *w, uint64_t passes)
{
	const struct vector *a = the_keys(w), *b = the_table(w);
	const uint64_t salt = seed_of(w);
	struct sums *s = w->own;

	for (uint64_t pass = 0; pass < passes; pass++)
		if (hashjoin_loop(a->base, words_of(a), b->base, words_of(b), salt) != s->expected)
			s->wrong = true;
	return passes * words_of(a);
}

/* All of the keys; of the table at most a line of 64 bytes for each key of 8, the same ones in each
 * pass. Two keys may meet in a line, so this is an upper limit. */
static double hashjoin_reach(const struct worker *w)
{
	const double a = (double)words_of(the_keys(w)) * 8;
	const double b = (double)words_of(the_table(w)) * 8;

	return (a + (a * 8 < b ? a * 8 : b)) / (a + b);
}

const struct kernel hashjoin_kernel = {
	.summary = "sums B[hash(A[j])]: look-ups in a hash table",
	.unit = "look-up",
	.params = hashjoin_params,
	.args_size = sizeof(struct hashjoin_args),
	.min_vectors = 2,
	.types = TYPES_WORDS,
	.per_unit = {.loads = 2},
	.prepares = true,
	.check = hashjoin_check,
	.finds = hashjoin_finds,
	.setup = hashjoin_setup,
	.preparing = "filling the table",
	.run = hashjoin_run,
	.verify = sums_verify,
	.teardown = sums_free,
	.accesses.reach = hashjoin_reach,
};

/* ---- hotcold */

struct hotcold_args {
	double hot;
};

static const struct param hotcold_params[] = {
	{.name = "hot",
		.type = PARAM_FRACTION,
		.offset = offsetof(struct hotcold_args, hot),
		.fallback = "50%",
		.min = 0.0001,
		.max = 1,
		.help = "the part of each vector, from its beginning, that is read"},
	{0},
};

/* At least one element. */
static size_t hot_words(const struct worker *w, const struct vector *v)
{
	const struct hotcold_args *args = w->args;
	size_t n = (size_t)(args->hot * (double)words_of(v));

	return n ? n : 1;
}

HOT uint64_t hotcold_loop(const uint64_t *v, size_t n, uint64_t seed)
{
	uint64_t x = seed, sum = 0;

	for (size_t k = 0; k < n; k++) {
		x = next_random(x);
		uint64_t y = v[place(x, n)];

		keep((long)y);
		sum += y;
	}
	return sum;
}

static const char *hotcold_check(const struct worker *w, char *why, size_t n)
{
	for (int k = 0; k < w->nvectors; k++)
		if (!words_of(&w->vectors[k])) {
			snprintf(why, n, "its vectors must have 8 bytes at least");
			return why;
		}
	return NULL;
}

static const char *hotcold_finds(const struct worker *w, int k)
{
	(void)w;
	(void)k;
	return "numbers";
}

static const char *hotcold_setup(struct worker *w)
{
	uint64_t expected = 0;

	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++) {
		const size_t n = hot_words(w, v);
		uint64_t x = seed_of(w);

		number(v);
		for (size_t k = 0; k < n; k++) {
			x = next_random(x);
			expected += place(x, n);
		}
	}
	return keep_sums(w, expected);
}

static uint64_t hotcold_run(struct worker *w, uint64_t passes)
{
	const uint64_t seed = seed_of(w);
	struct sums *s = w->own;
	uint64_t units = 0;

	for (uint64_t pass = 0; pass < passes; pass++) {
		uint64_t sum = 0;

		for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++) {
			sum += hotcold_loop(v->base, hot_words(w, v), seed);
			units += hot_words(w, v);
		}
		if (sum != s->expected)
			s->wrong = true;
	}
	return units;
}

static double hotcold_reach(const struct worker *w)
{
	return ((const struct hotcold_args *)w->args)->hot;
}

const struct kernel hotcold_kernel = {
	.summary = "sums elements at random in the hot part of each vector",
	.unit = "access",
	.params = hotcold_params,
	.args_size = sizeof(struct hotcold_args),
	.min_vectors = 1,
	.types = TYPES_WORDS,
	.per_unit = {.loads = 1},
	.prepares = true,
	.check = hotcold_check,
	.finds = hotcold_finds,
	.setup = hotcold_setup,
	.run = hotcold_run,
	.verify = sums_verify,
	.teardown = sums_free,
	.accesses.reach = hotcold_reach,
};
