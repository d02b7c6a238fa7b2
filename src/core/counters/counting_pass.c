/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packs events that are counted together into passes, and checks that they count. */
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "counters/counters.h"
#include "counters/counting_parts.h"
#include "counters/self_check.h"

static bool pass_has_event(const struct counting_pass *p, size_t event)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->events[i] == event)
			return true;
	return false;
}

bool counting_uses(const struct counting *c, size_t event)
{
	for (size_t i = 0; i < c->npasses; i++)
		if (pass_has_event(&c->passes[i], event))
			return true;
	return false;
}

static void add_to_pass(struct counting *c, struct counting_pass *p, size_t event)
{
	p->events = alloc_grow(p->events, p->n, sizeof(*p->events));
	p->names = alloc_grow(p->names, p->n, sizeof(*p->names));
	p->events[p->n] = event;
	p->names[p->n++] = c->events[event].name;
}

static bool fits(const struct counting_pass *p)
{
	char why[256];
	struct counters *set = counters_make(p->names, p->n, p->in_system, why, sizeof(why));

	counters_free(set);
	return set != NULL;
}

/* Adds those events that the pass lacks. If they do not fit, the pass stays as it was. */
static bool take_in(struct counting *c, struct counting_pass *p, const size_t *events, size_t n)
{
	size_t before = p->n;

	for (size_t i = 0; i < n; i++) {
		if (c->events[events[i]].in_system != p->in_system)
			return p->n = before, false;
		if (!pass_has_event(p, events[i]))
			add_to_pass(c, p, events[i]);
	}
	if (p->n == before || fits(p))
		return true;
	p->n = before;
	return false;
}

/* Finds or makes the pass that counts these events together; -1: they do not fit in one pass. */
static int find_pass(struct counting *c, const size_t *events, size_t n)
{
	for (size_t i = 0; i < c->npasses; i++)
		if (take_in(c, &c->passes[i], events, n))
			return (int)i;
	c->passes = alloc_grow(c->passes, c->npasses, sizeof(*c->passes));
	struct counting_pass *p = &c->passes[c->npasses];
	*p = (struct counting_pass){.in_system = c->events[events[0]].in_system};
	if (take_in(c, p, events, n))
		return (int)c->npasses++;
	free(p->events);
	free(p->names);
	return -1;
}

static void place_metric(struct counting *c, struct counted_metric *m)
{
	size_t n = m->formula.nnames, *events = alloc_zeroed(n + 1, sizeof(*events));

	for (size_t i = 0; i < n; i++)
		events[i] = counting_event(c, m->formula.names[i]);
	m->pass = n ? find_pass(c, events, n) : -1;
	for (size_t i = 0; i < n && m->pass < 0; i++)
		find_pass(c, &events[i], 1);
	free(events);
}

/* What the self-check saw. */
struct seen {
	double loop, walk;
	bool moved;
};

static void judge_event(const struct counting *c, struct counted_event *event, struct seen seen)
{
	const struct event_check *check = events_check(&c->table, event->name);
	bool exact = check && isfinite(check->per_round);
	double value = exact ? seen.loop : seen.loop + seen.walk;

	event->expected = exact && counters_check_exact() ? check->per_round : NAN;
	event->found = isfinite(event->expected) ? value / COUNTERS_CHECK_ROUNDS : NAN;
	event->unproven = !check && !(value > 0);
	if (!check || value > 0 || (check->move && !seen.moved))
		return;
	if (events_in_system(&c->table, event->name) && !event->in_system)
		event->why = alloc_format(
			"%s happens in the system, where this process may not count", event->name);
	else
		event->why =
			alloc_format("%s starts, but does not count: it stays 0 while it must rise",
				event->name);
}

/* Keeps the count of the second time, because the instructions are not in the caches yet the first
 * time. */
static void find_empty(
	struct counting *c, const struct counting_pass *p, struct counters *set, double *values)
{
	for (int i = 0; i < 2; i++) {
		counters_start(set);
		counters_stop(set, values);
	}
	for (size_t i = 0; i < p->n; i++)
		c->events[p->events[i]].empty = values[i];
}

/* What the events of a pass counted in the self-check. */
struct look {
	struct counting *c;
	const struct counting_pass *p;
	struct counters *set;
	double *loop, *walk; /* [p->n], the most of all kinds of cores */
	bool *counts;        /* [nkinds][p->n] */
	bool moved;
};

