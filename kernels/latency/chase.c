/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chase: the time of one load when the next one needs its result. Each place of the vector,
 * `stride` bytes apart, holds the address of another one. The loads follow these addresses to all
 * places, in an order that no prefetcher can guess, and return to the first place. A unit is one
 * load. A round visits all places once, or takes `loads` steps.
 *
 * With several chains each one visits its own part of the places, so that all of them together
 * visit every place once: a chain never hits a line that another chain has just fetched. Their
 * loads overlap: ns/unit is then the time of a load divided by the number of loads that the
 * processor really overlaps, and chains x ns/unit is the latency of one load.
 *
 * Pages: `random` visits the places in random order over the whole vector. Beyond the reach of the
 * TLB nearly every load then waits for an address translation too. `local` visits the places of a
 * page (`page` bytes, of the system or larger) in random order, then those of another page, so many
 * loads need only one translation.
 *
 * A bijection of 0..2^k-1 gives the order; results beyond the places are skipped. It needs no
 * memory of its own, and setup() only stores, so it is quick even in vectors of many GiB.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chase.h"
#include "chase_order.h"
#include "event_times.h"
#include "keep.h"

static const char *const pages_names[] = {"random", "local", NULL};

#define MAX_CHAINS 16

static const struct param chase_params[] = {
	{.name = "chains",
		.type = PARAM_COUNT,
		.offset = offsetof(struct chase_args, chains),
		.fallback = "1",
		.min = 1,
		.max = MAX_CHAINS,
		.help = "loads that are under way at once, each waiting for its own predecessor"},
	{.name = "loads",
		.type = PARAM_COUNT,
		.offset = offsetof(struct chase_args, loads),
		.fallback = "0",
		.max = 1e12,
		.help = "loads of each chain in a round; 0: all its places once"},
	{.name = "stride",
		.type = PARAM_EXTENT,
		.offset = offsetof(struct chase_args, stride),
		.fallback = "64B",
		.min = 1,
		.max = 0x1p50, /* a PiB: beyond any vector */
		.help = "distance of the places; a line or more, or several loads go to one line"},
	{.name = "pages",
		.type = PARAM_CHOICE,
		.offset = offsetof(struct chase_args, pages),
		.fallback = "random",
		.max = PAGES_LOCAL,
		.choices = pages_names,
		.help = "random: any place next; local: many places of a page, then another page"},
	{.name = "page",
		.type = PARAM_EXTENT,
		.offset = offsetof(struct chase_args, page),
		.fallback = "256KiB",
		.min = 1,
		.max = 0x1p50,
		.help = "size of a page for pages: local: few translations, and too small for "
			"prefetchers to guess"},
	{0},
};

/* Several ways are used only if each way has at least this many places of a page. */
#define LEAST_OF_WAY 16u

/* The places of a vector: `pages` groups of `per_way` on each of the `ways`. With pages: random
 * there is one group. */
struct layout {
	size_t stride, page, pages, ways, per_way;
	size_t per_chain; /* of all places, rounded down */
};

struct chase {
	void **at[MAX_CHAINS], **start[MAX_CHAINS];
	struct layout layout;
	uint64_t steps; /* of each chain so far */
};

#define LINE 64u

static size_t bytes_of(const struct worker *w, struct extent x)
{
	return x.bytes ? x.value : x.value * w->vectors[0].element_size;
}

static struct layout layout_of(const struct worker *w)
{
	const struct chase_args *args = w->args;
	const size_t bytes = w->vectors[0].elements * w->vectors[0].element_size;
	struct layout l = {.stride = bytes_of(w, args->stride), .page = bytes, .ways = 1};

	if (args->pages == PAGES_LOCAL && bytes_of(w, args->page) < bytes)
		l.page = bytes_of(w, args->page);
	l.pages = bytes / l.page;
	if (BLOCK % l.stride == 0 && l.page / l.stride >= LEAST_OF_WAY * (BLOCK / l.stride))
		l.ways = BLOCK / l.stride;
	l.per_way = l.page / l.stride / l.ways;
	l.per_chain = l.per_way * l.ways * l.pages / args->chains;
	return l;
}

static void too_few_places(const struct worker *w, char *why, size_t n)
{
	const struct chase_args *args = w->args;
	const struct layout l = layout_of(w);
	const size_t places = l.page / l.stride * l.pages;

	snprintf(why, n,
		"chains = %" PRIu64 " cannot be met: the vector has %zu place%s, and a chain needs "
		"two; a larger sizePerVector%s",
		args->chains, places, places == 1 ? "" : "s",
		args->chains > 1 ? ", a smaller stride, or fewer chains" : ", or a smaller stride");
}

static const char *chase_check(const struct worker *w, char *why, size_t n)
{
	const struct chase_args *args = w->args;
	const size_t stride = bytes_of(w, args->stride), page = bytes_of(w, args->page);

	if (w->nvectors > 1)
		snprintf(why, n, "it goes through one vector of each thread, not %d", w->nvectors);
	else if (stride % sizeof(void *))
		snprintf(why, n, "stride = %zuB is not a multiple of the %zu bytes of an address",
			stride, sizeof(void *));
	else if (args->pages == PAGES_LOCAL && page % stride)
		snprintf(why, n,
			"page = %zuB is not a multiple of stride = %zuB; give page as a multiple "
			"of stride",
			page, stride);
	else if (layout_of(w).per_chain < 2)
		too_few_places(w, why, n);
	else
		return NULL;
	return why;
}

