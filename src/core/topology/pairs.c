/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPUs that hide a cache which others show are taken for one place, at the level of that cache, in
 * each place of the nearest level outside of it that all CPUs are in. */
#include "topology/pairs.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "topology/levels.h"

/* levels.c has fewer names; groups without one have numbers. */
#define TREE_LEVELS 160

/* Those of the order; others cross them. */
static int count_levels(const struct topo *t)
{
	int n = 0;

	while (n < t->nlevels && !t->levels[n].aside)
		n++;
	return n;
}

/* The nearest level outside of one that all CPUs are in; -1: none. */
static int outside(const struct topo *t, int level)
{
	do
		level--;
	while (level >= 0 && t->levels[level].missing);
	return level;
}

/* From 0; from `most` + 1 on of CPUs that hide it; -1: it has none. */
static int place_of(const struct topo *t, int level, int most, const struct topo_cpu *cpu)
{
	const struct topo_level *l = &t->levels[level];
	const int number = l->of[cpu - t->cpus];

	if (number >= 0 || !l->hidden || !topo_cache_hidden(t, cpu, l->cache))
		return number;
	const int outer = outside(t, level);

	return most + 1 + (outer < 0 ? 0 : t->levels[outer].of[cpu - t->cpus]);
}

/* The class of pairs whose innermost common place is the one of a CPU at this level. */
static struct topo_pair class_at(const struct topo *t, int level, const struct topo_cpu *cpu)
{
	struct topo_pair p = {.shared = level, .unknown = -1};

	for (; p.shared >= 0 && t->levels[p.shared].of[cpu - t->cpus] < 0; p.shared--)
		if (place_of(t, p.shared, 0, cpu) >= 0)
			p.unknown = p.shared;
	if (p.shared >= 0 && t->levels[p.shared].same_as >= 0)
		p.shared = t->levels[p.shared].same_as;
	return p;
}

struct topo_pair topo_pair(const struct topo *t, const struct topo_cpu *a, const struct topo_cpu *b)
{
	for (int i = count_levels(t) - 1; i >= 0; i--) {
		const struct topo_level *l = &t->levels[i];
		const int most = l->hidden ? topo_level_highest(t, l) : 0;
		const int place = place_of(t, i, most, a);

		if (place >= 0 && place == place_of(t, i, most, b))
			return class_at(t, i, a);
	}
	return (struct topo_pair){-1, -1};
}

bool topo_pair_is(struct topo_pair a, struct topo_pair b)
{
	return a.shared == b.shared && a.unknown == b.unknown;
}

int topo_pair_order(struct topo_pair a, struct topo_pair b)
{
	return a.shared != b.shared ? b.shared - a.shared : a.unknown - b.unknown;
}

const char *topo_pair_name(const struct topo *t, struct topo_pair p, char *buffer, size_t n)
{
	const bool known = p.unknown < 0;
	char level[128];

	if (p.shared >= 0)
		topo_level_names(t, p.shared, level, sizeof(level));
	snprintf(buffer, n, "%s %s%s%s%s", p.shared < 0 ? "other" : "same",
		p.shared < 0 ? t->levels[0].name : level, known ? "" : " (",
		known ? "" : t->levels[p.unknown].name, known ? "" : " not known)");
	return buffer;
}

static long pairs_of(long n)
{
	return n * (n - 1) / 2;
}

struct counted {
	struct topo_pair class;
	int most[TREE_LEVELS];    /* [level]: the highest number of a place that is shown */
	long *inner[TREE_LEVELS]; /* [level][place]: pairs with a common place inside of it */
	size_t room;              /* for places */
	long all, found;          /* pairs with a common place, and those of the class */
};

/* Pairs whose innermost common place is one of this level. */
static void count_level(struct counted *c, const struct topo *t, int level)
{
	long *n = alloc_zeroed(c->room, sizeof(*n));

	for (int i = 0; i < t->ncpus; i++) {
		const int place = place_of(t, level, c->most[level], &t->cpus[i]);

		if (place >= 0 && t->cpus[i].allowed)
			n[place]++;
	}
	for (int i = 0; i < t->ncpus; i++) {
		const int place = place_of(t, level, c->most[level], &t->cpus[i]);
		const long own =
			place < 0 || !n[place] ? 0 : pairs_of(n[place]) - c->inner[level][place];

		if (!own)
			continue;
		n[place] = 0; /* once for each place */
		c->all += own;
		if (topo_pair_is(class_at(t, level, &t->cpus[i]), c->class))
			c->found += own;
		for (int k = 0; k < level; k++) {
			const int outer = place_of(t, k, c->most[k], &t->cpus[i]);

			if (outer >= 0)
				c->inner[k][outer] += own;
		}
	}
	free(n);
}

long topo_pair_count(const struct topo *t, struct topo_pair p)
{
	const int n = count_levels(t);
	struct counted c = {.class = p};
	long cpus = 0;

	for (int i = 0; i < n; i++) {
		c.most[i] = topo_level_highest(t, &t->levels[i]);
		if (c.room < 2 * (size_t)c.most[i] + 3)
			c.room = 2 * (size_t)c.most[i] + 3;
	}
	for (int i = 0; i < n; i++)
		c.inner[i] = alloc_zeroed(c.room, sizeof(**c.inner));
	for (int i = n - 1; i >= 0; i--)
		count_level(&c, t, i);
	for (int i = 0; i < t->ncpus; i++)
		cpus += t->cpus[i].allowed;
	for (int i = 0; i < n; i++)
		free(c.inner[i]);
	return p.shared < 0 && p.unknown < 0 ? pairs_of(cpus) - c.all : c.found;
}
