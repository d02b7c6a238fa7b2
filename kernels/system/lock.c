/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lock: the threads of a vector take one lock again and again, until all together have had it
 * rounds x threads times: nobody is alone with it at the beginning or at the end, and how often
 * each has had it is its share. A unit is an acquisition.
 *
 * Under the lock a thread counts in a line of all, adds to `section_lines` others of all, and stays
 * for `section`; without it, it adds to `pause_lines` lines of its own and stays away for `pause`.
 * With rw a reader loads what the others store. The lines lie in the vector: the lock, the count,
 * a line of each thread in the queue, those of the section, those of each thread's pause.
 *
 * The owners are compared in the line of the count, which costs no line more. A wait is taken from
 * the call until the thread has given the lock back, by stamps that nobody waits for; whether a
 * thread was switched out meanwhile is asked once in BLOCK acquisitions, as the call takes long.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "busy.h"
#include "keep.h"
#include "locks.h"
#include "migration/crew.h"
#include "own.h"

enum wait_method { WAIT_AUTO, WAIT_SPIN, WAIT_PARK };
enum domain { DOMAIN_CACHE, DOMAIN_NODE, DOMAIN_PACKAGE };

static const char *const method_names[] = {
	"ticket", "mcs", "cna", "pthread", "adaptive", "rw", NULL};
static const char *const wait_names[] = {"auto", "spin", "park", NULL};
static const char *const domain_names[] = {"cache", "node", "package", NULL};

struct lock_args {
	uint64_t rounds, section, pause, section_lines, pause_lines, threshold;
	double reads;
	int by, wait, domain;
};

#define LOCK_COUNT(field, otherwise, least, most_, text)                                          \
	{                                                                                         \
		.name = #field, .type = PARAM_COUNT, .offset = offsetof(struct lock_args, field), \
		.fallback = otherwise, .min = least, .max = most_, .help = text                   \
	}
#define LOCK_TIME(field, text)                                                            \
	{                                                                                 \
		.name = #field, .type = PARAM_DURATION,                                   \
		.offset = offsetof(struct lock_args, field), .fallback = "0", .max = 1e8, \
		.help = text                                                              \
	}
#define LOCK_CHOICE(field, otherwise, last, names, text)                                           \
	{                                                                                          \
		.name = #field, .type = PARAM_CHOICE, .offset = offsetof(struct lock_args, field), \
		.fallback = otherwise, .max = last, .choices = names, .help = text                 \
	}

static const struct param lock_params[] = {
	LOCK_COUNT(rounds, "1000", 1, 1e6, "acquisitions of a pass, times the threads"),
	LOCK_CHOICE(by, "mcs", BY_RW, method_names, "the lock"),
	LOCK_CHOICE(wait, "auto", WAIT_PARK, wait_names,
		"who waits looks again and again, or sleeps after some microseconds; auto: ticket, "
		"mcs and cna spin, the others wait as the C library does"),
	LOCK_TIME(section, "time under the lock, at least"),
	LOCK_COUNT(section_lines, "0", 0, 1e6, "lines of all that are added to under the lock"),
	LOCK_TIME(pause, "time between two acquisitions of a thread, at least"),
	LOCK_COUNT(pause_lines, "0", 0, 1e6, "lines of its own that it adds to meanwhile"),
	{.name = "reads",
		.type = PARAM_FRACTION,
		.offset = offsetof(struct lock_args, reads),
		.fallback = "0.9",
		.max = 0.999,
		.help = "by = rw: share of the acquisitions that only read, n - 1 of n"},
	LOCK_CHOICE(domain, "node", DOMAIN_PACKAGE, domain_names,
		"by = cna: the place within which the lock is passed on first"),
	LOCK_COUNT(threshold, "256", 0, 0x1p40,
		"by = cna: acquisitions in a row within a domain before another has its turn"),
	{0},
};

enum { IN_CORE, IN_CACHE, IN_NODE, IN_PACKAGE, IN_MACHINE, PLACES };

