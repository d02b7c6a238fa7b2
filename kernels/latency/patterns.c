/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Accesses in random order, to elements of 8 bytes.
 *
 *   gups     v[r] ^= k for k = 0, 1, ... and a random r, one update for each element of the vector:
 *            RandomAccess of HPC Challenge. A unit is one update.
 *   gather   sum += data[index[i]], all i in order. A unit is one element: two loads.
 *   scatter  data[index[i]] = i. A unit is one element: a load and a store.
 *
 * Every round of gups does the same updates, so two rounds restore the vector and verify() can
 * check it. A vector that threads share is not checked: they lose some updates to each other, as in
 * HPC Challenge.
 *
 * The first vector of gather and scatter is data, the second index; both have the same number of
 * elements. Index holds each number once, in random order or (order: forward, reverse) in sequence:
 * the same loop without a pattern and with one.
 *
 * The places do not depend on earlier accesses, so the accesses overlap as far as the processor can
 * overlap them: these kernels measure a rate, chase measures the latency. A stamp waits for all
 * that are under way, so an access that is timed is alone; one of 512 does not slow the others.
 */
#include <stdio.h>
#include <stdlib.h>

#include "event_times.h"
#include "keep.h"
#include "kernel.h"
#include "own.h"
#include "places.h"

/* ---- gups */

struct gups {
	uint64_t passes;
};

/* Two updates in a turn, the numbers of each from those of the turn before: one after another, the
 * multiplications for the places took a fifth longer than updates in L1 and L2. */
HOT void gups_loop(uint64_t *v, size_t n, uint64_t seed)
{
	uint64_t x = next_random(seed), y;
	size_t k = n % 2;

	if (k) {
		uint64_t zero = 0;

		keep_changed(zero);
		v[place(x, n)] ^= zero;
		keep_memory();
		x = next_random(x);
	}
	y = next_random(x);
	for (; k < n; k += 2) {
		v[place(x, n)] ^= k;
		keep_memory();
		v[place(y, n)] ^= k + 1;
		keep_memory();
		x = next_but_one(x);
		y = next_but_one(y);
	}
}

/* The same updates. Of those that are timed, the time is that of the load. */
static void gups_events(uint64_t *v, size_t n, uint64_t x, struct event_times *e)
{
	for (size_t k = 0; k < n; k++) {
		x = next_random(x);
		uint64_t *word = &v[place(x, n)];

		if (events_due(e)) {
			const uint64_t begin = events_before(e);
			const uint64_t found = *word;
			const uint64_t end = events_after();

			*word = found ^ k;
			events_take(e, end - begin);
		} else {
			*word ^= k;
		}
		keep_memory();
	}
}

static const char *gups_setup(struct worker *w)
{
	struct gups *g = aligned_alloc(128, 128);

	if (!g)
		return "no memory left for its state";
	g->passes = 0;
	w->own = g;
	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++)
		for (size_t i = 0; i < words_of(v); i++)
			((uint64_t *)v->base)[i] = i;
	return NULL;
}

static uint64_t gups_run(struct worker *w, uint64_t passes)
{
	struct event_times *e = w->events;
	const uint64_t seed = seed_of(w);
	struct gups *g = w->own;
	uint64_t units = 0;

	for (uint64_t pass = 0; pass < passes; pass++)
		for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++) {
			if (e)
				gups_events(v->base, words_of(v), seed, e);
			else
				gups_loop(v->base, words_of(v), seed);
			units += words_of(v);
		}
	g->passes += passes;
	return units;
}

static const struct kernel_events gups_times = {
	.what = "lone access",
	.units = 1,
	.group = 512,
	.alone = true,
	.run = gups_run,
};

static size_t wrong_words(const struct vector *v)
{
	const uint64_t *word = v->base;
	size_t wrong = 0;

	for (size_t i = 0; i < words_of(v); i++)
		wrong += word[i] != i;
	return wrong;
}

/* verify() checks only vectors of one thread. */
static const char *gups_finds(const struct worker *w, int k)
{
	return w->vectors[k].users > 1 ? NULL : "updates";
}

/* After an odd number of rounds, one more round undoes the last one. Another operation with the
 * same updates that takes turns with this one may also leave a round to undo. */
static const char *gups_verify(const struct worker *w, char *why, size_t n)
{
	const struct gups *g = w->own;

	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++) {
		if (v->users > 1)
			continue;
		if (g->passes % 2)
			gups_loop(v->base, words_of(v), seed_of(w));
		size_t wrong = wrong_words(v);
		if (wrong)
			gups_loop(v->base, words_of(v), seed_of(w));
		if (!wrong || !wrong_words(v))
			continue;
		snprintf(why, n, "%zu of %zu elements are wrong after all updates were undone",
			wrong, words_of(v));
		return why;
	}
	return NULL;
}

const struct kernel gups_kernel = {
	.summary = "updates elements at random (RandomAccess)",
	.unit = "update",
	.min_vectors = 1,
	.types = TYPES_WORDS,
	.per_unit = {.loads = 1, .stores = 1},
	.prepares = true,
	.finds = gups_finds,
	.setup = gups_setup,
	.run = gups_run,
	.events = &gups_times,
	.verify = gups_verify,
	.teardown = free_own,
};

/* ---- gather and scatter */

enum order { ORDER_RANDOM, ORDER_FORWARD, ORDER_REVERSE };

static const char *const order_names[] = {"random", "forward", "reverse", NULL};

struct indexed_args {
	int order;
};

