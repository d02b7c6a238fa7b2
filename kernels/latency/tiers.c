/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A hot vector and a cold one, which may lie in memories of unlike speed: `hot_share` of the
 * accesses go to the first vector of the thread, the others to the second, at random.
 *
 *   gups_tiers   v[r] ^= k for k = 0, 1, ... and a random r of a vector chosen at random, one
 *                update for each element of both. The updates overlap: a rate. A unit is one
 *                update.
 *   chase_tiers  each line holds the address of the next one, of either vector: a latency. No
 *                line is visited twice in a round: where the share asks for more lines of one
 *                vector than it has, fewer of the other are visited. As in chase, neighbours of
 *                a line, which may be fetched with it, come on later ways through all blocks of
 *                256 bytes. A unit is one load.
 *
 * All choices are drawn, so that neither prefetcher nor predictor can guess them, and all rounds
 * are alike: two rounds of updates undo each other, and the loads return to where they began.
 * Updates are verified where no other thread has the vector.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "chase_order.h"
#include "keep.h"
#include "kernel.h"
#include "own.h"
#include "places.h"

struct tiers_args {
	double hot_share;
	uint64_t loads;
};

#define HOT_SHARE                                                                              \
	{                                                                                      \
		.name = "hot_share", .type = PARAM_FRACTION,                                   \
		.offset = offsetof(struct tiers_args, hot_share), .fallback = "90%", .max = 1, \
		.help = "share of the accesses that goes to the first vector"                  \
	}

static const struct param gups_params[] = {HOT_SHARE, {0}};

static const struct param chase_params[] = {
	HOT_SHARE,
	{.name = "loads",
		.type = PARAM_COUNT,
		.offset = offsetof(struct tiers_args, loads),
		.fallback = "0",
		.max = 1e12,
		.help = "loads in a round; 0: all that visit no place twice"},
	{0},
};

static const char *two_vectors(const struct worker *w, char *why, size_t n)
{
	if (w->nvectors == 2)
		return NULL;
	snprintf(why, n, "it takes two vectors of each thread, a hot one and a cold one; not %d",
		w->nvectors);
	return why;
}

/* ---- updates */

struct gups_tiers {
	uint64_t passes;
};

/* Without a branch, which would be guessed wrong half of the time. */
HOT void gups_tiers_loop(
	uint64_t *hot, size_t nhot, uint64_t *cold, size_t ncold, uint64_t most, uint64_t seed)
{
	const uint64_t step = (uintptr_t)hot - (uintptr_t)cold, more = nhot - ncold;
	const size_t n = nhot + ncold;
	uint64_t x = seed;

	for (size_t k = 0; k < n; k++) {
		x = next_random(x);
		const uint64_t is_hot = -(uint64_t)(x < most);

		x = next_random(x);
		uint64_t *v = (uint64_t *)((uintptr_t)cold + (step & is_hot));

		v[place(x, ncold + (more & is_hot))] ^= k;
		keep_memory();
	}
}

static void update(const struct worker *w)
{
	const struct tiers_args *args = w->args;
	const struct vector *hot = &w->vectors[0], *cold = &w->vectors[1];
	const double most = ldexp(args->hot_share, 64);

	gups_tiers_loop(hot->base, words_of(hot), cold->base, words_of(cold),
		args->hot_share < 1 ? (uint64_t)most : UINT64_MAX, seed_of(w));
}

static const char *gups_tiers_check(const struct worker *w, char *why, size_t n)
{
	if (two_vectors(w, why, n))
		return why;
	if (words_of(&w->vectors[0]) && words_of(&w->vectors[1]))
		return NULL;
	snprintf(why, n, "its vectors must have 8 bytes at least");
	return why;
}

