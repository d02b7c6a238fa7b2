/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * queue: threads put messages of `lines` lines into a bounded queue, others take them. Of spsc the
 * first thread puts and the second takes, of mpsc the first takes and the others put, of mpmc every
 * second one puts. A unit is a message put or taken: looks at a full or an empty queue are counted
 * apart. With `reply` a second queue leads back, and the first thread waits for each answer: a
 * round trip by one clock, where throughput has messages under way.
 *
 * A message is its producer and its number, in each of its lines; who takes it compares them, and
 * the sums of all that was put and taken.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "event_times.h"
#include "migration/crew.h"
#include "own.h"
#include "queues.h"

static const char *const method_names[] = {"spsc", "mpsc", "mpmc", NULL};

struct queue_args {
	uint64_t rounds, lines, batch, capacity;
	int by;
	bool reply;
};

#define QUEUE_COUNT(field, otherwise, least, most_, text)                                          \
	{                                                                                          \
		.name = #field, .type = PARAM_COUNT, .offset = offsetof(struct queue_args, field), \
		.fallback = otherwise, .min = least, .max = most_, .help = text                    \
	}

static const struct param queue_params[] = {
	QUEUE_COUNT(rounds, "1000", 1, 1e6, "batches that each thread puts in one pass"),
	{.name = "by",
		.type = PARAM_CHOICE,
		.offset = offsetof(struct queue_args, by),
		.fallback = "spsc",
		.max = BY_MPMC,
		.choices = method_names,
		.help = "one or more threads that put, and that take"},
	QUEUE_COUNT(lines, "1", 1, 1024, "of 64 bytes in a message"),
	QUEUE_COUNT(batch, "1", 1, 4096, "messages that are put, or taken, at once"),
	QUEUE_COUNT(capacity, "64", 2, 1 << 20, "messages that the queue holds: a power of two"),
	{.name = "reply",
		.type = PARAM_FLAG,
		.offset = offsetof(struct queue_args, reply),
		.fallback = "no",
		.help = "by = spsc: each batch is answered by one in a second queue before the "
			"next "
			"is put"},
	{0},
};

/* What a thread notes of the last sample, for all to read when it has ended. */
struct account {
	_Alignas(APART) uint64_t put, taken; /* messages */
	uint64_t full, empty;                /* looks that found no room, or no message */
	uint64_t fill, looks;                /* messages that were in the queue in so many looks */
	uint64_t sum;                        /* of those put, less those taken */
	uint64_t wrong;                      /* messages that were not whole, or not in order */
};

struct queue_shared {
	struct queue queues[2]; /* there, and back */
	struct meeting start;
	struct account accounts[];
};

/* The state of a thread. */
struct member {
	uint64_t met;
	struct queue_view views[2];
	bool failed;     /* in a sample */
	uint64_t seen[]; /* [threads] the number of the next message of each, at least */
};

static bool puts_first(const struct worker *w)
{
	const struct queue_args *a = w->args;
	const uint64_t rank = crew_rank(w);

	return a->by == BY_SPSC ? rank == 0 : a->by == BY_MPSC ? rank > 0 : rank % 2 == 0;
}

static uint64_t producers(const struct worker *w)
{
	const struct queue_args *a = w->args;
	const uint64_t n = crew_size(w);

	return a->by == BY_SPSC ? 1 : a->by == BY_MPSC ? n - 1 : (n + 1) / 2;
}

/* ---- messages */

#define NUMBER_BITS 40
#define WORDS       (QUEUE_LINE / sizeof(uint64_t))

static void write_message(struct queue_cell *c, uint64_t lines, uint64_t value)
{
	for (uint64_t i = 0; i < lines; i++)
		c->words[i * WORDS] = value;
}

/* Of one thread that takes, each message of a producer follows its last; several have those
 * between.
 */
static void read_message(const struct worker *w, const struct queue_cell *c, struct account *own)
{
	const struct queue_args *a = w->args;
	struct member *m = w->own;
	const uint64_t value = c->words[0], from = value >> NUMBER_BITS;
	const uint64_t number = value & ((UINT64_C(1) << NUMBER_BITS) - 1);
	uint64_t other = 0;

	for (uint64_t i = 1; i < a->lines; i++)
		other |= c->words[i * WORDS] ^ value;
	own->sum -= value;
	own->taken++;
	if (other || from >= crew_size(w) || number < m->seen[from] ||
		(a->by != BY_MPMC && number != m->seen[from])) {
		own->wrong++;
		return;
	}
	m->seen[from] = number + 1;
}

/* ---- batches */