static const char *chase_revisits(const struct worker *w, char *why, size_t n)
{
	const struct chase_args *args = w->args;
	const size_t places = layout_of(w).per_chain;

	if (args->loads <= places)
		return NULL;
	snprintf(why, n, "loads = %" PRIu64 " visits the %zu places of a chain again", args->loads,
		places);
	return why;
}

/* ---- the order of the places */

/* Visits all places, way after way. On each way `pages` gives the order of the pages, and `blocks`
 * the order of the blocks of a page. The order of the blocks differs for every page and every way:
 * some processors learn the access pattern in a region of memory and prefetch the same pattern in
 * the next region (AMD's region prefetcher). */
struct walk {
	const struct worker *worker;
	const struct layout *layout;
	struct order pages, blocks;
	uint64_t way, page, pages_left, left; /* left: blocks of the current page */
};

static void next_page(struct walk *k)
{
	const struct layout *l = k->layout;

	if (!k->pages_left) {
		k->way++;
		k->pages_left = l->pages;
	}
	k->pages_left--;
	k->page = next_of(&k->pages);
	order_by(&k->blocks, k->page * l->ways + k->way);
	k->left = l->per_way;
}

/* The place within a block must differ between blocks: with the same place in all blocks each way
 * would omit some sets of the caches. */
static void **walk_next(struct walk *k)
{
	const struct layout *l = k->layout;

	if (!k->left)
		next_page(k);
	k->left--;
	uint64_t block = next_of(&k->blocks);
	uint64_t place = block * l->ways + (k->way + mixed(k->page * l->per_way + block)) % l->ways;

	return (void **)((char *)k->worker->vectors[0].base + k->page * l->page +
			 place * l->stride);
}

static void link_places(struct walk *walk, struct chase *c, uint64_t chains)
{
	for (uint64_t chain = 0; chain < chains; chain++) {
		void **first = walk_next(walk), **last = first;

		for (size_t i = 1; i < c->layout.per_chain; i++) {
			void **next = walk_next(walk);

			*last = next;
			last = next;
		}
		*last = first;
		c->at[chain] = c->start[chain] = first;
	}
}

/* Returns 0, or -1 if memory is short. */
static int build(const struct worker *w, struct chase *c)
{
	const struct chase_args *args = w->args;
	struct walk walk = {.worker = w, .layout = &c->layout, .pages_left = c->layout.pages};
	int failed = order_init(&walk.pages, c->layout.pages);

	failed |= order_init(&walk.blocks, c->layout.per_way);
	if (!failed)
		link_places(&walk, c, args->chains);
	free(walk.pages.table);
	free(walk.blocks.table);
	return failed;
}

static const char *chase_setup(struct worker *w)
{
	struct chase *c = aligned_alloc(128, (sizeof(*c) + 127) / 128 * 128);

	if (!c)
		return "no memory left for its state";
	*c = (struct chase){.layout = layout_of(w)};
	w->own = c;
	return build(w, c) ? "no memory left for the order of its places" : NULL;
}

/* ---- the loops */

#define TIMES_1(M)  M(0)
#define TIMES_2(M)  TIMES_1(M) M(1)
#define TIMES_3(M)  TIMES_2(M) M(2)
#define TIMES_4(M)  TIMES_3(M) M(3)
#define TIMES_5(M)  TIMES_4(M) M(4)
#define TIMES_6(M)  TIMES_5(M) M(5)
#define TIMES_7(M)  TIMES_6(M) M(6)
#define TIMES_8(M)  TIMES_7(M) M(7)
#define TIMES_9(M)  TIMES_8(M) M(8)
#define TIMES_10(M) TIMES_9(M) M(9)
#define TIMES_11(M) TIMES_10(M) M(10)
#define TIMES_12(M) TIMES_11(M) M(11)
#define TIMES_13(M) TIMES_12(M) M(12)
#define TIMES_14(M) TIMES_13(M) M(13)
#define TIMES_15(M) TIMES_14(M) M(14)
#define TIMES_16(M) TIMES_15(M) M(15)

