/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts the times of events, and asks the system whether the thread had its CPU meanwhile. */
#include "contract/event_times.h"

#include <string.h>
#include <sys/resource.h>
#include <time.h>

void events_count(struct events_counts *c, uint64_t ticks)
{
	c->n++;
	if (ticks > UINT32_MAX) {
		c->clamped++;
		return;
	}
	const uint32_t value = (uint32_t)ticks;

	if (c->n - c->clamped == 1 || value < c->least)
		c->least = value;
	if (value > c->most)
		c->most = value;
	c->sum += value;
	c->counts[events_bucket(value)]++;
}

/* Of threads that wait for each other, the partner's loss is in the event too. */
static uint64_t switches(const struct event_times *e)
{
	struct rusage use;

	if (e->sleeps)
		return 0;
	getrusage(e->together ? RUSAGE_SELF : RUSAGE_THREAD, &use);
	return (uint64_t)(use.ru_nivcsw + use.ru_nvcsw);
}

void events_close(struct event_times *e)
{
	const uint64_t now = switches(e);
	const bool kept = now == e->switches;

	if (!e->npending)
		return;
	for (unsigned i = 0; i < e->npending; i++) {
		const bool marked = e->marked >> i & 1;

		events_count(kept && !marked ? &e->kept : &e->apart, e->pending[i]);
		e->interrupted += kept && marked;
	}
	e->blocks++;
	e->switched += !kept;
	e->switches = now;
	e->marked = e->npending = 0;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void events_begin(struct event_times *e)
{
	e->blocks = e->switched = e->npending = 0;
	e->interrupts = e->interrupted = e->marked = 0;
	e->looked = false;
	memset(&e->kept, 0, sizeof(e->kept));
	memset(&e->apart, 0, sizeof(e->apart));
	for (unsigned i = 0; i < EVENTS_COLD + EVENTS_PAIRS; i++) {
		const uint64_t before = events_stamp();

		e->pairs[i % EVENTS_PAIRS] = events_after() - before;
	}
}

void events_start(struct event_times *e)
{
	e->ns = now_ns();
	e->ticks = events_after();
	e->switches = switches(e);
	events_mark(true);
}

void events_end(struct event_times *e)
{
	events_mark(false);
	events_close(e);
	e->ns = now_ns() - e->ns;
	e->ticks = events_after() - e->ticks;
}
