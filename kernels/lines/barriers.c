/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Barriers and reductions. A barrier by words of each thread is a reduction whose values nobody
 * needs: the value lies beside the word in the same line, so that it costs a store and a load
 * there. Where all add to one counter, a sum would be one more addition of each, so that the
 * barrier does without. */
#include "barriers.h"

#include <stdlib.h>
#include <string.h>

#include "futex.h"
#include "wait.h"

/* A line by which one thread tells others. The value of a meeting stays until the next but one: a
 * thread can be a meeting ahead of one that still reads. */
struct line {
	_Alignas(APART) uint32_t meeting; /* the last one that was told */
	uint32_t sleepers;
	uint64_t value[2];
};

/* The first two lines of the central barrier: all add to the first. */
struct counter {
	_Alignas(APART) uint64_t arrived;
	uint64_t sum[2];
};

/* The first loads of a wait do without the hint to the processor that the thread waits: the hint
 * costs as much as a line from another core. */
#define BARE_LOOKS 4096u

static bool told(const struct line *l, uint32_t meeting, int order)
{
	return (int32_t)(__atomic_load_n(&l->meeting, order) - meeting) >= 0;
}

static void tell(const struct barriers *b, struct line *l, uint32_t meeting)
{
	if (!b->sleeps) {
		__atomic_store_n(&l->meeting, meeting, __ATOMIC_RELEASE);
		return;
	}
	/* One of the two sees the other: the sleeper this number, or this thread the sleeper. */
	__atomic_store_n(&l->meeting, meeting, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&l->sleepers, __ATOMIC_SEQ_CST))
		futex(&l->meeting, FUTEX_WAKE, INT32_MAX, 0);
}

static __attribute__((noinline, cold)) void look_politely(const struct line *l, uint32_t meeting)
{
	unsigned spins = 0;

	while (!told(l, meeting, __ATOMIC_ACQUIRE))
		wait_moment(&spins);
}

/* An interrupted or useless wait is only another look. */
static __attribute__((noinline, cold)) void sleep_until(struct line *l, uint32_t meeting)
{
	__atomic_fetch_add(&l->sleepers, 1, __ATOMIC_SEQ_CST);
	for (;;) {
		uint32_t found = __atomic_load_n(&l->meeting, __ATOMIC_SEQ_CST);

		if ((int32_t)(found - meeting) >= 0)
			break;
		futex(&l->meeting, FUTEX_WAIT, found, 0);
	}
	__atomic_fetch_sub(&l->sleepers, 1, __ATOMIC_SEQ_CST);
}

static void await(const struct barriers *b, struct line *l, uint32_t meeting)
{
	if (b->sleeps) {
		if (!told(l, meeting, __ATOMIC_ACQUIRE))
			sleep_until(l, meeting);
		return;
	}
	for (unsigned looks = BARE_LOOKS; looks; looks--)
		if (told(l, meeting, __ATOMIC_ACQUIRE))
			return;
	look_politely(l, meeting);
}

static void give(const struct barriers *b, struct line *l, uint32_t meeting, uint64_t value)
{
	__atomic_store_n(&l->value[meeting & 1], value, __ATOMIC_RELAXED);
	tell(b, l, meeting);
}

static uint64_t take(const struct barriers *b, struct line *l, uint32_t meeting)
{
	await(b, l, meeting);
	return __atomic_load_n(&l->value[meeting & 1], __ATOMIC_RELAXED);
}

/* Whether this thread is the last to arrive. */
static bool arrive(const struct barriers *b)
{
	struct counter *c = (struct counter *)b->words;

	return __atomic_add_fetch(&c->arrived, 1, __ATOMIC_ACQ_REL) % b->threads == 0;
}

static struct line *line_of_all(const struct barriers *b)
{
	return (struct line *)(b->words + APART);
}

static void meet_at_counter(const struct barriers *b, uint32_t meeting)
{
	if (arrive(b))
		tell(b, line_of_all(b), meeting);
	else
		await(b, line_of_all(b), meeting);
}

/* The last to arrive empties the sum before it tells the others, so that it is empty when they add
 * to it the next time but one. */
static uint64_t central(struct barriers *b, uint32_t meeting, uint64_t value)
{
	uint64_t *sum = &((struct counter *)b->words)->sum[meeting & 1];

	__atomic_fetch_add(sum, value, __ATOMIC_RELAXED);
	if (!arrive(b))
		return take(b, line_of_all(b), meeting);
	value = __atomic_exchange_n(sum, 0, __ATOMIC_RELAXED);
	give(b, line_of_all(b), meeting, value);
	return value;
}

/* Each thread has `per_thread` lines. */
static struct line *line_of(
	const struct barriers *b, uint32_t rank, uint32_t per_thread, uint32_t k)
{
	return (struct line *)(b->words + APART * ((size_t)rank * per_thread + k));
}

static uint32_t rounds_of(uint64_t threads)
{
	uint32_t rounds = 0;

	while (UINT64_C(1) << rounds < threads)
		rounds++;
	return rounds;
}

static void disseminate(const struct barriers *b, uint32_t rank, uint32_t meeting)
{
	const uint32_t rounds = rounds_of(b->threads);

	for (uint32_t k = 0; k < rounds; k++) {
		uint32_t to = (uint32_t)((rank + (UINT64_C(1) << k)) % b->threads);

		tell(b, line_of(b, to, rounds, k), meeting);
		await(b, line_of(b, rank, rounds, k), meeting);
	}
}

