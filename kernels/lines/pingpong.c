/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pingpong: two threads hand a line back and forth. Each waits until the other has written the next
 * number, and answers with the one after it. A round is there and back, two handovers; the time of
 * one handover is the latency from core to core. The line is the first of each of the threads'
 * vectors, one vector after another, so its home is the vector's node; with `lines` the threads
 * hand over several lines in turn.
 *
 * Each handover must happen: a thread writes the next number only after it has read the previous
 * one. Earlier samples and other kernels leave none of these numbers, so the vector may hold any
 * data.
 *
 * A thread that waits yields its CPU when the other may need it. It waits without limit, because
 * its partner may sleep first (`sleep`); the driver ensures that a partner with the same number of
 * rounds exists.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "coherence.h"
#include "event_times.h"
#include "own.h"
#include "wait.h"

enum method { BY_STORE, BY_CAS };

static const char *const method_names[] = {"store", "cas", NULL};

struct pingpong_args {
	uint64_t rounds, lines;
	int by;
};

static const struct param pingpong_params[] = {
	{.name = "rounds",
		.type = PARAM_COUNT,
		.offset = offsetof(struct pingpong_args, rounds),
		.fallback = "1000",
		.min = 1,
		.max = 1e6, /* times passes within 64 bits */
		.help = "how often the line goes there and back in one pass"},
	{.name = "lines",
		.type = PARAM_COUNT,
		.offset = offsetof(struct pingpong_args, lines),
		.fallback = "1",
		.min = 1,
		.max = 1e9,
		.help = "lines of the vector, 256 bytes apart, handed over in turn, one round "
			"each"},
	{.name = "by",
		.type = PARAM_CHOICE,
		.offset = offsetof(struct pingpong_args, by),
		.fallback = "store",
		.max = BY_CAS,
		.choices = method_names,
		.help = "how the next number is written: a plain store, or compare-and-swap"},
	{0},
};

/* The first of the numbers, which no other kernel stores: "ping" in the upper half. */
#define FIRST_NUMBER (UINT64_C(0x70696e67) << 32)

/* The state of a thread. It is the same in both threads of a line after every sample, because they
 * do the same rounds. */
struct pingpong {
	uint64_t number; /* the last one written */
	uint64_t last;   /* its place, in bytes from the beginning of each vector */
};

/* The first loads of a wait, about 2 us, do without the hint to the processor that the thread
 * waits: the hint costs up to 0.1 us, as much as a handover. */
#define BARE_LOOKS 4096u

/* Rarely called, so it is kept out of the loop's code. */
static __attribute__((noinline, cold)) void wait_politely(const uint64_t *word, uint64_t number)
{
	unsigned spins = 0;

	while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != number)
		wait_moment(&spins);
}

static inline __attribute__((always_inline)) void wait_for(const uint64_t *word, uint64_t number)
{
	for (unsigned looks = BARE_LOOKS; looks; looks--)
		if (__atomic_load_n(word, __ATOMIC_ACQUIRE) == number)
			return;
	wait_politely(word, number);
}