static const struct param indexed_params[] = {
	{.name = "order",
		.type = PARAM_CHOICE,
		.offset = offsetof(struct indexed_args, order),
		.fallback = "random",
		.max = ORDER_REVERSE,
		.choices = order_names,
		.help = "what the index vector holds"},
	{0},
};

struct indexed {
	uint64_t *data, *index;
	size_t n;
	bool wrong; /* a sum was wrong */
};

HOT uint64_t gather_loop(const uint64_t *data, const uint64_t *index, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t x = data[index[i]];

		keep((long)x);
		sum += x;
	}
	return sum;
}

/* The same sum. Of elements that are timed, the time is that of the load from data. */
static uint64_t gather_events(
	const uint64_t *data, const uint64_t *index, size_t n, struct event_times *e)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		const uint64_t *word = &data[index[i]];

		if (events_due(e)) {
			const uint64_t begin = events_before(e);
			const uint64_t found = *word;
			const uint64_t end = events_after();

			sum += found;
			events_take(e, end - begin);
		} else {
			sum += *word;
			keep((long)sum);
		}
	}
	return sum;
}

HOT void scatter_loop(uint64_t *data, const uint64_t *index, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		data[index[i]] = i;
		keep_memory();
	}
}

static const char *indexed_check(const struct worker *w, char *why, size_t n)
{
	if (w->nvectors != 2)
		snprintf(why, n, "it takes two vectors of each thread, data and index; not %d",
			w->nvectors);
	else if (words_of(&w->vectors[0]) != words_of(&w->vectors[1]))
		snprintf(why, n,
			"data has %zu elements of 8 bytes, index %zu: they need the same number",
			words_of(&w->vectors[0]), words_of(&w->vectors[1]));
	else if (!words_of(&w->vectors[0]))
		snprintf(why, n, "its vectors have less than 8 bytes");
	else
		return NULL;
	return why;
}

/* Fisher and Yates, so that every order is possible. */
static void shuffle(uint64_t *index, size_t n)
{
	uint64_t x = 1;

	for (size_t i = n; i > 1; i--) {
		x = next_random(x);
		size_t k = place(x, i);
		uint64_t swap = index[i - 1];

		index[i - 1] = index[k];
		index[k] = swap;
	}
}

static const char *indexed_setup(struct worker *w)
{
	const struct indexed_args *args = w->args;
	struct indexed *d = aligned_alloc(128, 128);

	if (!d)
		return "no memory left for its state";
	*d = (struct indexed){
		w->vectors[0].base, w->vectors[1].base, words_of(&w->vectors[0]), false};
	w->own = d;
	for (size_t i = 0; i < d->n; i++) {
		d->data[i] = i;
		d->index[i] = args->order == ORDER_REVERSE ? d->n - 1 - i : i;
	}
	if (args->order == ORDER_RANDOM)
		shuffle(d->index, d->n);
	return NULL;
}

static uint64_t gather_run(struct worker *w, uint64_t passes)
{
	struct event_times *e = w->events;
	struct indexed *d = w->own;

	/* 0 + 1 + ... + n-1, in any order */
	for (uint64_t pass = 0; pass < passes; pass++)
		if ((e ? gather_events(d->data, d->index, d->n, e)
		       : gather_loop(d->data, d->index, d->n)) !=
			(uint64_t)((unsigned __int128)d->n * (d->n - 1) / 2))
			d->wrong = true;
	return passes * d->n;
}

static const struct kernel_events gather_times = {
	.what = "lone access",
	.units = 1,
	.group = 512,
	.alone = true,
	.run = gather_run,
};

static const char *gather_verify(const struct worker *w, char *why, size_t n)
{
	const struct indexed *d = w->own;

	if (!d->wrong)
		return NULL;
	snprintf(why, n, "the sum of what was gathered is not that of the elements");
	return why;
}

static uint64_t scatter_run(struct worker *w, uint64_t passes)
{
	struct indexed *d = w->own;

	for (uint64_t pass = 0; pass < passes; pass++)
		scatter_loop(d->data, d->index, d->n);
	return passes * d->n;
}

static const char *scatter_verify(const struct worker *w, char *why, size_t n)
{
	const struct indexed *d = w->own;

	for (size_t i = 0; i < d->n; i++)
		if (d->data[d->index[i]] != i) {
			snprintf(why, n, "element %zu is not %zu, which was scattered there",
				(size_t)d->index[i], i);
			return why;
		}
	return NULL;
}

const struct kernel gather_kernel = {
	.summary = "sums data[index[i]]: loads at random, by an index vector",
	.unit = "element",
	.params = indexed_params,
	.args_size = sizeof(struct indexed_args),
	.min_vectors = 2,
	.types = TYPES_WORDS,
	.per_unit = {.loads = 2},
	.owns = true,
	.check = indexed_check,
	.setup = indexed_setup,
	.preparing = "drawing indices",
	.run = gather_run,
	.events = &gather_times,
	.verify = gather_verify,
	.teardown = free_own,
};

const struct kernel scatter_kernel = {
	.summary = "data[index[i]] = i: stores at random, by an index vector",
	.unit = "element",
	.params = indexed_params,
	.args_size = sizeof(struct indexed_args),
	.min_vectors = 2,
	.types = TYPES_WORDS,
	.per_unit = {.loads = 1, .stores = 1},
	.owns = true,
	.check = indexed_check,
	.setup = indexed_setup,
	.preparing = "drawing indices",
	.run = scatter_run,
	.verify = scatter_verify,
	.teardown = free_own,
};