/* The last two lines of a thread are for what comes from beyond the power of two and goes back. */
static uint64_t doubling(const struct barriers *b, uint32_t rank, uint32_t meeting, uint64_t value)
{
	const uint32_t lines = rounds_of(b->threads) + 2;
	const uint32_t rounds = b->threads ? 31u - (uint32_t)__builtin_clz(b->threads) : 0;
	const uint32_t whole = UINT32_C(1) << rounds;

	if (rank >= whole) {
		give(b, line_of(b, rank - whole, lines, lines - 2), meeting, value);
		return take(b, line_of(b, rank, lines, lines - 1), meeting);
	}
	if (rank + whole < b->threads)
		value += take(b, line_of(b, rank, lines, lines - 2), meeting);
	for (uint32_t k = 0; k < rounds; k++) {
		give(b, line_of(b, rank ^ UINT32_C(1) << k, lines, k), meeting, value);
		value += take(b, line_of(b, rank, lines, k), meeting);
	}
	if (rank + whole < b->threads)
		give(b, line_of(b, rank + whole, lines, lines - 1), meeting, value);
	return value;
}

/* The first line of a thread is read by its parent, the second one by itself. */
static uint64_t tree(const struct barriers *b, uint32_t rank, uint32_t meeting, uint64_t value)
{
	const struct tree_place *p = &b->places[rank];

	for (int i = 0; i < p->nchildren; i++)
		value += take(b, line_of(b, (uint32_t)p->children[i], 2, 0), meeting);
	if (p->parent >= 0) {
		give(b, line_of(b, rank, 2, 0), meeting, value);
		value = take(b, line_of(b, rank, 2, 1), meeting);
	}
	for (int i = 0; i < p->nchildren; i++)
		give(b, line_of(b, (uint32_t)p->children[i], 2, 1), meeting, value);
	return value;
}

static void meet_by_openmp(void)
{
#pragma omp barrier
	(void)0;
}

/* Each thread has one iteration, that with its own value. The sum of a meeting stays until all have
 * come to the next one; the first thread empties it for the next but two, of which nobody can be
 * yet. */
static uint64_t sum_by_openmp(const struct barriers *b, int rank, uint32_t meeting, uint64_t value)
{
	uint64_t *const sums = (uint64_t *)b->words, *sum = sums + (meeting & 3);

#pragma omp for schedule(static, 1) reduction(+ : sum [0:1])
	for (uint32_t i = 0; i < b->threads; i++)
		sum[0] += value;
	if (!rank)
		sums[(meeting + 2) & 3] = 0;
	return *sum;
}

uint64_t barriers_sum(struct barriers *b, int rank, uint32_t meeting, uint64_t value)
{
	switch (b->by) {
	case BY_CENTRAL:
		return central(b, meeting, value);
	case BY_TREE:
		return tree(b, (uint32_t)rank, meeting, value);
	case BY_DOUBLING:
		return doubling(b, (uint32_t)rank, meeting, value);
	case BY_OPENMP:
		return sum_by_openmp(b, rank, meeting, value);
	default:
		return value;
	}
}

void barriers_meet(struct barriers *b, int rank, uint32_t meeting)
{
	switch (b->by) {
	case BY_CENTRAL:
		meet_at_counter(b, meeting);
		break;
	case BY_DISSEMINATION:
		disseminate(b, (uint32_t)rank, meeting);
		break;
	case BY_OPENMP:
		meet_by_openmp();
		break;
	case BY_PTHREAD:
		pthread_barrier_wait(&b->pthread);
		break;
	default:
		barriers_sum(b, rank, meeting, 0);
	}
}

const char *const barriers_names[] = {
	"central", "tree", "doubling", "openmp", "dissemination", "pthread", "none", NULL};
const char *const barriers_waits[] = {"spin", "sleep", NULL};

const char *barriers_check(
	const struct worker *w, enum barrier_method by, bool sleeps, char *why, size_t n)
{
	const struct vector *v = w->vectors;

	if (sleeps && (by == BY_OPENMP || by >= BY_PTHREAD))
		snprintf(why, n, "wait = sleep is not for by = %s, whose threads %s",
			barriers_names[by], by == BY_NONE ? "do not wait" : "sleep by themselves");
	else if (by == BY_OPENMP && v->team != w->workers)
		snprintf(why, n,
			"OpenMP's barrier is one of all %d threads, but %d %s the vector: "
			"vectorPerThread: all",
			w->workers, v->team, v->team == 1 ? "has" : "have");
	else
		return NULL;
	return why;
}

size_t barriers_bytes(enum barrier_method by, uint64_t threads)
{
	const uint64_t rounds = rounds_of(threads);
	const uint64_t lines[] = {
		[BY_CENTRAL] = 2,
		[BY_TREE] = 2 * threads,
		[BY_DISSEMINATION] = rounds * threads,
		[BY_DOUBLING] = (rounds + 2) * threads,
		[BY_OPENMP] = 1,
		[BY_PTHREAD] = 0,
		[BY_NONE] = 0,
	};

	return (size_t)lines[by] * APART;
}

struct barriers *barriers_make(const struct vector *v, enum barrier_method by, bool sleeps)
{
	const size_t n = (size_t)v->users;
	struct barriers *b = calloc(1, sizeof(*b) + n * sizeof(b->node[0]));

	if (!b)
		return NULL;
	b->by = by;
	b->sleeps = sleeps;
	b->words = v->base;
	b->threads = (uint32_t)n;
	b->places = calloc(n, sizeof(*b->places));
	if (!b->places || pthread_barrier_init(&b->pthread, NULL, b->threads)) {
		free(b->places);
		free(b);
		return NULL;
	}
	return b;
}

void barriers_reset(struct barriers *b)
{
	memset(b->words, 0, barriers_bytes(b->by, b->threads));
}

void barriers_free(struct barriers *b)
{
	if (!b)
		return;
	pthread_barrier_destroy(&b->pthread);
	free(b->places);
	free(b);
}