/* What a thread notes of the last sample, for all to read when it has ended. */
struct account {
	_Alignas(APART) uint64_t acquired, written;
	uint64_t changes[PLACES]; /* of the owner, by the nearest place that both are in */
	uint64_t blocks, switched;
	double longest_ns, longest_switched_ns;
	struct worker_place place;
	uint64_t torn; /* reads that found another count at their end */
};

struct lock_shared {
	struct locks locks;
	struct meeting start;
	struct account accounts[];
};

/* The line of the count. */
struct lock_count {
	uint64_t count;
	int owner; /* -1: none yet */
};

/* The state of a thread. */
struct holder {
	uint64_t met;        /* times that it has met the others to start */
	unsigned char *near; /* [threads] the nearest place in common with each */
	bool wrong;          /* in a sample, the count was */
	uint64_t found, expected;
};

/* ---- the lines of the vector */

static struct lock_count *count_of(const struct worker *w)
{
	return (struct lock_count *)word_at(w->vectors, APART);
}

static struct lock_waiter *waiters_of(const struct worker *w)
{
	return (struct lock_waiter *)word_at(w->vectors, 2 * APART);
}

static uint64_t *section_line(const struct worker *w, uint64_t i)
{
	return word_at(w->vectors, (2 + crew_size(w) + i) * APART);
}

static uint64_t *pause_line(const struct worker *w, uint64_t i)
{
	const struct lock_args *a = w->args;

	return section_line(w, a->section_lines + crew_rank(w) * a->pause_lines + i);
}

static size_t bytes_needed(const struct worker *w)
{
	const struct lock_args *a = w->args;

	return (2 + crew_size(w) * (1 + a->pause_lines) + a->section_lines) * APART;
}

/* ---- a sample */

#define BLOCK 1024u

/* Waits of a block, in ticks. */
struct block {
	uint64_t n, longest, switches;
	uint64_t kept, apart; /* the longest of those blocks that are closed */
};

static bool sleeps(const struct lock_args *a)
{
	return a->wait == WAIT_PARK || a->by >= BY_PTHREAD;
}

/* Of all threads: a holder's loss is in the wait of the others. Who parks gives its CPU up. */
static uint64_t switches(const struct worker *w)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return (uint64_t)use.ru_nivcsw + (sleeps(w->args) ? 0 : (uint64_t)use.ru_nvcsw);
}

static void close_block(const struct worker *w, struct account *own, struct block *b)
{
	const uint64_t now = b->n ? switches(w) : 0;

	if (!b->n)
		return;
	uint64_t *to = now == b->switches ? &b->kept : &b->apart;

	*to = b->longest > *to ? b->longest : *to;
	own->blocks++;
	own->switched += now != b->switches;
	*b = (struct block){.switches = now, .kept = b->kept, .apart = b->apart};
}

static void note_wait(const struct worker *w, struct account *own, struct block *b, uint64_t ticks)
{
	b->longest = ticks > b->longest ? ticks : b->longest;
	if (++b->n == BLOCK)
		close_block(w, own, b);
}

static void add_to(uint64_t *first, uint64_t lines)
{
	for (uint64_t i = 0; i < lines; i++)
		first[i * APART / sizeof(*first)]++;
}

static void write_section(const struct worker *w, struct account *own)
{
	const struct lock_args *a = w->args;
	const struct holder *h = w->own;
	struct lock_count *c = count_of(w);
	const int me = w->vectors->rank;

	c->count++;
	if (c->owner != me && c->owner >= 0)
		own->changes[h->near[c->owner]]++;
	c->owner = me;
	add_to(section_line(w, 0), a->section_lines);
	stay_awake(a->section);
	own->written++;
}

static void read_section(const struct worker *w, struct account *own)
{
	const struct lock_args *a = w->args;
	const volatile uint64_t *count = &count_of(w)->count;
	const uint64_t begin = *count;

	for (uint64_t i = 0; i < a->section_lines; i++)
		keep((long)*section_line(w, i));
	stay_awake(a->section);
	own->torn += *count != begin;
}

