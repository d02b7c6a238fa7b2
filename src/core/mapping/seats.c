/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts the topology's CPUs into the mapping's seats, so that neither needs to include the
 * other. */
#include "mapping/seats.h"

#include <limits.h>

#include "base/alloc.h"

/* A core of unknown kind comes after all others. Of a kind those outside of the last-level cache
 * do: before hwloc 2.13 the low-power cores of a processor are of one kind with its other efficient
 * ones. */
static int kind_of(const struct topo *t, const struct topo_cpu *cpu)
{
	const bool outside = t->nkinds && !topo_cache_above(t, cpu, topo_last_level(t));

	return 2 * (cpu->kind < 0 ? t->nkinds : cpu->kind) + outside;
}

/* Those that group CPUs; how many. */
static int find_levels(const struct topo *t, const struct topo_level *levels[MAPPING_LEVELS])
{
	int n = 0;

	for (int i = 0; i < t->nlevels && n < MAPPING_LEVELS; i++)
		if (topo_level_groups(t, i))
			levels[n++] = &t->levels[i];
	return n;
}

static struct mapping_seat *make_seats(const struct topo *t, bool nameable,
	const struct topo_level *const *levels, int nlevels, int *n)
{
	struct mapping_seat *seats = alloc_zeroed((size_t)t->ncpus + 1, sizeof(*seats));

	*n = 0;
	for (int i = 0; i < t->ncpus; i++) {
		const struct topo_cpu *c = &t->cpus[i];

		if (!c->allowed && !(nameable && c->nameable))
			continue;
		struct mapping_seat *seat = &seats[(*n)++];

		*seat = (struct mapping_seat){.node = c->node,
			.core = c->core,
			.thread = c->thread,
			.cpu = c->cpu,
			.kind = kind_of(t, c)};
		/* a CPU in no place comes last */
		for (int k = 0; k < nlevels; k++)
			seat->place[k] = levels[k]->of[i] < 0 ? INT_MAX : levels[k]->of[i];
	}
	return seats;
}

struct mapping_seat *seats_of(const struct topo *t, bool nameable, int *n)
{
	const struct topo_level *levels[MAPPING_LEVELS];
	const int nlevels = find_levels(t, levels);

	return make_seats(t, nameable, levels, nlevels, n);
}

struct mapping_seat *seats_usable(const struct topo *t, int *n)
{
	return seats_of(t, false, n);
}

static int outermost(const struct topo *t, int level)
{
	return t->levels[level].same_as < 0 ? level : t->levels[level].same_as;
}

/* Places in cores: spread over these, threads would have siblings before all cores have one. */
static bool is_inside_core(const struct topo *t, int level)
{
	const int core = topo_level(t, "core");

	return core >= 0 && !t->levels[level].aside && outermost(t, level) > outermost(t, core);
}

struct mapping_seat *seats_for(const struct topo *t, const struct mapping_choice *choice, int *n,
	const char *key, struct place at, struct errors *e)
{
	const int level = *choice->level ? topo_level(t, choice->level) : 0;
	char list[256];

	if (!*choice->level)
		return seats_usable(t, n);
	if (level >= 0 && is_inside_core(t, level)) {
		*n = 0;
		error_add(e, STATUS_USAGE, at, "%s: %s:%s: threads go to whole cores first", key,
			mapping_methods[choice->method], choice->level);
		error_hint(e, "%s spreads them over cores, and then over what is in these",
			mapping_methods[choice->method]);
		return NULL;
	}
	if (level >= 0) {
		const struct topo_level *only = &t->levels[level];

		return make_seats(t, false, &only, 1, n);
	}
	*n = 0;
	error_add(e, topo_level_meant(choice->level) ? STATUS_PLACEMENT : STATUS_USAGE, at,
		"%s: %s:%s: this machine shows no %s", key, mapping_methods[choice->method],
		choice->level, choice->level);
	error_hint(e, "levels here: %s", topo_level_list(t, list, sizeof(list)));
	return NULL;
}