#define TAKE(i) void **p##i = at[i];
#define FOLLOW(i)     \
	p##i = *p##i; \
	__asm__ volatile("" : "+r"(p##i));
#define GIVE(i) at[i] = p##i;

/* Does steps > 0 loads of each chain. The loop is a function of its own and begins at a line. x86
 * has 16 registers, two of them in use: with 15 and 16 chains some live on the stack. */
#define CHASE(n)                                                                               \
	static __attribute__((noinline, aligned(64))) void chase_##n(void ***at, size_t steps) \
	{                                                                                      \
		TIMES_##n(TAKE) do                                                             \
		{                                                                              \
			TIMES_##n(FOLLOW)                                                      \
		}                                                                              \
		while (--steps)                                                                \
			;                                                                      \
		TIMES_##n(GIVE)                                                                \
	}

#define FOR_CHAINS(X) \
	X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16)

FOR_CHAINS(CHASE)

#define ENTRY(n) chase_##n,

static void (*const loops[MAX_CHAINS])(void ***at, size_t steps) = {FOR_CHAINS(ENTRY)};

static uint64_t chase_run(struct worker *w, uint64_t passes)
{
	const struct chase_args *args = w->args;
	struct chase *c = w->own;
	const uint64_t steps = passes * (args->loads ? args->loads : c->layout.per_chain);

	loops[args->chains - 1](c->at, steps);
	c->steps += steps;
	return steps * args->chains;
}

/* ---- single loads */

static void follow(void ***at, uint64_t steps)
{
	if (steps)
		chase_1(at, steps);
}

/* One load of each group is timed; the loop of the others is that of run(). */
static uint64_t chase_run_events(struct worker *w, uint64_t passes)
{
	const struct chase_args *args = w->args;
	struct chase *c = w->own;
	const uint64_t steps = passes * (args->loads ? args->loads : c->layout.per_chain);
	struct event_times *e = w->events;
	uint64_t left = steps;

	while (e->until < left) {
		follow(c->at, e->until);
		left -= e->until + 1;
		void **p = c->at[0];
		const uint64_t begin = events_before(e);

		FOLLOW()
		const uint64_t end = events_after();

		c->at[0] = p;
		events_take(e, end - begin);
	}
	follow(c->at, left);
	e->until -= left;
	c->steps += steps;
	return steps;
}

/* A stamp waits for all loads that are under way. */
static const char *chase_refuses_events(const struct worker *w, char *why, size_t n)
{
	const struct chase_args *args = w->args;

	if (args->chains == 1)
		return NULL;
	snprintf(why, n, "the loads of %" PRIu64 " chains overlap; chains: 1", args->chains);
	return why;
}

static const struct kernel_events chase_events = {
	.what = "load",
	.units = 1,
	.group = 64,
	.run = chase_run_events,
	.refuses = chase_refuses_events,
};

/* A chain returns to its first place only if its cycle has exactly per_chain places. */
static const char *chase_verify(const struct worker *w, char *why, size_t n)
{
	const struct chase_args *args = w->args;
	const struct chase *c = w->own;
	const uint64_t beyond = c->steps % c->layout.per_chain;
	uint64_t left = beyond ? c->layout.per_chain - beyond : 0;
	void **at[MAX_CHAINS];

	if (left > MOST_LEFT)
		return NULL;
	for (int i = 0; i < MAX_CHAINS; i++)
		at[i] = c->at[i];
	if (left)
		loops[args->chains - 1](at, left);
	for (uint64_t i = 0; i < args->chains; i++)
		if (at[i] != c->start[i]) {
			snprintf(why, n, "chain %" PRIu64 " did not end where it began", i);
			return why;
		}
	return NULL;
}

static void chase_teardown(struct worker *w)
{
	free(w->own);
	w->own = NULL;
}

/* If places are farther apart than a line, some lines are never accessed. */
static double chase_reach(const struct worker *w)
{
	const struct chase_args *args = w->args;

	return fmin(1, (double)LINE / (double)bytes_of(w, args->stride));
}

/* Places closer together than a line share lines: most loads would hit a line that another load has
 * fetched. In a small page that is visited in one way, prefetchers guess the next lines. */
#define LEAST_PAGE 65536u

static bool chase_latency(const struct worker *w)
{
	const struct chase_args *args = w->args;
	const struct layout l = layout_of(w);

	return args->chains == 1 && l.stride >= LINE &&
	       (args->pages == PAGES_RANDOM || l.ways > 1 || l.page >= LEAST_PAGE || l.pages == 1);
}

static struct chain_work chase_chain(const struct worker *w)
{
	const struct chase_args *args = w->args;
	const double places = (double)layout_of(w).per_chain;

	return (struct chain_work){
		args->loads ? (double)args->loads : places, places * (double)args->chains};
}

static bool chase_takes_loop(const struct worker *w, const char *loop)
{
	char own[32];

	snprintf(own, sizeof(own), "chase_%" PRIu64, ((const struct chase_args *)w->args)->chains);
	return !strcmp(loop, own);
}

const struct kernel chase_kernel = {
	.summary = "latency: each load gives the address of the next one",
	.unit = "load",
	.params = chase_params,
	.args_size = sizeof(struct chase_args),
	.min_vectors = 1,
	.types = TYPES_WORDS,
	.per_unit = {.loads = 1},
	.measures = ATTRIBUTE_READ_LATENCY,
	.accesses.reach = chase_reach,
	.accesses.latency = chase_latency,
	.accesses.chain = chase_chain,
	.owns = true,
	.check = chase_check,
	.takes_loop = chase_takes_loop,
	.accesses.revisits = chase_revisits,
	.setup = chase_setup,
	.preparing = "building chains",
	.run = chase_run,
	.events = &chase_events,
	.verify = chase_verify,
	.teardown = chase_teardown,
};
