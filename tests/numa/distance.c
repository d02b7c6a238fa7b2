/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model: where a line comes from, and how long that takes. distance_plugin.c describes it. */
#include "distance.h"

#include <sys/prctl.h>
#include <time.h>

/* A sleep ends about 50 us late; shorter sleeps would be mostly this delay. */
#define PORTION_NS 20000
/* A CPU without a miss for so long has left the loop; time saved from late wake-ups then
 * expires. */
#define PAUSE_NS 500000

struct model model = {
	.unit_ns = 100, .step = 1, .cache_lines = 512, .lock = PTHREAD_MUTEX_INITIALIZER};

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool holds(const struct line *l, int cpu)
{
	return l->filled[cpu] && model.cpus[cpu].fills - l->filled[cpu] < model.cache_lines;
}

static int between(int cpu, int other)
{
	return model.distance[model.cpus[cpu].node][model.cpus[other].node];
}

/* Distance to the farthest other cache that must evict the line. */
static int take_from_others(struct line *l, int cpu)
{
	int farthest = 0;

	for (int other = 0; other < model.ncpus; other++) {
		if (other == cpu)
			continue;
		if (holds(l, other) && between(cpu, other) > farthest)
			farthest = between(cpu, other);
		l->filled[other] = 0;
	}
	return farthest;
}

/* The CPU whose cache gives the line away: the one that has changed it, or with a directory the one
 * that fetched it last. -1: memory gives it. */
static int supplier(const struct line *l, int cpu)
{
	int changer = l->changed_by - 1, last = l->fetched_by - 1;

	if (changer >= 0 && changer != cpu && holds(l, changer))
		return changer;
	return model.directory && last >= 0 && last != cpu && holds(l, last) ? last : -1;
}

/* Distance over which the line comes to this CPU; 0 when the CPU already has it. */
static int fetch(struct line *l, int cpu, int node, bool store, struct counts *c)
{
	int from = supplier(l, cpu), distance = 0, others;
	bool here = holds(l, cpu);
	bool changed_elsewhere = from >= 0 && from == l->changed_by - 1;
	bool cached = changed_elsewhere || (!here && from >= 0);

	if (cached)
		distance = between(cpu, from);
	else if (!here)
		distance = model.distance[model.cpus[cpu].node][node];
	others = store ? take_from_others(l, cpu) : 0;
	if (others > distance)
		distance = others;
	if (cached || (here && distance))
		c->caches++;
	else if (!here)
		c->memory++;
	if (!here) {
		l->filled[cpu] = ++model.cpus[cpu].fills;
		l->fetched_by = (int8_t)(cpu + 1);
	}
	if (store)
		l->changed_by = (int8_t)(cpu + 1);
	else if (changed_elsewhere)
		l->changed_by = 0; /* written back on the way */
	return distance;
}

void distance_access(struct code *code, int cpu, int node, uint64_t number, bool store)
{
	struct counts *c = &code->counts[cpu][node];
	struct line *l = &model.lines[number];
	struct cpu *p = &model.cpus[cpu];
	int64_t now = now_ns(), begin;
	int distance;

	if (p->owed_ns < 0 && now - p->last_ns > PAUSE_NS)
		p->owed_ns = 0;
	pthread_mutex_lock(&model.lock);
	c->loads += !store;
	c->stores += store;
	distance = fetch(l, cpu, node, store, c);
	if (distance) {
		begin = now + p->owed_ns;
		if (l->arrived_ns < begin)
			l->arrived_ns = begin;
		l->arrived_ns += distance * model.unit_ns;
		p->owed_ns += l->arrived_ns - begin;
		p->last_ns = now;
	}
	pthread_mutex_unlock(&model.lock);
}

/* A late wake-up counts as paid time: the CPU catches up on a busy host. */
void distance_pay(struct cpu *p)
{
	struct timespec t = {p->owed_ns / 1000000000, p->owed_ns % 1000000000};
	int64_t begin = now_ns();

	if (p->owed_ns < PORTION_NS)
		return;
	if (!p->sleeps_exactly)
		p->sleeps_exactly = !prctl(PR_SET_TIMERSLACK, 1);
	nanosleep(&t, NULL);
	p->last_ns = now_ns();
	p->owed_ns -= p->last_ns - begin;
}