static inline __attribute__((always_inline)) void hand_over(
	uint64_t *word, uint64_t from, uint64_t to, int by)
{
	if (by == BY_STORE)
		__atomic_store_n(word, to, __ATOMIC_RELEASE);
	else
		__atomic_compare_exchange_n(
			word, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* The words of a vector that are handed over, and the number of rounds. */
struct rally {
	char *base;
	size_t bytes; /* that they span */
	uint64_t rounds;
};

/* A word holds a number of an earlier sample, or any data before the first sample: the thread that
 * begins overwrites every value. */
#define PINGPONG_LOOPS(name, by)                                                   \
	HOT void serve_##name(const struct rally *r, uint64_t number)              \
	{                                                                          \
		size_t at = 0;                                                     \
                                                                                   \
		for (uint64_t left = r->rounds; left; left--) {                    \
			uint64_t *word = (uint64_t *)(r->base + at);               \
                                                                                   \
			hand_over(word, by == BY_CAS ? *word : 0, number + 1, by); \
			wait_for(word, number + 2);                                \
			number += 2;                                               \
			at = at + APART < r->bytes ? at + APART : 0;               \
		}                                                                  \
	}                                                                          \
	HOT void answer_##name(const struct rally *r, uint64_t number)             \
	{                                                                          \
		size_t at = 0;                                                     \
                                                                                   \
		for (uint64_t left = r->rounds; left; left--) {                    \
			uint64_t *word = (uint64_t *)(r->base + at);               \
                                                                                   \
			wait_for(word, number + 1);                                \
			hand_over(word, number + 1, number + 2, by);               \
			number += 2;                                               \
			at = at + APART < r->bytes ? at + APART : 0;               \
		}                                                                  \
	}

PINGPONG_LOOPS(store, BY_STORE)
PINGPONG_LOOPS(cas, BY_CAS)

/* ---- single round trips, by the clock of the thread that serves: those of two cores need not
 * agree */

static inline __attribute__((always_inline)) void round_trip(
	uint64_t *word, uint64_t number, int by)
{
	hand_over(word, by == BY_CAS ? *word : 0, number + 1, by);
	wait_for(word, number + 2);
}

static void serve_events(const struct rally *r, uint64_t number, int by, struct event_times *e)
{
	size_t at = 0;

	for (uint64_t left = r->rounds; left; left--, number += 2) {
		uint64_t *word = (uint64_t *)(r->base + at);

		if (events_due(e)) {
			const uint64_t begin = events_before(e);

			round_trip(word, number, by);
			events_take(e, events_after() - begin);
		} else {
			round_trip(word, number, by);
		}
		at = at + APART < r->bytes ? at + APART : 0;
	}
}

static const char *pingpong_check(const struct worker *w, char *why, size_t n)
{
	const struct pingpong_args *args = w->args;

	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++) {
		if (not_two(w, v, why, n))
			return why;
		if (too_small(v, (size_t)(args->lines - 1) * APART + sizeof(uint64_t), why, n))
			return why;
	}
	return NULL;
}

static const char *pingpong_revisits(const struct worker *w, char *why, size_t n)
{
	const struct pingpong_args *args = w->args;

	return many_rounds(args->rounds, args->lines, why, n);
}

static const char *pingpong_setup(struct worker *w)
{
	struct pingpong *own;

	for (int i = 0; i < w->nvectors; i++)
		if (w->vectors[i].users > w->workers)
			return "two threads hand a line over, but this one runs alone";
	own = w->own = malloc(sizeof(*own));
	if (!own)
		return "out of memory";
	*own = (struct pingpong){FIRST_NUMBER, 0};
	return NULL;
}

/* All rounds, on one vector after another. */
static uint64_t pingpong_run(struct worker *w, uint64_t passes)
{
	struct event_times *e = w->events;
	static void (*const loops[][2])(const struct rally *r, uint64_t number) = {
		[BY_STORE] = {serve_store, answer_store},
		[BY_CAS] = {serve_cas, answer_cas},
	};
	const struct pingpong_args *args = w->args;
	struct pingpong *own = w->own;
	struct rally r = {NULL, (size_t)args->lines * APART, args->rounds * passes};

	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++) {
		r.base = v->base;
		if (e && v->rank == 0)
			serve_events(&r, own->number, args->by, e);
		else
			loops[args->by][v->rank](&r, own->number);
	}
	own->number += 2 * r.rounds;
	own->last = (r.rounds - 1) % args->lines * APART;
	return 2 * r.rounds * (uint64_t)w->nvectors;
}

/* A round trip is longer than its stamps, and waits for nothing else: all are timed. */
static const struct kernel_events pingpong_events = {
	.what = "round trip",
	.units = 2,
	.group = 1,
	.run = pingpong_run,
};

static const char *pingpong_verify(const struct worker *w, char *why, size_t n)
{
	const struct pingpong *own = w->own;

	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++) {
		uint64_t found = *word_at(v, own->last);

		if (found == own->number)
			continue;
		snprintf(why, n, "the last number handed over is %" PRIu64 ", not %" PRIu64, found,
			own->number);
		return why;
	}
	return NULL;
}

/* The time of either thread is that of both loops, serve_ and answer_. */
static bool pingpong_takes_loop(const struct worker *w, const char *loop)
{
	const struct pingpong_args *args = w->args;

	return !strcmp(strchr(loop, '_') + 1, method_names[args->by]);
}

const struct kernel pingpong_kernel = {
	.summary = "two threads hand a line back and forth: the latency from core to core",
	.unit = "handover",
	.params = pingpong_params,
	.args_size = sizeof(struct pingpong_args),
	.min_vectors = 1,
	.types = TYPES_WORDS,
	.per_unit = {.loads = 0.5, .stores = 0.5},
	.meetings.together = true,
	.meetings.hands_over = true,
	.check = pingpong_check,
	.takes_loop = pingpong_takes_loop,
	.accesses.revisits = pingpong_revisits,
	.setup = pingpong_setup,
	.run = pingpong_run,
	.events = &pingpong_events,
	.verify = pingpong_verify,
	.teardown = free_own,
};
