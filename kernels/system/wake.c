/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wake: two threads wake each other in turn. Each sleeps in the system until the other wakes it,
 * stays awake for `idle`, which is how long the other has slept then, and wakes it. A round is
 * there and back, two hand-overs; its time is the first thread's, by one clock, without what both
 * stayed awake. What the threads share of the vector is a line each; its home is the vector's node.
 *
 *   futex    FUTEX_WAIT and FUTEX_WAKE on a word of the line.
 *   eventfd  read() and write() of eight bytes.
 *   pipe     the same of one byte.
 *   condvar  pthread_cond_wait() and pthread_cond_signal(), which comes after the unlock: under the
 *            lock the woken thread would sleep once more.
 *   yield    no sleep: sched_yield() until the line has the next number.
 *
 * The proof of a wake-up is the sleeper's voluntary switch: as many as hand-overs, or it did not
 * sleep. On one CPU any switch is: the woken thread may take the CPU before the other sleeps.
 * What does not prove that is not called a wake-up.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "busy.h"
#include "futex.h"
#include "lines/coherence.h"
#include "own.h"
#include "switches.h"
#include "wake.h"

enum method { BY_FUTEX, BY_EVENTFD, BY_PIPE, BY_CONDVAR, BY_YIELD };

static const char *const method_names[] = {"futex", "eventfd", "pipe", "condvar", "yield", NULL};

struct wake_args {
	uint64_t rounds, idle;
	int by;
};

static const struct param wake_params[] = {
	{.name = "rounds",
		.type = PARAM_COUNT,
		.offset = offsetof(struct wake_args, rounds),
		.fallback = "100",
		.min = 1,
		.max = 1e6,
		.help = "how often both threads wake each other in one pass"},
	{.name = "by",
		.type = PARAM_CHOICE,
		.offset = offsetof(struct wake_args, by),
		.fallback = "futex",
		.max = BY_YIELD,
		.choices = method_names,
		.help = "what wakes the other thread; yield: nothing, it yields its CPU again and "
			"again"},
	{.name = "idle",
		.type = PARAM_DURATION,
		.offset = offsetof(struct wake_args, idle),
		.fallback = "100us", /* fewer let one in five stay awake (measured without any) */
		.max = 1e8,
		.help = "how long a thread stays awake before it wakes the other, which sleeps "
			"meanwhile; not part of the cost"},
	{0},
};

/* A thread's line. */
struct bell {
	_Alignas(APART) uint32_t number; /* of the last hand-over to it */
	uint64_t paused;                 /* ticks that the other stayed awake before */
};

struct wake_pair {
	int ends[2][2]; /* of each thread: what it reads, and what the other writes */
	pthread_mutex_t locks[2];
	pthread_cond_t conds[2];
	uint64_t took_ns; /* of the first thread: all rounds of the last sample */
	unsigned cpus[2];
};

/* The state of a thread. */
struct sleeper {
	uint32_t number;
	uint64_t waits;           /* of the last sample: hand-overs before which it went to sleep */
	struct switches switches; /* the same */
	uint64_t slept, rounds;   /* of all samples */
};

static struct bell *bell_of(const struct worker *w, int rank)
{
	return (struct bell *)((char *)w->vectors->base + (size_t)rank * sizeof(struct bell));
}

static int method_of(const struct worker *w)
{
	return ((const struct wake_args *)w->args)->by;
}

/* ---- the ways to wake */

/* The other thread's bell gets the number, and the thread is woken. */
static void ring(const struct worker *w, int other, uint32_t number)
{
	struct wake_pair *p = w->shared;
	struct bell *b = bell_of(w, other);
	const uint64_t one = 1;
	ssize_t wrote = 0;

	switch (method_of(w)) {
	case BY_FUTEX:
		__atomic_store_n(&b->number, number, __ATOMIC_SEQ_CST);
		futex(&b->number, FUTEX_WAKE, 1, 0);
		break;
	case BY_EVENTFD:
	case BY_PIPE:
		wrote = method_of(w) == BY_PIPE ? 1 : sizeof(one);
		while (write(p->ends[other][1], &one, (size_t)wrote) < 0 && errno == EINTR)
			;
		break;
	case BY_CONDVAR:
		pthread_mutex_lock(&p->locks[other]);
		b->number = number;
		pthread_mutex_unlock(&p->locks[other]);
		pthread_cond_signal(&p->conds[other]);
		break;
	default:
		__atomic_store_n(&b->number, number, __ATOMIC_RELEASE);
	}
}