/* Every so many acquisitions of a thread one writes. */
static uint64_t period_of(const struct lock_args *a)
{
	return a->by == BY_RW ? (uint64_t)(1 / (1 - a->reads) + 0.5) : 1;
}

/* One acquisition. Returns false when all have been had; then this one does not count. */
static bool acquire(const struct worker *w, struct account *own, uint64_t goal, bool reads)
{
	struct lock_shared *s = w->shared;
	const int rank = w->vectors->rank;

	locks_take(&s->locks, rank, reads);
	const bool over = count_of(w)->count >= goal;

	if (!over && reads)
		read_section(w, own);
	else if (!over)
		write_section(w, own);
	locks_give(&s->locks, rank);
	own->acquired += !over;
	return !over;
}

static void contend(const struct worker *w, struct account *own, struct block *b, uint64_t goal)
{
	const struct lock_args *a = w->args;
	const uint64_t period = period_of(a);

	for (uint64_t turn = crew_rank(w);; turn++) {
		const uint64_t asked = ticks_before();

		if (!acquire(w, own, goal, turn % period != 0))
			break;
		note_wait(w, own, b, ticks_after() - asked);
		add_to(pause_line(w, 0), a->pause_lines);
		stay_awake(a->pause);
	}
}

static uint64_t lock_run(struct worker *w, uint64_t passes)
{
	const struct lock_args *a = w->args;
	struct lock_shared *s = w->shared;
	struct holder *h = w->own;
	struct account own = {.place = w->place};
	const uint64_t writes = a->rounds * passes * crew_size(w) / period_of(a);

	meet(&s->start, &h->met, w);
	struct block b = {.switches = switches(w)};
	const uint64_t begin_ns = now_ns(), begin = ticks_before();

	contend(w, &own, &b, writes ? writes : 1);
	const double ticks = (double)(ticks_after() - begin);
	const double each_ns = ticks > 0 ? (double)(now_ns() - begin_ns) / ticks : 1;

	close_block(w, &own, &b);
	own.longest_ns = (double)b.kept * each_ns;
	own.longest_switched_ns = (double)b.apart * each_ns;
	s->accounts[crew_rank(w)] = own;
	return own.acquired;
}

/* ---- figures and proof */

enum {
	RATE,
	JAIN,
	CHANGED,
	CHANGED_CORE,
	CHANGED_MACHINE = CHANGED_CORE + PLACES - 1,
	LONGEST,
	LONGEST_SWITCHED,
	SWITCHED
};

#define CHANGED_IN(place, text)                                               \
	{                                                                     \
		.name = "changed_in_" place, .unit = "", .join = FIGURE_MEAN, \
		.help = "of the changes of owner: " text                      \
	}

static const struct kernel_figure lock_figures[] = {
	[RATE] = {.name = "acquisitions_per_s",
		.unit = "acquisition/s",
		.join = FIGURE_SUM,
		.each_second = true,
		.help = "of the thread"},
	[JAIN] = {.name = "jain",
		.unit = "",
		.join = FIGURE_MEAN,
		.help = "Jain's index of the threads' shares: 1 all alike, 1/threads one had all"},
	[CHANGED] = {.name = "owner_changes",
		.unit = "",
		.join = FIGURE_MEAN,
		.help = "part of the acquisitions (of those that write) whose owner before was "
			"another thread"},
	[CHANGED_CORE] = CHANGED_IN("core", "on the same core"),
	CHANGED_IN("cache", "on another core under the same last-level cache"),
	CHANGED_IN("node", "under another cache of the node"),
	CHANGED_IN("package", "on another node of the package"),
	CHANGED_IN("machine", "on another package, or where that is not known"),
	[LONGEST] = {.name = "longest_ns",
		.unit = "ns",
		.join = FIGURE_MEAN,
		.help = "of any thread, from asking for the lock until it has given it back, where "
			"no thread was switched out"},
	[LONGEST_SWITCHED] = {.name = "longest_switched_ns",
		.unit = "ns",
		.join = FIGURE_MEAN,
		.help = "the same, where one was; 0: nowhere"},
	[SWITCHED] = {.name = "switched",
		.unit = "",
		.join = FIGURE_MEAN,
		.help = "part of the blocks of up to 1024 acquisitions in which a thread was "
			"switched "
			"out"},
	{0},
};

