/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model: where a line comes from, and how long that takes. distance_plugin.c describes it. */
#include "distance.h"

#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

/* A sleep ends about 50 us late; shorter sleeps would be mostly this delay. */
#define PORTION_NS 20000
/* A CPU without a miss for so long has left the loop; time saved from late wake-ups then
 * expires. */
#define PAUSE_NS 500000
/* A CPU that has asked for no line for so long leaves memories and links to the others. */
#define GONE_NS 1000000
/* A request takes an eighth of the time that the line takes on its way back. */
#define REQUEST 8
/* This part of a memory or link the others always leave free: what they use is taken from their
 * last interval, in which this CPU may not have slowed them yet. */
#define LEFT 0.125

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

/* ---- bandwidth */

static double part(int64_t occupied_ns, const struct stream *s)
{
	return occupied_ns < s->interval_ns ? (double)occupied_ns / (double)s->interval_ns : 1;
}

/* The part of its time for which a CPU occupies the memory of a node. */
static double use_of_memory(const struct cpu *p, int node)
{
	return p->stream.memory && p->stream.from == node ? part(model.memory_ns, &p->stream) : 0;
}

/* The same of a direction of a link: lines go one way, and their requests the other. */
static double use_of_link(const struct cpu *p, int from, int to)
{
	if (p->stream.from == from && p->node == to)
		return part(model.link_ns, &p->stream);
	if (p->stream.from == to && p->node == from)
		return part(model.link_ns / REQUEST, &p->stream);
	return 0;
}

/* How long a CPU waits for what it is to occupy, where others use that for this part of their time:
 * the mean of an M/M/1 queue. N CPUs that do nothing else take N times as long as one. */
static int64_t longer_by(int64_t occupied_ns, double others)
{
	double left = others < 1 - LEFT ? 1 - others : LEFT;

	return (int64_t)((double)occupied_ns * (1 - left) / left);
}

/* How long the others delay the last line of a CPU. */
static int64_t delayed_by(int cpu)
{
	const struct cpu *p = &model.cpus[cpu];
	int from = p->stream.from, to = p->node;
	double memory = 0, lines = 0, requests = 0;
	int64_t ns = 0;

	for (const struct cpu *o = model.cpus; o < model.cpus + model.ncpus; o++) {
		if (o == p || llabs(p->stream.begin_ns - o->stream.begin_ns) > GONE_NS)
			continue;
		memory += use_of_memory(o, from);
		lines += use_of_link(o, from, to);
		requests += use_of_link(o, to, from);
	}
	if (p->stream.memory)
		ns += longer_by(model.memory_ns, memory);
	if (from != to)
		ns += longer_by(model.link_ns, lines) +
		      longer_by(model.link_ns / REQUEST, requests);
	return ns;
}

/* A CPU asks for its next line. */
static void stream_on(struct stream *s, int64_t now)
{
	s->interval_ns = now > s->begin_ns ? now - s->begin_ns : 1;
	s->begin_ns = now;
}

/* Where that line comes from. The node itself, without its memory: no line comes, others only lose
 * theirs. */
static void comes_from(struct cpu *p, int node, bool cached, bool here)
{
	p->stream.memory = !cached && !here;
	p->stream.from = cached || !here ? node : p->node;
}

/* ---- lines */

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
	if (distance)
		comes_from(&model.cpus[cpu], cached ? model.cpus[from].node : node, cached, here);
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
		stream_on(&p->stream, begin);
		l->arrived_ns += distance * model.unit_ns + delayed_by(cpu);
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