/* A wait that ends for another reason is only another look. */
static bool sleep_on_futex(struct bell *b, uint32_t number)
{
	bool waited = false;

	while (__atomic_load_n(&b->number, __ATOMIC_ACQUIRE) != number)
		waited |= !futex(&b->number, FUTEX_WAIT, number - 1, 0);
	return waited;
}

static bool sleep_on_file(int file)
{
	uint64_t any;

	while (read(file, &any, sizeof(any)) < 0 && errno == EINTR)
		;
	return true;
}

static bool sleep_on_condvar(struct wake_pair *p, int rank, const struct bell *b, uint32_t number)
{
	bool waited = false;

	pthread_mutex_lock(&p->locks[rank]);
	for (; b->number != number; waited = true)
		pthread_cond_wait(&p->conds[rank], &p->locks[rank]);
	pthread_mutex_unlock(&p->locks[rank]);
	return waited;
}

/* Returns when the thread's bell has the number: whether it went to sleep for that. */
static bool await(const struct worker *w, uint32_t number)
{
	const int rank = w->vectors->rank;
	struct wake_pair *p = w->shared;
	struct bell *b = bell_of(w, rank);

	switch (method_of(w)) {
	case BY_FUTEX:
		return sleep_on_futex(b, number);
	case BY_EVENTFD:
	case BY_PIPE:
		return sleep_on_file(p->ends[rank][0]);
	case BY_CONDVAR:
		return sleep_on_condvar(p, rank, b, number);
	default:
		while (__atomic_load_n(&b->number, __ATOMIC_ACQUIRE) != number)
			sched_yield();
		return false;
	}
}

/* ---- rounds */

static void hand_over(struct worker *w, struct sleeper *own)
{
	ring(w, !w->vectors->rank, own->number);
	own->waits += await(w, own->number);
}

/* Returns the ticks of a round trip without what the other stayed awake. */
static uint64_t timed_round(struct worker *w, struct sleeper *own, uint64_t idle)
{
	own->number++;
	stay_awake(idle);
	const uint64_t begin = ticks_before();
	hand_over(w, own);
	return ticks_after() - begin - __atomic_load_n(&bell_of(w, 0)->paused, __ATOMIC_RELAXED);
}

/* Without pauses there is nothing to take out, and no stamp delays a round. */
static uint64_t serve(struct worker *w, struct sleeper *own, uint64_t rounds, struct event_times *e)
{
	const struct wake_args *args = w->args;
	const uint64_t begin_ns = now_ns(), begin = ticks_before();
	uint64_t took = 0;

	for (uint64_t left = rounds; left; left--) {
		const bool due = e && events_due(e);

		if (!due && !args->idle) {
			own->number++;
			hand_over(w, own);
			continue;
		}
		const uint64_t ticks = timed_round(w, own, args->idle);

		took += ticks;
		if (due)
			events_take(e, ticks);
	}
	const uint64_t ns = now_ns() - begin_ns, all = ticks_after() - begin;

	if (!args->idle)
		return ns;
	return all ? (uint64_t)((double)took * (double)ns / (double)all) : took;
}

static void answer(struct worker *w, struct sleeper *own, uint64_t rounds)
{
	const struct wake_args *args = w->args;

	for (uint64_t left = rounds; left; left--) {
		uint64_t paused = 0;

		own->waits += await(w, ++own->number);
		if (args->idle) {
			const uint64_t begin = ticks_before();

			stay_awake(args->idle);
			paused = ticks_after() - begin;
		}
		__atomic_store_n(&bell_of(w, 0)->paused, paused, __ATOMIC_RELAXED);
		ring(w, 0, own->number);
	}
}