static const char *gups_tiers_setup(struct worker *w)
{
	struct gups_tiers *g = w->own = aligned_alloc(128, 128);

	if (!g)
		return "no memory left for its state";
	g->passes = 0;
	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++)
		for (size_t i = 0; i < words_of(v); i++)
			((uint64_t *)v->base)[i] = i;
	return NULL;
}

static uint64_t gups_tiers_run(struct worker *w, uint64_t passes)
{
	struct gups_tiers *g = w->own;

	for (uint64_t pass = 0; pass < passes; pass++)
		update(w);
	g->passes += passes;
	return passes * (words_of(&w->vectors[0]) + words_of(&w->vectors[1]));
}

static const char *gups_tiers_finds(const struct worker *w, int k)
{
	return w->vectors[k].users > 1 ? NULL : "updates of a hot vector and a cold one";
}

static size_t wrong_words(const struct worker *w)
{
	size_t wrong = 0;

	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++)
		for (size_t i = 0; i < words_of(v); i++)
			wrong += ((const uint64_t *)v->base)[i] != i;
	return wrong;
}

/* After an odd number of rounds, or one of another operation with the same updates, one more undoes
 * the last one. */
static const char *gups_tiers_verify(const struct worker *w, char *why, size_t n)
{
	const struct gups_tiers *g = w->own;

	if (w->vectors[0].users > 1 || w->vectors[1].users > 1)
		return NULL;
	if (g->passes % 2)
		update(w);
	const size_t wrong = wrong_words(w);

	if (wrong)
		update(w);
	if (!wrong || !wrong_words(w))
		return NULL;
	snprintf(why, n, "%zu elements are wrong after all updates were undone", wrong);
	return why;
}

const struct kernel gups_tiers_kernel = {
	.summary = "updates elements of a hot vector and a cold one at random",
	.unit = "update",
	.params = gups_params,
	.args_size = sizeof(struct tiers_args),
	.min_vectors = 2,
	.types = TYPES_WORDS,
	.per_unit = {.loads = 1, .stores = 1},
	.prepares = true,
	.check = gups_tiers_check,
	.finds = gups_tiers_finds,
	.setup = gups_tiers_setup,
	.run = gups_tiers_run,
	.verify = gups_tiers_verify,
	.teardown = free_own,
};

/* ---- loads that wait for each other */

#define LINE 64u
#define WAYS (BLOCK / LINE)

struct chase_tiers {
	void **at, **start;
	uint64_t places, steps;
};

static uint64_t blocks_of(const struct vector *v)
{
	return v->elements * v->element_size / BLOCK;
}

/* Lines of each vector that a round visits. */
struct visited {
	uint64_t of[2];
};

static struct visited visited_of(const struct worker *w)
{
	const double hot = ((const struct tiers_args *)w->args)->hot_share;
	const double first = (double)blocks_of(&w->vectors[0]) * WAYS,
		     second = (double)blocks_of(&w->vectors[1]) * WAYS;
	const double all =
		fmin(hot > 0 ? first / hot : INFINITY, hot < 1 ? second / (1 - hot) : INFINITY);
	const double from_first = fmin(first, floor(all * hot + 0.5));

	return (struct visited){
		{(uint64_t)from_first, (uint64_t)fmin(second, floor(all) - from_first)}};
}

static uint64_t places_of(const struct worker *w)
{
	const struct visited v = visited_of(w);

	return v.of[0] + v.of[1];
}

static const char *chase_tiers_check(const struct worker *w, char *why, size_t n)
{
	if (two_vectors(w, why, n))
		return why;
	if (blocks_of(&w->vectors[0]) && blocks_of(&w->vectors[1]))
		return NULL;
	snprintf(why, n, "its vectors must have %u bytes at least", BLOCK);
	return why;
}

static const char *chase_tiers_revisits(const struct worker *w, char *why, size_t n)
{
	const struct tiers_args *args = w->args;

	if (args->loads <= places_of(w))
		return NULL;
	snprintf(why, n, "loads = %" PRIu64 " visits the %" PRIu64 " lines again", args->loads,
		places_of(w));
	return why;
}

