/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times of single events, which kernels take where the file asks for a distribution (kernel.h:
 * events). A kernel reads events_before() and events_after() around an event and gives the
 * difference to events_take(); events_due() says for which. The driver does the rest.
 *
 * Values are ticks of the processor's own clock; only who prints them makes them nanoseconds. They
 * are counted in 64 buckets an octave, as fio does (stat.c): values below 128 exactly, others by
 * 1/64 of their octave, so that the middle of a bucket is wrong by 0.8 % at most.
 *
 * Events wait in a block until the system has said whether the thread lost the CPU meanwhile: the
 * call takes 0.7 us, too long for each event, and a loss of the CPU owns the highest percentiles.
 *
 * Clock ticks and the host do not count as a loss. On x86 an interrupt that returns to a program
 * clears a segment register that holds a null selector with privilege bits (SDM 2, IRET), so
 * ES = 1 before an event shows by 0 after it that one came, without any privilege: no program of 64
 * bits uses ES. Where no return clears it, none is ever seen, and the report says so.
 */
#ifndef EVENT_TIMES_H
#define EVENT_TIMES_H

#include <stdbool.h>
#include <stdint.h>

/* Ticks of 32 bits have 27 groups of 64; 6.75 KiB of counts stay in a cache of the first level. */
#define EVENTS_BUCKETS 1728
/* Timed events of a block: with one of 64 loads timed, 4096 loads, about 0.4 ms in memory. */
#define EVENTS_BLOCK 64u
/* Pairs of stamps with nothing between them that are read beside a sample, in 40 us, and how many
 * before them do not count: they find code and counters that were not used for long. */
#define EVENTS_PAIRS 1024u
#define EVENTS_COLD  64u

struct events_counts {
	uint64_t n, clamped; /* clamped: longer than 32 bits of ticks; part of n, of no bucket */
	uint64_t sum;        /* ticks, without the clamped ones */
	uint32_t least, most;
	uint32_t counts[EVENTS_BUCKETS];
};

/* Of one thread in one sample; on lines and pages of its own. */
struct event_times {
	uint64_t group;  /* one event of so many is timed */
	uint64_t random; /* state of the draws, never 0 */
	uint64_t until;  /* events before the next one that is timed, over all samples */
	uint64_t drawn;  /* its place in its group */
	bool together;   /* a switch of any thread of the process spoils a block */
	bool sleeps;     /* none does: events are switches */
	uint64_t switches, blocks, switched;
	bool looked;          /* for interrupts: events_before() began an event */
	uint64_t interrupts;  /* seen, in events and between them */
	uint64_t interrupted; /* events with one, in blocks without a switch */
	unsigned npending;
	bool armed;      /* the event under way has a mark */
	uint64_t marked; /* bits of those pending that had an interrupt */
	uint64_t pending[EVENTS_BLOCK];
	struct events_counts kept, apart; /* apart: of blocks with a switch, or with an interrupt */
	uint64_t pairs[EVENTS_PAIRS];     /* what stamps alone take */
	uint64_t ticks, ns;               /* between events_start() and events_end() */
};

static inline unsigned events_bucket(uint32_t ticks)
{
	if (ticks < 128)
		return ticks;
	const unsigned octave = 25 - (unsigned)__builtin_clz(ticks);

	return (octave + 1) * 64 + (ticks >> octave & 63);
}

/* The smallest and the largest value of a bucket. */
static inline uint32_t events_lowest(unsigned bucket)
{
	return bucket < 128 ? bucket : (64u + bucket % 64) << (bucket / 64 - 1);
}

static inline uint32_t events_highest(unsigned bucket)
{
	return events_lowest(bucket) + (bucket < 128 ? 0 : (1u << (bucket / 64 - 1)) - 1);
}

/* ---- stamps. The first waits for all that is before it, and nothing begins earlier; the second
 * waits for the loads of the event, and nothing of what follows comes into it.
 * Marks: events_mark() sets one, and events_unmarked() says that an interrupt has cleared it. */

#if defined(__x86_64__)
#define EVENTS_STAMPS true
static inline __attribute__((always_inline)) uint64_t events_stamp(void)
{
	uint32_t low, high;

	__asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

static inline __attribute__((always_inline)) uint64_t events_after(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtscp\n\tlfence" : "=a"(low), "=d"(high) : : "rcx", "memory");
	return (uint64_t)high << 32 | low;
}

static inline void events_mark(bool mark)
{
	__asm__ volatile("mov %0, %%es" : : "r"((uint32_t)mark) : "memory");
}

static inline bool events_unmarked(void)
{
	uint32_t es;

	__asm__ volatile("mov %%es, %0" : "=r"(es) : : "memory");
	return !es;
}
#elif defined(__aarch64__)
#define EVENTS_STAMPS true
static inline __attribute__((always_inline)) uint64_t events_stamp(void)
{
	uint64_t ticks;

	__asm__ volatile("dsb ld\n\tisb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks) : : "memory");
	return ticks;
}

static inline __attribute__((always_inline)) uint64_t events_after(void)
{
	return events_stamp(); /* isb alone does not say that a load has ended; dsb ld does */
}
#else
#define EVENTS_STAMPS false
static inline uint64_t events_stamp(void)
{
	return 0;
}

static inline uint64_t events_after(void)
{
	return 0;
}
#endif

#if !defined(__x86_64__)
static inline void events_mark(bool mark)
{
	(void)mark;
}

static inline bool events_unmarked(void)
{
	return false;
}
#endif

/* ---- what a kernel does with them */

/* Which event of the next group is timed: sets `until`. A fixed distance would beat with pages,
 * sets and refreshes of memory. xorshift64* (statistics/random.h). */
static inline void events_draw(struct event_times *e)
{
	const uint64_t rest = e->group - 1 - e->drawn;

	e->random ^= e->random >> 12;
	e->random ^= e->random << 25;
	e->random ^= e->random >> 27;
	e->drawn = (e->random * UINT64_C(2685821657736338717) >> 32) % e->group;
	e->until = rest + e->drawn;
}

/* Is the next event due? Else it has passed. */
static inline bool events_due(struct event_times *e)
{
	if (!e->until)
		return true;
	e->until--;
	return false;
}

/* Before the event that is due. One that enters the system is begun with events_stamp(): the return
 * from a page fault or from a call clears the mark as that from an interrupt does. */
static inline __attribute__((always_inline)) uint64_t events_before(struct event_times *e)
{
	if (events_unmarked()) {
		e->interrupts++;
		events_mark(true);
	}
	e->looked = e->armed = true;
	return events_stamp();
}

/* Ends a block. */
void events_close(struct event_times *e);

/* The event that was due took so long. */
static inline void events_take(struct event_times *e, uint64_t ticks)
{
	e->marked |= (uint64_t)(e->armed && events_unmarked()) << e->npending;
	e->armed = false;
	events_draw(e);
	e->pending[e->npending++] = ticks;
	if (e->npending == EVENTS_BLOCK)
		events_close(e);
}

/* ---- what the driver does */

/* Once, when group and random are set. */
static inline void events_init(struct event_times *e)
{
	e->drawn = e->group - 1; /* nothing is left of the group before the first one */
	events_draw(e);
}

/* Before a sample: forgets the last one, and reads the pairs. */
void events_begin(struct event_times *e);
/* Just before the kernel begins, and when it has ended. */
void events_start(struct event_times *e);
void events_end(struct event_times *e);

/* For events_close() and tests. */
void events_count(struct events_counts *c, uint64_t ticks);

#endif