static uint64_t wake_run(struct worker *w, uint64_t passes)
{
	const uint64_t n = ((const struct wake_args *)w->args)->rounds * passes;
	const int rank = w->vectors->rank;
	struct wake_pair *p = w->shared;
	struct sleeper *own = w->own;

	own->waits = 0;
	switches_begin(&own->switches);
	if (rank)
		answer(w, own, n);
	else
		p->took_ns = serve(w, own, n, w->events);
	switches_end(&own->switches);
	getcpu(&p->cpus[rank], NULL);
	own->rounds += n;
	return 2 * n;
}

/* By the clock of the thread that begins: those of two CPUs need not agree. */
static const struct kernel_events wake_events = {
	.what = "two hand-overs",
	.units = 2,
	.group = 1,
	.run = wake_run,
};

static uint64_t wake_took(const struct worker *w)
{
	return ((const struct wake_pair *)w->shared)->took_ns;
}

/* ---- proof */

static bool on_one_cpu(const struct worker *w)
{
	const struct wake_pair *p = w->shared;

	return p->cpus[0] == p->cpus[1];
}

/* Hand-overs of the last sample before which the thread slept. A switch without a wait is that of
 * another lock or fault; a wait without a switch ended before the thread was off its CPU. */
static uint64_t slept(const struct worker *w)
{
	const struct sleeper *own = w->own;
	const struct switches *s = &own->switches;
	/* there the other has run, whether or not the wait was one */
	const bool one = on_one_cpu(w) && method_of(w) != BY_YIELD;
	const uint64_t off = s->voluntary + (one ? s->involuntary : 0);
	const uint64_t most = one ? own->number : own->waits;

	return off < most ? off : most;
}

enum { SLEPT, QUEUED, OTHERS };

static const struct kernel_figure wake_figures[] = {
	[SLEPT] = {.name = "slept",
		.unit = "",
		.join = FIGURE_MEAN,
		.help = "part of the hand-overs before which the thread slept, by its switches"},
	[QUEUED] = {.name = "queued_ns",
		.unit = "ns",
		.join = FIGURE_MEAN,
		.help = "of a hand-over: runnable, without its CPU, which may still wake up or "
			"run another thread; part of the cost"},
	[OTHERS] = {.name = "other_switches",
		.unit = "switch",
		.join = FIGURE_SUM,
		.help = "of the threads, beyond those that prove hand-overs"},
	{0},
};

static void wake_tell(const struct worker *w, double *values)
{
	const struct wake_args *args = w->args;
	struct sleeper *own = w->own;
	const struct switches *s = &own->switches;
	const double n = (double)own->number;
	const uint64_t asleep = slept(w);

	own->slept += asleep;
	values[SLEPT] = args->by == BY_YIELD ? NAN : (double)asleep / n;
	values[QUEUED] = s->queued_ns < 0 ? NAN : (double)s->queued_ns / n;
	values[OTHERS] = (double)(s->voluntary + s->involuntary - asleep);
}

/* In a hundred hand-overs one without sleep moves the mean by less than 1 %. */
#define PROVEN 0.99

enum event_proof wake_judge(const struct wake_count *c, char *text, size_t n)
{
	const double percent = c->rounds ? 100.0 * (double)c->slept / (double)c->rounds : 0;

	if (c->yields) {
		snprintf(text, n, "no wake-ups: a thread that yields does not sleep");
		return EVENTS_UNCOUNTABLE;
	}
	if (!c->slept) {
		snprintf(text, n, "this system counts no voluntary switches of a thread");
		return EVENTS_UNCOUNTABLE;
	}
	if (percent >= 100 * PROVEN) {
		snprintf(text, n, "wake-ups: the thread slept before %.4g %% of its hand-overs%s",
			percent, c->one_cpu ? ", by switches of both kinds: one CPU" : "");
		return EVENTS_PROVEN;
	}
	if (!c->idle) {
		snprintf(text, n,
			"no wake-ups: without idle the thread slept before %.4g %% of its "
			"hand-overs",
			percent);
		return EVENTS_UNCOUNTABLE;
	}
	snprintf(text, n,
		"it slept before %.4g %% of its hand-overs, which are no wake-ups then; a longer "
		"idle lets it fall asleep",
		percent);
	return EVENTS_CONTRADICTED;
}