static void put_batch(const struct worker *w, int q, uint64_t number, struct account *own)
{
	const struct queue_args *a = w->args;
	struct queue *queue = &((struct queue_shared *)w->shared)->queues[q];
	struct member *m = w->own;
	unsigned spins = 0;
	uint64_t at;

	for (; !queue_claim_put(queue, &m->views[q], a->batch, &at); own->full++)
		wait_moment(&spins);
	for (uint64_t i = 0; i < a->batch; i++) {
		const uint64_t value = crew_rank(w) << NUMBER_BITS | (number + i);

		write_message(queue_cell(queue, at + i), a->lines, value);
		own->sum += value;
	}
	queue_put(queue, at, a->batch);
	own->put += a->batch;
}

/* Returns false when all `total` messages are taken, or claimed by others. */
static bool take_batch(const struct worker *w, int q, uint64_t total, struct account *own)
{
	const struct queue_args *a = w->args;
	struct queue *queue = &((struct queue_shared *)w->shared)->queues[q];
	struct member *m = w->own;
	unsigned spins = 0;
	uint64_t at;

	for (; !queue_claim_take(queue, &m->views[q], a->batch, &at); own->empty++) {
		if (queue_taken(queue) >= total)
			return false;
		wait_moment(&spins);
	}
	for (uint64_t i = 0; i < a->batch; i++)
		read_message(w, queue_cell(queue, at + i), own);
	queue_took(queue, at, a->batch);
	return true;
}

/* The other side's position is in another cache: it is looked at now and then. */
#define FILL_EVERY 64u

static void take_all(const struct worker *w, uint64_t total, struct account *own)
{
	const struct queue *q = &((const struct queue_shared *)w->shared)->queues[0];

	for (uint64_t turn = 0; queue_taken(q) < total; turn++) {
		if (turn % FILL_EVERY == 0) {
			own->fill += queue_fill(q);
			own->looks++;
		}
		if (!take_batch(w, 0, total, own))
			break;
	}
}

static void ask(struct worker *w, uint64_t batches, struct account *own, struct event_times *e)
{
	const struct queue_args *a = w->args;

	for (uint64_t i = 0; i < batches; i++) {
		const bool due = e && events_due(e);
		const uint64_t begin = due ? events_stamp() : 0;

		put_batch(w, 0, i * a->batch, own);
		take_batch(w, 1, UINT64_MAX, own);
		if (due)
			events_take(e, events_after() - begin);
	}
}

static void answer(const struct worker *w, uint64_t batches, struct account *own)
{
	const struct queue_args *a = w->args;

	for (uint64_t i = 0; i < batches; i++) {
		take_batch(w, 0, UINT64_MAX, own);
		put_batch(w, 1, i * a->batch, own);
	}
}

static uint64_t queue_run(struct worker *w, uint64_t passes)
{
	const struct queue_args *a = w->args;
	const uint64_t batches = a->rounds * passes;
	struct queue_shared *s = w->shared;
	struct account own = {0};

	meet(&s->start, &((struct member *)w->own)->met, w);
	if (a->reply && puts_first(w))
		ask(w, batches, &own, w->events);
	else if (a->reply)
		answer(w, batches, &own);
	else if (puts_first(w))
		for (uint64_t i = 0; i < batches; i++)
			put_batch(w, 0, i * a->batch, &own);
	else
		take_all(w, producers(w) * batches * a->batch, &own);
	s->accounts[crew_rank(w)] = own;
	return own.put + own.taken;
}

static const char *queue_events_refuse(const struct worker *w, char *why, size_t n)
{
	const struct queue_args *a = w->args;

	if (a->reply && a->batch == 1)
		return NULL;
	snprintf(why, n, "messages are under way together; reply: yes, batch: 1");
	return why;
}

/* By the clock of the thread that asks: those of two CPUs need not agree. */
static const struct kernel_events queue_events = {
	.what = "round trip",
	.units = 2,
	.group = 1,
	.run = queue_run,
	.refuses = queue_events_refuse,
};

/* ---- figures and proof */

enum { MESSAGES, FULL, EMPTY, FILL };

static const struct kernel_figure queue_figures[] = {
	[MESSAGES] = {.name = "messages_per_s",
		.unit = "message/s",
		.join = FIGURE_SUM,
		.each_second = true,
		.help = "that the thread took"},
	[FULL] = {.name = "full_looks",
		.unit = "",
		.join = FIGURE_MEAN,
		.help = "of all threads, for each message: looks at a queue without room"},
	[EMPTY] = {.name = "empty_looks",
		.unit = "",
		.join = FIGURE_MEAN,
		.help = "of all threads, for each message: looks at a queue without a message"},
	[FILL] = {.name = "fill",
		.unit = "",
		.join = FIGURE_MEAN,
		.help = "part of the queue that is filled, by one look of its takers in 64"},
	{0},
};

/* Of all threads. */
static struct account add_up(const struct worker *w)
{
	const struct queue_shared *s = w->shared;
	struct account all = {0};

