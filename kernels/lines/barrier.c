/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What it costs when threads meet. A unit is one meeting of all threads of the vector.
 *
 *   barrier  each thread goes on when all have come.
 *   reduce   the same, and each has the sum of a value of every thread then (an all-reduce). Every
 *            sum is compared with what it must be.
 *
 * With `work` each thread does so many additions that wait for each other before it meets; the
 * difference to `by: none` is then the overhead of the EPCC OpenMP micro-benchmarks (Bull, 1999).
 * A thread that waits yields its CPU when another may need it.
 */
#include <stdlib.h>

#include "barriers.h"
#include "keep.h"
#include "node_here.h"

struct barrier_args {
	uint64_t rounds, work;
	int by, wait;
};

/* Those of barriers_names that give sums. */
static const char *const reduce_names[] = {"central", "tree", "doubling", "openmp", NULL};

#define MEETING_PARAMS(kernel, names, last)                                                    \
	static const struct param kernel##_params[] = {                                        \
		{.name = "rounds",                                                             \
			.type = PARAM_COUNT,                                                   \
			.offset = offsetof(struct barrier_args, rounds),                       \
			.fallback = "1000",                                                    \
			.min = 1,                                                              \
			.max = 1e6,                                                            \
			.help = "meetings in one pass"},                                       \
		{.name = "by",                                                                 \
			.type = PARAM_CHOICE,                                                  \
			.offset = offsetof(struct barrier_args, by),                           \
			.fallback = "central",                                                 \
			.max = last,                                                           \
			.choices = names,                                                      \
			.help = "how the threads meet"},                                       \
		{.name = "wait",                                                               \
			.type = PARAM_CHOICE,                                                  \
			.offset = offsetof(struct barrier_args, wait),                         \
			.fallback = "spin",                                                    \
			.max = WAIT_SLEEP,                                                     \
			.choices = barriers_waits,                                             \
			.help = "a thread that waits looks again and again, or sleeps in the " \
				"kernel"},                                                     \
		{.name = "work",                                                               \
			.type = PARAM_COUNT,                                                   \
			.offset = offsetof(struct barrier_args, work),                         \
			.fallback = "0",                                                       \
			.max = 1e6,                                                            \
			.help = "additions of each thread before each meeting, one after "     \
				"another"},                                                    \
		{0},                                                                           \
	}

MEETING_PARAMS(barrier, barriers_names, BY_NONE);
MEETING_PARAMS(reduce, reduce_names, BY_OPENMP);

/* The state of a thread. */
struct member {
	uint32_t meeting; /* of this sample, the last one */
	uint64_t wrong;   /* sums */
};

/* The count itself is the chain. */
HOT void loop_work(uint64_t additions)
{
	while (additions) {
		additions--;
		keep_changed(additions);
	}
}

static const char *meeting_check(const struct worker *w, char *why, size_t n)
{
	const struct barrier_args *args = w->args;
	const struct vector *v = w->vectors;
	const enum barrier_method by = (enum barrier_method)args->by;

	if (w->nvectors != 1)
		snprintf(why, n, "its threads meet in one vector, but thread %d has %d", w->id,
			w->nvectors);
	else if (!barriers_check(w, by, args->wait == WAIT_SLEEP, why, n))
		return too_small(v, barriers_bytes(by, (uint64_t)v->users), why, n);
	return why;
}

static const char *meeting_share(struct worker *w)
{
	const struct barrier_args *args = w->args;

	w->shared =
		barriers_make(w->vectors, (enum barrier_method)args->by, args->wait == WAIT_SLEEP);
	return w->shared ? NULL : "out of memory";
}

static void meeting_unshare(struct worker *w)
{
	barriers_free(w->shared);
}

static const char *meeting_setup(struct worker *w)
{
	if (w->vectors->users > w->workers)
		return "its threads wait for each other, but this one runs alone";
	w->own = calloc(1, sizeof(struct member));
	if (!w->own)
		return "out of memory";
	barriers_join(w->shared, w->vectors->rank, node_here(w));
	return NULL;
}

static void meeting_chose(const struct worker *w, char *text, size_t n)
{
	const struct barriers *b = w->shared;

	text[0] = '\0';
	if (b->by == BY_TREE)
		snprintf(text, n, "tree over %d node%s", barriers_nodes(b),
			barriers_nodes(b) == 1 ? "" : "s");
	else if (b->by == BY_OPENMP)
		snprintf(text, n, "OpenMP's threads sleep (OMP_WAIT_POLICY=PASSIVE)");
	else if (b->by == BY_PTHREAD)
		snprintf(text, n, "threads sleep");
}

/* The vector may hold anything: other operations of the file may have written to it. */
static const char *meeting_reset(struct worker *w, char *why, size_t n)
{
	(void)why;
	(void)n;
	((struct member *)w->own)->meeting = 0;
	if (!w->vectors->rank)
		barriers_reset(w->shared);
	return NULL;
}

static void free_own(struct worker *w)
{
	free(w->own);
}

static uint64_t barrier_run(struct worker *w, uint64_t passes)
{
	const struct barrier_args *args = w->args;
	struct member *own = w->own;
	const uint64_t meetings = args->rounds * passes;

	for (uint64_t left = meetings; left; left--) {
		loop_work(args->work);
		barriers_meet(w->shared, w->vectors->rank, ++own->meeting);
	}
	return meetings;
}

/* Thread i gives i + 1 + the number of the meeting. */
static uint64_t sum_of(uint64_t threads, uint32_t meeting)
{
	return threads * (threads + 1) / 2 + threads * meeting;
}

static uint64_t reduce_run(struct worker *w, uint64_t passes)
{
	const struct barrier_args *args = w->args;
	const uint64_t threads = (uint64_t)w->vectors->users, meetings = args->rounds * passes;
	const uint64_t mine = (uint64_t)w->vectors->rank + 1;
	struct member *own = w->own;

	for (uint64_t left = meetings; left; left--) {
		uint32_t meeting = ++own->meeting;

		loop_work(args->work);
		own->wrong += barriers_sum(w->shared, w->vectors->rank, meeting, mine + meeting) !=
			      sum_of(threads, meeting);
	}
	return meetings;
}

static const char *reduce_verify(const struct worker *w, char *why, size_t n)
{
	const struct member *own = w->own;

	if (!own->wrong)
		return NULL;
	snprintf(why, n, "%" PRIu64 " of the last %" PRIu32 " sums are wrong", own->wrong,
		own->meeting);
	return why;
}

/* What the two have in common. */
#define MEETING(kernel)                                                                            \
	.unit = "meeting", .params = kernel##_params, .args_size = sizeof(struct barrier_args),    \
	.min_vectors = 1, .meetings.together = true, .prepares = true, .check = meeting_check,     \
	.types = TYPES_WORDS, .share = meeting_share, .setup = meeting_setup,                      \
	.chose = meeting_chose, .reset = meeting_reset, .run = kernel##_run, .teardown = free_own, \
	.unshare = meeting_unshare, .meetings.transfers = true

static bool barrier_meeting(const void *args)
{
	return !((const struct barrier_args *)args)->work;
}

const struct kernel barrier_kernel = {
	.summary = "threads wait until all have come: the cost of a barrier",
	.meetings.is_meeting = barrier_meeting,
	MEETING(barrier),
};

const struct kernel reduce_kernel = {
	.summary = "each thread gets the sum of a value of all: the cost of an all-reduce",
	.verify = reduce_verify,
	MEETING(reduce),
};