/* Of all threads. */
struct tally {
	double sum, squares, changes[PLACES], changed, blocks, switched, longest, longest_switched;
	uint64_t written, torn;
};

static struct tally add_up(const struct worker *w)
{
	const struct lock_shared *s = w->shared;
	struct tally t = {0};

	for (uint64_t i = 0; i < crew_size(w); i++) {
		const struct account *a = &s->accounts[i];

		t.sum += (double)a->acquired;
		t.squares += (double)a->acquired * (double)a->acquired;
		for (int k = 0; k < PLACES; k++) {
			t.changes[k] += (double)a->changes[k];
			t.changed += (double)a->changes[k];
		}
		t.blocks += (double)a->blocks;
		t.switched += (double)a->switched;
		t.longest = a->longest_ns > t.longest ? a->longest_ns : t.longest;
		if (a->longest_switched_ns > t.longest_switched)
			t.longest_switched = a->longest_switched_ns;
		t.written += a->written;
		t.torn += a->torn;
	}
	return t;
}

/* The count of all, and of each line of the section, is that of the writers. */
static void check_count(const struct worker *w, const struct tally *t)
{
	const struct lock_args *a = w->args;
	struct holder *h = w->own;

	h->expected = t->written;
	h->found = count_of(w)->count;
	for (uint64_t i = 0; i < a->section_lines && h->found == h->expected; i++)
		h->found = *section_line(w, i);
	h->wrong |= h->found != h->expected || t->torn;
}

static void lock_tell(const struct worker *w, double *values)
{
	const struct tally t = add_up(w);
	const double n = (double)crew_size(w);

	if (!((struct holder *)w->own)->wrong)
		check_count(w, &t);
	values[RATE] = (double)((struct lock_shared *)w->shared)->accounts[crew_rank(w)].acquired;
	values[JAIN] = t.squares > 0 ? t.sum * t.sum / (n * t.squares) : NAN;
	values[CHANGED] = t.changed / (double)t.written;
	for (int k = 0; k < PLACES; k++)
		values[CHANGED_CORE + k] = t.changed > 0 ? t.changes[k] / t.changed : NAN;
	values[LONGEST] = t.longest > 0 ? t.longest : NAN;
	values[LONGEST_SWITCHED] = t.longest_switched;
	values[SWITCHED] = t.switched / t.blocks;
}

static enum event_proof lock_prove(const struct worker *w, char *text, size_t n)
{
	const struct holder *h = w->own;

	if (h->wrong) {
		snprintf(text, n,
			"the count under the lock is %" PRIu64 " after %" PRIu64
			" acquisitions: two held it at the same time",
			h->found, h->expected);
		return EVENTS_CONTRADICTED;
	}
	snprintf(text, n, "a count under the lock has every acquisition of every sample");
	return EVENTS_PROVEN;
}

static void lock_chose(const struct worker *w, char *text, size_t n)
{
	const struct lock_args *a = w->args;
	const char *waits = a->by >= BY_PTHREAD ? "waits as the C library does"
			    : sleeps(a)         ? "parks after 1000 looks"
						: "spins";

	if (a->by == BY_CNA)
		snprintf(text, n, "%s; domain %s, threshold %" PRIu64, waits,
			domain_names[a->domain], a->threshold);
	else
		snprintf(text, n, "%s", waits);
}

/* ---- arguments, and what the threads have in common */