/* Counts the two parts of the self-check separately, because only the loop does a known amount of
 * work. kind -1: wherever the thread is. */
static void look_once(struct look *l, int kind)
{
	size_t n = l->p->n;
	double *loop = alloc_zeroed(n, sizeof(*loop)), *walk = alloc_zeroed(n, sizeof(*walk));

	counters_start(l->set);
	counters_check_loop();
	counters_stop(l->set, loop);
	counters_start(l->set);
	l->moved |= counters_check_walk();
	counters_stop(l->set, walk);
	for (size_t i = 0; i < n; i++) {
		if (kind >= 0)
			l->counts[(size_t)kind * n + i] = loop[i] + walk[i] > 0;
		l->loop[i] = loop[i] > l->loop[i] ? loop[i] : l->loop[i];
		l->walk[i] = walk[i] > l->walk[i] ? walk[i] : l->walk[i];
	}
	free(loop);
	free(walk);
}

/* Repeats the self-check on a CPU of each kind. */
static void look_on_kinds(struct look *l)
{
	cpu_set_t before, one;

	if (sched_getaffinity(0, sizeof(before), &before))
		return;
	for (int kind = 0; kind < l->c->nkinds; kind++) {
		if (l->c->cpus[kind] < 0)
			continue;
		CPU_ZERO(&one);
		CPU_SET((size_t)l->c->cpus[kind], &one);
		if (!sched_setaffinity(0, sizeof(one), &one))
			look_once(l, kind);
	}
	sched_setaffinity(0, sizeof(before), &before);
}

/* Marks an event that counts on some kinds of cores and not on others. */
static void mark_silent(const struct look *l, size_t i)
{
	struct counted_event *event = &l->c->events[l->p->events[i]];
	int kinds = 0, looked = 0;

	for (int k = 0; k < l->c->nkinds; k++) {
		kinds += l->counts[(size_t)k * l->p->n + i];
		looked += l->c->cpus[k] >= 0;
	}
	free(event->silent);
	event->silent = NULL;
	if (!kinds || kinds == looked)
		return;
	event->silent = alloc_zeroed((size_t)l->c->nkinds, sizeof(*event->silent));
	for (int k = 0; k < l->c->nkinds; k++)
		event->silent[k] = !l->counts[(size_t)k * l->p->n + i];
}

static void read_pass(struct counting *c, const struct counting_pass *p, struct counters *set)
{
	struct look l = {c, p, set, alloc_zeroed(p->n, sizeof(double)),
		alloc_zeroed(p->n, sizeof(double)),
		alloc_zeroed(p->n * (size_t)c->nkinds + 1, sizeof(bool)), false};

	find_empty(c, p, set, l.loop);
	memset(l.loop, 0, p->n * sizeof(*l.loop));
	look_once(&l, -1);
	look_on_kinds(&l);
	for (size_t i = 0; i < p->n; i++) {
		struct counted_event *event = &c->events[p->events[i]];

		mark_silent(&l, i);
		if (!event->why)
			judge_event(c, event, (struct seen){l.loop[i], l.walk[i], l.moved});
	}
	free(l.loop);
	free(l.walk);
	free(l.counts);
}

/* Do all events of the pass that must count do so? */
static bool check_pass(struct counting *c, const struct counting_pass *p)
{
	char why[256];
	struct counters *set = counters_make(p->names, p->n, p->in_system, why, sizeof(why));
	bool all = set != NULL;

	if (set)
		read_pass(c, p, set);
	counters_free(set);
	for (size_t i = 0; i < p->n; i++)
		all &= !c->events[p->events[i]].why;
	return all;
}

static void clear_passes(struct counting *c)
{
	for (size_t i = 0; i < c->npasses; i++) {
		free(c->passes[i].events);
		free(c->passes[i].names);
	}
	free(c->passes);
	c->passes = NULL;
	c->npasses = 0;
}

bool counting_pack(struct counting *c)
{
	bool all = true;

	clear_passes(c);
	for (size_t i = 0; i < c->nmetrics; i++)
		if (c->metrics[i].formula.text)
			place_metric(c, &c->metrics[i]);
	for (size_t i = 0; i < c->npasses; i++)
		all &= check_pass(c, &c->passes[i]);
	return all;
}

long counting_pass_find(const struct counting_pass *p, const char *event)
{
	for (size_t i = 0; i < p->n; i++)
		if (!strcmp(p->names[i], event))
			return (long)i;
	return -1;
}