	for (uint64_t i = 0; i < crew_size(w); i++) {
		const struct account *a = &s->accounts[i];

		all.put += a->put;
		all.taken += a->taken;
		all.full += a->full;
		all.empty += a->empty;
		all.fill += a->fill;
		all.looks += a->looks;
		all.sum += a->sum;
		all.wrong += a->wrong;
	}
	return all;
}

static void queue_tell(const struct worker *w, double *values)
{
	const struct queue_args *a = w->args;
	const struct queue_shared *s = w->shared;
	const struct account all = add_up(w);

	((struct member *)w->own)->failed |= all.sum || all.wrong || all.put != all.taken;
	values[MESSAGES] = (double)s->accounts[crew_rank(w)].taken;
	values[FULL] = (double)all.full / (double)all.taken;
	values[EMPTY] = (double)all.empty / (double)all.taken;
	values[FILL] = all.looks ? (double)all.fill / (double)all.looks / (double)a->capacity : NAN;
}

static enum event_proof queue_prove(const struct worker *w, char *text, size_t n)
{
	const struct account all = add_up(w);

	if (((const struct member *)w->own)->failed) {
		snprintf(text, n,
			"messages were lost, torn or out of order: of the last sample %" PRIu64
			" were put, %" PRIu64 " taken, %" PRIu64 " of them wrong",
			all.put, all.taken, all.wrong);
		return EVENTS_CONTRADICTED;
	}
	snprintf(text, n, "each message was taken once, whole, in the order of its producer");
	return EVENTS_PROVEN;
}

/* ---- arguments, and what the threads have in common */

static size_t cell_bytes(const struct queue_args *a)
{
	return (size_t)a->lines * QUEUE_LINE;
}

static size_t bytes_needed(const struct queue_args *a)
{
	return (a->reply ? 2 : 1) * queue_bytes(a->capacity, cell_bytes(a));
}

static const char *queue_check(const struct worker *w, char *why, size_t n)
{
	const struct queue_args *a = w->args;

	if (crew_check(w, 1, why, n))
		return why;
	if (a->by == BY_SPSC && not_two(w, w->vectors, why, n))
		return why;
	if (crew_size(w) < 2)
		snprintf(why, n,
			"one thread puts and another takes, but the vector of thread %d has one: "
			"vectorPerThread: all",
			w->id);
	else if (a->capacity & (a->capacity - 1))
		snprintf(why, n, "capacity = %" PRIu64 " is not a power of two", a->capacity);
	else if (a->batch > a->capacity)
		snprintf(why, n,
			"batch = %" PRIu64 " does not fit into the capacity of %" PRIu64
			" messages",
			a->batch, a->capacity);
	else if (a->reply && a->by != BY_SPSC)
		snprintf(why, n, "reply = yes is for by = spsc");
	else
		return too_small(w->vectors, bytes_needed(a), why, n);
	return why;
}

static const char *queue_share(struct worker *w)
{
	const struct queue_args *a = w->args;
	const size_t bytes = sizeof(struct queue_shared) + crew_size(w) * sizeof(struct account);
	struct queue_shared *s = w->shared = aligned_alloc(APART, bytes);

	if (!s)
		return "out of memory";
	memset(s, 0, bytes);
	for (int q = 0; q <= a->reply; q++)
		s->queues[q] = (struct queue){.by = (enum queue_method)a->by,
			.capacity = a->capacity,
			.cell = cell_bytes(a),
			.base = (char *)w->vectors->base +
				(q ? queue_bytes(a->capacity, cell_bytes(a)) : 0)};
	return NULL;
}

static const char *queue_setup(struct worker *w)
{
	w->own = calloc(1, sizeof(struct member) + crew_size(w) * sizeof(uint64_t));
	return w->own ? NULL : "out of memory";
}

/* The vector may hold anything: other operations of the file may have written to it. */
static const char *queue_reset(struct worker *w, char *why, size_t n)
{
	const struct queue_args *a = w->args;
	struct queue_shared *s = w->shared;
	struct member *m = w->own;

	(void)why;
	(void)n;
	for (int q = 0; !crew_rank(w) && q <= a->reply; q++)
		queue_init(&s->queues[q]);
	memset(m->views, 0, sizeof(m->views));
	memset(m->seen, 0, crew_size(w) * sizeof(*m->seen));
	return NULL;
}

const struct kernel queue_kernel = {
	.summary = "threads put messages into a queue, others take them: rate, or round trips",
	.unit = "put or take",
	.params = queue_params,
	.args_size = sizeof(struct queue_args),
	.min_vectors = 1,
	.types = TYPES_WORDS,
	.prepares = true,
	.meetings.together = true,
	.meetings.transfers = true,
	.check = queue_check,
	.share = queue_share,
	.setup = queue_setup,
	.reset = queue_reset,
	.run = queue_run,
	.events = &queue_events,
	.figures = queue_figures,
	.tell = queue_tell,
	.system.prove = queue_prove,
	.teardown = free_own,
	.unshare = free_shared,
};
