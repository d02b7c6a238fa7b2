/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accesses vectors in rounds and steps: from `offset` to the end of each stream, then from the
 * beginning to `offset`, then the next group. */
#include "bandwidth_rounds.h"

#include <stdio.h>

#define ALIGN 64u

/* The bytes of each stream that a step accesses, at most: three streams of slow memory that many
 * threads share, 0.5 GB/s for each, take 0.4 ms. A multiple of every block. */
#define STEP_BYTES ((size_t)64 << 10)

size_t bandwidth_bytes(const struct vector *v)
{
	return v->elements * v->element_size / ALIGN * ALIGN;
}

int bandwidth_groups(const struct worker *w, int streams)
{
	return w->nvectors == 1 ? 1 : w->nvectors / streams;
}

struct bandwidth_group bandwidth_group(const struct worker *w, int streams, int index)
{
	const struct vector *v = &w->vectors[index * streams];
	struct bandwidth_group g = {.bytes = bandwidth_bytes(v)};

	if (w->nvectors == 1)
		g.bytes = bandwidth_bytes(v) / (size_t)streams / ALIGN * ALIGN;
	for (int i = 0; i < BANDWIDTH_STREAMS && v->base; i++) { /* check() has no vectors yet */
		int k = i < streams ? i : 0;

		g.streams[i] = w->nvectors == 1 ? (char *)v->base + (size_t)k * g.bytes : v[k].base;
	}
	return g;
}

const char *bandwidth_misfit(const struct worker *w, int streams, char *why, size_t n)
{
	if (w->nvectors == 1 || w->nvectors % streams == 0)
		return NULL;
	snprintf(why, n,
		"it takes %d vectors of each thread, or a multiple of that, or one in %d parts; "
		"not %d",
		streams, streams, w->nvectors);
	return why;
}

static size_t elements(const struct bandwidth_walk *walk, const struct bandwidth_group *g)
{
	return g->bytes / walk->block * walk->block / sizeof(double);
}

size_t bandwidth_checked(const struct bandwidth_walk *walk, const struct bandwidth_group *g)
{
	const size_t all = elements(walk, g);

	return all < 65536 ? all : 65536;
}

size_t bandwidth_place(const struct bandwidth_walk *walk, const struct bandwidth_group *g, size_t k)
{
	const size_t all = elements(walk, g), some = bandwidth_checked(walk, g);

	return all / some * k + all % some * k / some;
}

static void enter(struct bandwidth_walk *walk, const struct worker *w, int group)
{
	walk->group = group;
	walk->now = bandwidth_group(w, walk->streams, group);
	walk->blocks = walk->now.bytes / walk->block;
	walk->start = (size_t)(walk->offset * (double)walk->blocks);
	if (walk->start >= walk->blocks)
		walk->start = 0;
	walk->behind = 0;
}

static void leave(struct bandwidth_walk *walk, const struct worker *w)
{
	walk->behind = 0;
	if (walk->groups > 1)
		enter(walk, w, walk->group + 1 < walk->groups ? walk->group + 1 : 0);
}

void bandwidth_begin(struct bandwidth_walk *walk, const struct worker *w)
{
	walk->groups = bandwidth_groups(w, walk->streams);
	walk->round = 0;
	walk->last = 0;
	walk->wrong_sum = false;
	for (int g = walk->groups - 1; g >= 0; g--) {
		enter(walk, w, g);
		walk->round += walk->blocks;
	}
}

/* Accesses n blocks from the block `at` on, `rounds` times. Returns the sum. */
static double call(const struct bandwidth_walk *walk, size_t at, size_t n, uint64_t rounds)
{
	char *const *streams = walk->now.streams;
	const size_t bytes = at * walk->block;

	return n && rounds ? walk->loop(streams[0] + bytes, streams[1] + bytes, streams[2] + bytes,
				     n, walk->ahead, rounds)
			   : 0;
}

/* Accesses the next n blocks of the group as a ring: to its end, then all of it as often as
 * possible, then the rest. Returns the sum. */
static double pass(const struct bandwidth_walk *walk, uint64_t n)
{
	const size_t at = (walk->start + walk->behind) % walk->blocks;
	const size_t to_end = at ? walk->blocks - at : 0;
	const size_t first = n < to_end ? n : to_end;
	const uint64_t more = n - first;

	return call(walk, at, first, 1) + call(walk, 0, walk->blocks, more / walk->blocks) +
	       call(walk, 0, more % walk->blocks, 1);
}

/* Accesses `blocks` blocks of each stream, group after group and round after round; all rounds of a
 * single group at once. */
static uint64_t go_on(struct bandwidth_walk *walk, const struct worker *w, uint64_t blocks)
{
	uint64_t units = 0;

	walk->last = blocks;
	while (blocks) {
		const size_t rest = walk->blocks - walk->behind;
		const uint64_t n = walk->groups == 1 || blocks < rest ? blocks : rest;
		const uint64_t elements = n * walk->block / sizeof(double);

		if (pass(walk, n) != (walk->op == BANDWIDTH_sum ? (double)elements : 0))
			walk->wrong_sum = true;
		units += elements;
		blocks -= n;
		walk->behind = (walk->behind + n) % walk->blocks;
		if (!walk->behind)
			leave(walk, w);
	}
	bandwidth_drain(walk->op);
	return units;
}

uint64_t bandwidth_rounds(struct bandwidth_walk *walk, const struct worker *w, uint64_t rounds)
{
	return go_on(walk, w, rounds * walk->round);
}

uint64_t bandwidth_steps(struct bandwidth_walk *walk, const struct worker *w, uint64_t steps)
{
	const uint64_t bytes = walk->step > walk->block ? walk->step : walk->block;
	const uint64_t step = (walk->step ? bytes : STEP_BYTES) / walk->block;

	return go_on(walk, w, steps * (step < walk->round ? step : walk->round));
}

void bandwidth_complete(struct bandwidth_walk *walk, const struct worker *w)
{
	if (walk->last < walk->round)
		go_on(walk, w, walk->round - walk->last);
}