static const char *lock_check(const struct worker *w, char *why, size_t n)
{
	const struct lock_args *a = w->args;

	if (crew_check(w, 1, why, n))
		return why;
	if (a->wait != WAIT_AUTO && a->by >= BY_PTHREAD)
		snprintf(why, n, "wait = %s is not for by = %s, which waits as the C library does",
			wait_names[a->wait], method_names[a->by]);
	else if (w->takes_turns && !sleeps(a))
		snprintf(why, n,
			"threads take turns on a CPU, but each waits for the one before it in the "
			"queue of by = %s; wait: park, or by: pthread",
			method_names[a->by]);
	else
		return too_small(w->vectors, bytes_needed(w), why, n);
	return why;
}

static bool lock_sleeps(const struct worker *w)
{
	return sleeps(w->args);
}

static const char *lock_share(struct worker *w)
{
	const struct lock_args *a = w->args;
	const size_t bytes = sizeof(struct lock_shared) + crew_size(w) * sizeof(struct account);
	struct lock_shared *s = w->shared = aligned_alloc(APART, bytes);

	if (!s)
		return "out of memory";
	memset(s, 0, bytes);
	s->locks = (struct locks){.by = (enum lock_method)a->by,
		.parks = a->wait == WAIT_PARK,
		.threshold = a->threshold,
		.words = w->vectors->base,
		.waiters = waiters_of(w)};
	return NULL;
}

static const char *lock_setup(struct worker *w)
{
	struct lock_shared *s = w->shared;
	struct holder *h;

	h = w->own = calloc(1, sizeof(*h) + crew_size(w));
	if (!h)
		return "out of memory";
	h->near = (unsigned char *)(h + 1);
	s->accounts[crew_rank(w)].place = w->place;
	return NULL;
}

static unsigned char nearest(const struct worker_place *a, const struct worker_place *b)
{
	if (a->core >= 0 && a->core == b->core)
		return IN_CORE;
	if (a->cache >= 0 && a->cache == b->cache)
		return IN_CACHE;
	if (a->node >= 0 && a->node == b->node)
		return IN_NODE;
	return a->package >= 0 && a->package == b->package ? IN_PACKAGE : IN_MACHINE;
}

static int domain_of(const struct worker *w)
{
	const struct lock_args *a = w->args;

	return a->domain == DOMAIN_CACHE  ? w->place.cache
	       : a->domain == DOMAIN_NODE ? w->place.node
					  : w->place.package;
}

/* All have ended setup(): the places of all are known. The vector may hold anything. */
static const char *lock_reset(struct worker *w, char *why, size_t n)
{
	const struct lock_args *a = w->args;
	struct lock_shared *s = w->shared;
	struct holder *h = w->own;
	const int rank = w->vectors->rank;

	(void)why;
	(void)n;
	for (uint64_t i = 0; i < crew_size(w); i++)
		h->near[i] = nearest(&s->accounts[rank].place, &s->accounts[i].place);
	locks_join(&s->locks, rank, domain_of(w));
	for (uint64_t i = 0; !rank && i < a->section_lines; i++)
		*section_line(w, i) = 0;
	if (!rank) {
		locks_init(&s->locks);
		*count_of(w) = (struct lock_count){.owner = -1};
	}
	return NULL;
}

const struct kernel lock_kernel = {
	.summary = "threads take one lock again and again: rate, fairness, longest wait",
	.unit = "acquisition",
	.params = lock_params,
	.args_size = sizeof(struct lock_args),
	.min_vectors = 1,
	.types = TYPES_WORDS,
	.prepares = true,
	.meetings.together = true,
	.meetings.transfers = true,
	.check = lock_check,
	.share = lock_share,
	.setup = lock_setup,
	.chose = lock_chose,
	.reset = lock_reset,
	.run = lock_run,
	.figures = lock_figures,
	.tell = lock_tell,
	.system.sleeps = lock_sleeps,
	.system.prove = lock_prove,
	.teardown = free_own,
	.unshare = free_shared,
};