static enum event_proof wake_prove(const struct worker *w, char *text, size_t n)
{
	const struct wake_args *args = w->args;
	const struct sleeper *own = w->own;
	const struct wake_count c = {.rounds = own->rounds,
		.slept = own->slept,
		.idle = args->idle,
		.yields = args->by == BY_YIELD,
		.one_cpu = on_one_cpu(w)};

	return wake_judge(&c, text, n);
}

static bool wake_sleeps(const struct worker *w)
{
	(void)w;
	return true;
}

/* ---- arguments, and what the threads have in common */

static const char *wake_check(const struct worker *w, char *why, size_t n)
{
	if (w->nvectors != 1) {
		snprintf(why, n, "two threads meet in one vector, but thread %d has %d", w->id,
			w->nvectors);
		return why;
	}
	return not_two(w, w->vectors, why, n)
		       ? why
		       : too_small(w->vectors, 2 * sizeof(struct bell), why, n);
}

static void close_ends(struct wake_pair *p, int by)
{
	for (int rank = 0; rank < 2; rank++)
		for (int end = 0; end < (by == BY_PIPE ? 2 : 1); end++)
			if (p->ends[rank][end] >= 0)
				close(p->ends[rank][end]);
}

static int open_ends(struct wake_pair *p, int by)
{
	int failed = 0;

	for (int rank = 0; rank < 2; rank++) {
		int *ends = p->ends[rank];

		ends[0] = ends[1] = -1;
		if (by == BY_PIPE)
			failed |= pipe2(ends, O_CLOEXEC);
		if (by == BY_EVENTFD)
			ends[0] = ends[1] = eventfd(0, EFD_CLOEXEC);
		failed |= by == BY_EVENTFD && ends[0] < 0;
	}
	return failed;
}

static const char *wake_share(struct worker *w)
{
	struct wake_pair *p = w->shared = calloc(1, sizeof(*p));

	if (!p)
		return "out of memory";
	for (int rank = 0; rank < 2; rank++) {
		pthread_mutex_init(&p->locks[rank], NULL);
		pthread_cond_init(&p->conds[rank], NULL);
	}
	return open_ends(p, method_of(w)) ? "no file can be opened: raise ulimit -n" : NULL;
}

static void wake_unshare(struct worker *w)
{
	struct wake_pair *p = w->shared;

	if (p)
		close_ends(p, method_of(w));
	for (int rank = 0; p && rank < 2; rank++) {
		pthread_mutex_destroy(&p->locks[rank]);
		pthread_cond_destroy(&p->conds[rank]);
	}
	free(p);
}

static const char *wake_setup(struct worker *w)
{
	w->own = calloc(1, sizeof(struct sleeper));
	return w->own ? NULL : "out of memory";
}

/* The vector may hold anything: other operations of the file may have written to it. */
static const char *wake_reset(struct worker *w, char *why, size_t n)
{
	(void)why;
	(void)n;
	*bell_of(w, w->vectors->rank) = (struct bell){0};
	((struct sleeper *)w->own)->number = 0;
	return NULL;
}

static const char *wake_verify(const struct worker *w, char *why, size_t n)
{
	const struct sleeper *own = w->own;
	const struct bell *b = bell_of(w, w->vectors->rank);

	/* files hand over no number */
	if (b->number == own->number || method_of(w) == BY_EVENTFD || method_of(w) == BY_PIPE)
		return NULL;
	snprintf(why, n, "the last number handed over is %u, not %u", b->number, own->number);
	return why;
}

const struct kernel wake_kernel = {
	.summary = "two threads wake each other in turn: what it costs to wake a sleeping thread",
	.unit = "handover",
	.params = wake_params,
	.args_size = sizeof(struct wake_args),
	.min_vectors = 1,
	.types = TYPES_WORDS,
	.meetings.together = true,
	.fixed = true,
	.prepares = true,
	.meetings.transfers = true,
	.check = wake_check,
	.share = wake_share,
	.setup = wake_setup,
	.reset = wake_reset,
	.run = wake_run,
	.events = &wake_events,
	.figures = wake_figures,
	.tell = wake_tell,
	.system.took = wake_took,
	.system.sleeps = wake_sleeps,
	.system.prove = wake_prove,
	.verify = wake_verify,
	.teardown = free_own,
	.unshare = wake_unshare,
};
