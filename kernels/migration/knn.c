/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * knn: the points that are nearest to each query, among points in a plane: one of the programs of
 * Piccoli et al. (PACT 2014), whose loops are in neither text. Each of the vector's threads looks
 * through its slice of the points for all queries, then the threads join what they found, each for
 * its part of the queries. A unit is a distance; a round answers all queries once.
 *
 * The vector of doubles has a point's two coordinates one behind the other.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "crew.h"
#include "units/memory.h"
#include "policy.h"
#include "uses.h"
#include "works.h"

struct knn_args {
	struct policy_args policy;
	uint64_t queries, neighbours;
	bool hoisted;
};

#define MOST 64

static const struct kernel_figure knn_figures[] = {POLICY_FIGURE_ROWS, {0}};

static const struct param knn_params[] = {
	POLICY_PARAMS(struct knn_args),
	{.name = "queries",
		.type = PARAM_COUNT,
		.offset = offsetof(struct knn_args, queries),
		.fallback = "8",
		.min = 1,
		.max = 1e6,
		.help = "places whose nearest points are asked for in one round"},
	{.name = "neighbours",
		.type = PARAM_COUNT,
		.offset = offsetof(struct knn_args, neighbours),
		.fallback = "8",
		.min = 1,
		.max = MOST,
		.help = "how many points are found for each"},
	{.name = "hoisted",
		.type = PARAM_FLAG,
		.offset = offsetof(struct knn_args, hoisted),
		.fallback = "no",
		.help = "policy spm: one call for all queries; no: one in each, as published"},
	{0},
};

struct answers {
	struct policy *policy;
	struct meeting meeting;
	struct place *asked;     /* [queries] */
	struct neighbour *found; /* [threads][queries][neighbours], then joined in that of 0 */
};

struct seeker {
	struct policy_account account;
	uint64_t met;
};

static uint64_t points_of(const struct worker *w)
{
	return w->vectors->elements / 2;
}

static const char *knn_check(const struct worker *w, char *why, size_t n)
{
	const struct knn_args *args = w->args;

	if (crew_check(w, 1, why, n))
		return why;
	if (points_of(w) / crew_size(w) >= args->neighbours)
		return policy_check(w, why, n);
	snprintf(why, n,
		"a slice of its %" PRIu64 " points has fewer than neighbours = %" PRIu64
		" for each of %d threads",
		points_of(w), args->neighbours, w->vectors->users);
	return why;
}

/* Place i of those that begin with `seed`, in the unit square. */
static struct place place_of(uint64_t seed, uint64_t i)
{
	const uint64_t r = xorshift(xorshift((seed + i + 1) * UINT64_C(0x9e3779b97f4a7c15)));

	return (struct place){
		(double)(uint32_t)r / UINT32_MAX, (double)(uint32_t)(r >> 32) / UINT32_MAX};
}

#define POINTS  0
#define QUERIES (UINT64_C(1) << 40)

static bool get_memory(struct answers *a, const struct knn_args *args, uint64_t threads)
{
	a->found = calloc(threads * args->queries * args->neighbours, sizeof(*a->found));
	a->asked = calloc(args->queries, sizeof(*a->asked));
	return a->found && a->asked;
}

static const char *knn_share(struct worker *w)
{
	const struct knn_args *args = w->args;
	struct answers *a = w->shared = aligned_alloc(APART, sizeof(*a));

	if (!a)
		return "no memory";
	*a = (struct answers){0};
	if (!get_memory(a, args, crew_size(w)))
		return "no memory for the answers";
	for (uint64_t q = 0; q < args->queries; q++)
		a->asked[q] = place_of(QUERIES, q);
	return policy_make(w, &a->policy);
}

static void knn_unshare(struct worker *w)
{
	struct answers *a = w->shared;

	if (a) {
		policy_free(a->policy);
		free(a->asked);
		free(a->found);
	}
	free(a);
}

static const char *knn_setup(struct worker *w)
{
	const uint64_t n = points_of(w), rank = crew_rank(w);
	struct place *points = w->vectors->base;

	w->own = calloc(1, sizeof(struct seeker));
	if (!w->own)
		return "no memory";
	for (uint64_t i = crew_slice(w, n, rank); i < crew_slice(w, n, rank + 1); i++)
		points[i] = place_of(POINTS, i);
	return NULL;
}

static void free_own(struct worker *w)
{
	policy_forget(w->own);
	free(w->own);
	w->own = NULL;
}