/* The ways through the lines of a vector. */
struct walk {
	const struct vector *vector;
	struct order blocks;
	uint64_t way, left; /* left: blocks of this way */
};

/* Another line in most other blocks, or each way left out some sets of the caches. */
static void **walk_next(struct walk *k)
{
	if (!k->left) {
		order_by(&k->blocks, ++k->way);
		k->left = blocks_of(k->vector);
	}
	k->left--;
	const uint64_t block = next_of(&k->blocks), line = (k->way + mixed(block)) % WAYS;

	return (void **)((char *)k->vector->base + block * BLOCK + line * LINE);
}

static void link_places(const struct worker *w, struct chase_tiers *c, struct walk *walks)
{
	struct visited left = visited_of(w);
	uint64_t x = seed_of(w);
	void **last = NULL;

	for (uint64_t i = 0; i < c->places; i++) {
		x = next_random(x);
		const int k = place(x, left.of[0] + left.of[1]) >= left.of[0];
		void **next = walk_next(&walks[k]);

		left.of[k]--;
		if (last)
			*last = next;
		else
			c->start = next;
		last = next;
	}
	*last = c->start;
	c->at = c->start;
}

static const char *chase_tiers_setup(struct worker *w)
{
	struct chase_tiers *c = w->own = aligned_alloc(128, 128);
	struct walk walks[2] = {{.vector = &w->vectors[0]}, {.vector = &w->vectors[1]}};
	int failed = 0;

	if (!c)
		return "no memory left for its state";
	*c = (struct chase_tiers){.places = places_of(w)};
	for (int k = 0; k < 2; k++)
		failed |= order_init(&walks[k].blocks, blocks_of(&w->vectors[k]));
	if (!failed)
		link_places(w, c, walks);
	free(walks[0].blocks.table);
	free(walks[1].blocks.table);
	return failed ? "no memory left for the order of its lines" : NULL;
}

/* steps > 0 */
HOT void **chase_tiers_loop(void **p, size_t steps)
{
	do {
		p = *p;
		__asm__ volatile("" : "+r"(p));
	} while (--steps);
	return p;
}

static uint64_t chase_tiers_run(struct worker *w, uint64_t passes)
{
	const struct tiers_args *args = w->args;
	struct chase_tiers *c = w->own;
	const uint64_t steps = passes * (args->loads ? args->loads : c->places);

	c->at = chase_tiers_loop(c->at, steps);
	c->steps += steps;
	return steps;
}

static const char *chase_tiers_verify(const struct worker *w, char *why, size_t n)
{
	const struct chase_tiers *c = w->own;
	const uint64_t beyond = c->steps % c->places, left = beyond ? c->places - beyond : 0;

	if (left > MOST_LEFT || (left ? chase_tiers_loop(c->at, left) : c->at) == c->start)
		return NULL;
	snprintf(why, n, "the loads did not end where they began");
	return why;
}

/* Of the lines of both vectors. */
static double chase_tiers_reach(const struct worker *w)
{
	return (double)places_of(w) /
	       (double)((blocks_of(&w->vectors[0]) + blocks_of(&w->vectors[1])) * WAYS);
}

const struct kernel chase_tiers_kernel = {
	.summary =
		"latency of a hot vector and a cold one: each load gives the address of the next",
	.unit = "load",
	.params = chase_params,
	.args_size = sizeof(struct tiers_args),
	.min_vectors = 2,
	.types = TYPES_WORDS,
	.per_unit = {.loads = 1},
	.accesses.reach = chase_tiers_reach,
	.owns = true,
	.check = chase_tiers_check,
	.accesses.revisits = chase_tiers_revisits,
	.setup = chase_tiers_setup,
	.preparing = "building chains",
	.run = chase_tiers_run,
	.verify = chase_tiers_verify,
	.teardown = free_own,
};