static double squared(struct place a, struct place b)
{
	return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

static struct neighbour *list_of(const struct worker *w, uint64_t rank, uint64_t query)
{
	const struct knn_args *args = w->args;
	const struct answers *a = w->shared;

	return a->found + (rank * args->queries + query) * args->neighbours;
}

/* Joins what all threads have found into the list of thread 0. */
static void join(const struct worker *w, uint64_t query)
{
	const struct knn_args *args = w->args;
	struct neighbour *all = list_of(w, 0, query);
	uint64_t count = args->neighbours;

	for (uint64_t rank = 1; rank < crew_size(w); rank++)
		for (uint64_t i = 0; i < args->neighbours; i++)
			works_insert(all, &count, args->neighbours, list_of(w, rank, query)[i]);
}

/* So many points of the thread, and how often a loop with so many queries uses them. */
static void call(const struct worker *w, const struct place *points, uint64_t n, uint64_t queries)
{
	const struct answers *a = w->shared;
	const int64_t uses = uses_knn((int64_t)n, (int64_t)queries);

	policy_call(
		a->policy, points, n * sizeof(*points), sizeof(double), (struct uses){uses, uses});
}

static void seek(const struct worker *w, uint64_t from, uint64_t to)
{
	const struct knn_args *args = w->args;
	const struct answers *a = w->shared;
	const struct works *works = policy_works(&args->policy);
	/* so many queries are one nest of loops, in front of which there is a call */
	const uint64_t together = args->hoisted || works == &works_compiled ? args->queries : 1;
	struct seeker *own = w->own;
	const uint64_t n = to - from, bytes = n * sizeof(struct place);
	const struct place *points = policy_take(a->policy, &own->account, 0,
		(const struct place *)w->vectors->base + from, bytes, true);

	policy_eager(a->policy, points, bytes);
	if (args->hoisted)
		call(w, points, n, args->queries);
	for (uint64_t q = 0; q < args->queries; q += together) {
		if (!args->hoisted)
			call(w, points, n, 1);
		works->knn(points, from, to, a->asked + q, together, list_of(w, crew_rank(w), q),
			args->neighbours);
	}
	policy_release(a->policy, points, bytes);
	policy_give(a->policy, &own->account, 0, false);
}

static uint64_t knn_run(struct worker *w, uint64_t passes)
{
	const struct knn_args *args = w->args;
	const uint64_t rank = crew_rank(w), from = crew_slice(w, points_of(w), rank),
		       to = crew_slice(w, points_of(w), rank + 1);
	struct answers *a = w->shared;
	struct seeker *own = w->own;

	policy_begin(a->policy, &own->account);
	for (uint64_t pass = 0; pass < passes; pass++) {
		seek(w, from, to);
		meet(&a->meeting, &own->met, w);
		for (uint64_t q = rank; q < args->queries; q += crew_size(w))
			join(w, q);
		meet(&a->meeting, &own->met, w);
	}
	policy_end(a->policy, &own->account);
	return passes * args->queries * (to - from);
}

/* Two products and a sum may be rounded once or twice, as the processor has instructions for them.
 */
#define ROUNDING 1e-12

static bool same_distance(double a, double b)
{
	return a >= b * (1 - ROUNDING) && a <= b * (1 + ROUNDING);
}

/* Each neighbour is where the list says; as many points as the list has are as near as its last
 * one, and no other is nearer. */
static const char *wrong_list(const struct worker *w, uint64_t query)
{
	const struct knn_args *args = w->args;
	const struct neighbour *list = list_of(w, 0, query);
	const struct place at = place_of(QUERIES, query);
	const double last = list[args->neighbours - 1].distance;
	uint64_t nearer = 0, as_near = 0;

	for (uint64_t i = 0; i < args->neighbours; i++)
		if (list[i].point >= points_of(w) ||
			!same_distance(
				list[i].distance, squared(place_of(POINTS, list[i].point), at)) ||
			(i && list[i - 1].distance > list[i].distance))
			return "its distance is wrong";
	for (uint64_t i = 0; i < points_of(w); i++) {
		const double distance = squared(place_of(POINTS, i), at);

		nearer += distance < last * (1 - ROUNDING);
		as_near += distance <= last * (1 + ROUNDING);
	}
	return nearer < args->neighbours && as_near >= args->neighbours ? NULL
									: "there are nearer ones";
}

static const char *knn_verify(const struct worker *w, char *why, size_t n)
{
	const struct knn_args *args = w->args;

	for (uint64_t q = crew_rank(w); q < args->queries; q += crew_size(w)) {
		const char *wrong = wrong_list(w, q);

		if (!wrong)
			continue;
		snprintf(why, n, "a neighbour of query %" PRIu64 " is none: %s", q, wrong);
		return why;
	}
	return NULL;
}

static const char *knn_finds(const struct worker *w, int k)
{
	(void)w;
	(void)k;
	return "points";
}

const struct kernel knn_kernel = {
	.summary = "finds the nearest of many points, query by query",
	.unit = "distance",
	.run = knn_run,
	.per_unit = {.loads = 2},
	.fixed = true,
	.migration.moves = policy_moves,
	.reset = policy_reset,
	.migration.arrange = policy_arrange,
	.figures = knn_figures,
	.tell = policy_tell,
	.params = knn_params,
	.args_size = sizeof(struct knn_args),
	.min_vectors = 1,
	.types = TYPE_SET(TYPE_DOUBLE),
	.check = knn_check,
	.lacks_for = policy_lacks,
	.share = knn_share,
	.setup = knn_setup,
	.verify = knn_verify,
	.teardown = free_own,
	.unshare = knn_unshare,
	.prepares = true,
	.meetings.together = true,
	.finds = knn_finds,
};
