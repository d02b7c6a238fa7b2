/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the caches from hwloc, and which of them are above each CPU. */
#include "topology/caches.h"

#include <hwloc.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "topology/levels.h"

static const hwloc_obj_type_t cache_types[] = {[1] = HWLOC_OBJ_L1CACHE,
	[2] = HWLOC_OBJ_L2CACHE,
	[3] = HWLOC_OBJ_L3CACHE,
	[4] = HWLOC_OBJ_L4CACHE};

/* Counts what is under each cache of a level, by the caches of the CPUs. */
static void count_sharers(const struct topo *t, int level)
{
	const struct topo_cache *c = &t->caches[level];
	int *last = alloc_zeroed((size_t)c->count + 1, sizeof(*last)); /* core that counts, 1 + */

	for (int i = 0; i < t->ncpus; i++) {
		const struct topo_cpu *cpu = &t->cpus[i];
		const int number = cpu->caches[level];

		if (number < 0)
			continue;
		c->each[number].shared_by++;
		c->each[number].cores += cpu->allowed && cpu->core + 1 != last[number];
		if (cpu->allowed)
			last[number] = cpu->core + 1;
	}
	free(last);
}

static int add_cache(struct topo *t, int level, uint64_t bytes, unsigned line)
{
	struct topo_cache *c = &t->caches[level];

	c->each = alloc_grow(c->each, (size_t)c->count, sizeof(*c->each));
	c->each[c->count] = (struct topo_one_cache){.bytes = bytes};
	c->line = c->line ? c->line : line;
	return c->count++;
}

/* Sums up a level when the CPUs know their caches. */
static void finish_level(struct topo *t, int level)
{
	struct topo_cache *c = &t->caches[level];

	c->line_assumed = !c->line;
	c->line = c->line ? c->line : TOPO_LINE;
	count_sharers(t, level);
	for (int i = 0; i < c->count; i++) {
		const struct topo_one_cache *one = &c->each[i];

		if (one->bytes < c->bytes ||
			(one->bytes == c->bytes && one->shared_by <= c->shared_by))
			continue;
		c->bytes = one->bytes;
		c->shared_by = one->shared_by;
	}
}

static void clear_caches(struct topo *t)
{
	for (int level = 0; level < TOPO_LEVELS; level++) {
		free(t->caches[level].each);
		t->caches[level] = (struct topo_cache){.level = level};
		for (int i = 0; i < t->ncpus; i++)
			t->cpus[i].caches[level] = -1;
	}
}

static void mark_cpus(struct topo *t, int level, int number, hwloc_const_cpuset_t set)
{
	int cpu;

	hwloc_bitmap_foreach_begin(cpu, set) if (topo_cpu(t, cpu)) t->cpus[t->cpu_index[cpu]]
		.caches[level] = number;
	hwloc_bitmap_foreach_end();
}

static void load(struct topo *t, struct hwloc_topology *hwloc)
{
	clear_caches(t);
	for (int level = 1; level < TOPO_LEVELS; level++) {
		hwloc_obj_t o = NULL;

		while ((o = hwloc_get_next_obj_by_type(hwloc, cache_types[level], o))) {
			const int number =
				add_cache(t, level, o->attr->cache.size, o->attr->cache.linesize);

			mark_cpus(t, level, number, o->cpuset);
		}
		finish_level(t, level);
	}
}

static bool any(const struct topo *t)
{
	return topo_last_level(t) > 0;
}

/* Only hwloc's backend for x86, which asks every processor by the instruction cpuid, and of the
 * topology only the caches. */
static int load_processor(hwloc_topology_t hwloc)
{
	static const char *const others[] = {"linux", "xml", "synthetic"};

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (hwloc_topology_set_components(
			    hwloc, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, others[i]))
			return -1;
	if (hwloc_topology_set_flags(hwloc, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) ||
		hwloc_topology_set_all_types_filter(hwloc, HWLOC_TYPE_FILTER_KEEP_NONE) ||
		hwloc_topology_set_cache_types_filter(hwloc, HWLOC_TYPE_FILTER_KEEP_ALL))
		return -1;
	return hwloc_topology_load(hwloc);
}

/* hwloc obeys these variables even where their components are not wanted. */
static const char *const variables[] = {"HWLOC_XMLFILE", "HWLOC_SYNTHETIC"};
#define VARIABLES (sizeof(variables) / sizeof(*variables))

static void ask_processor(struct topo *t)
{
	char *values[VARIABLES];
	hwloc_topology_t hwloc;

	if (hwloc_topology_init(&hwloc))
		return;
	for (size_t i = 0; i < VARIABLES; i++) {
		const char *value = getenv(variables[i]);

		values[i] = value ? alloc_string(value, strlen(value)) : NULL;
		unsetenv(variables[i]);
	}
	if (!load_processor(hwloc))
		load(t, hwloc);
	for (size_t i = 0; i < VARIABLES; i++) {
		if (values[i])
			setenv(variables[i], values[i], 1);
		free(values[i]);
	}
	hwloc_topology_destroy(hwloc);
}

/* The machine t, which must outlive it, without caches. */
static void copy_without(struct topo *out, const struct topo *t)
{
	*out = *t;
	out->cpus = alloc_zeroed((size_t)t->ncpus + 1, sizeof(*out->cpus));
	memcpy(out->cpus, t->cpus, (size_t)t->ncpus * sizeof(*out->cpus));
	for (int level = 0; level < TOPO_LEVELS; level++)
		out->caches[level].each = NULL;
	out->caches_note = NULL;
	clear_caches(out);
}

static bool lacks(const struct topo *t, const struct topo_cpu *cpu, int level)
{
	return cpu->allowed && t->caches[level].bytes && !topo_cache_above(t, cpu, level);
}

/* Levels that some CPUs show and others do not: as of a virtual machine that passes on the caches
 * of a part of its CPUs, and of processors whose low-power cores are outside of the L3. */
static bool is_partial(const struct topo *t)
{
	for (int i = 0; i < t->ncpus; i++)
		for (int level = 1; level < TOPO_LEVELS; level++)
			if (lacks(t, &t->cpus[i], level))
				return true;
	return false;
}

static bool lack_alike(const struct topo *t, const struct topo *other)
{
	for (int i = 0; i < t->ncpus; i++)
		for (int level = 1; level < TOPO_LEVELS; level++)
			if (lacks(t, &t->cpus[i], level) != lacks(other, &other->cpus[i], level))
				return false;
	return true;
}

/* The processor knows whether the CPUs that show no cache of a level have one. */
static void ask_about_parts(struct topo *t)
{
	struct topo asked;

	copy_without(&asked, t);
	ask_processor(&asked);
	if (any(&asked) && !is_partial(&asked)) {
		clear_caches(t);
		memcpy(t->caches, asked.caches, sizeof(t->caches));
		memcpy(t->cpus, asked.cpus, (size_t)t->ncpus * sizeof(*t->cpus));
		memset(asked.caches, 0, sizeof(asked.caches));
		t->caches_from = CACHES_PROCESSOR;
	}
	t->caches_hidden = is_partial(t) && !lack_alike(t, &asked);
	topo_drop_caches(&asked);
}

void topo_load_caches(struct topo *t, struct hwloc_topology *hwloc)
{
	load(t, hwloc);
	t->caches_from = any(t) ? CACHES_SHOWN : CACHES_UNKNOWN;
	t->caches_hidden = is_partial(t);
	if (t->caches_hidden && t->this_system)
		ask_about_parts(t);
	if (any(t) || !t->this_system)
		return;
	ask_processor(t);
	t->caches_from = any(t) ? CACHES_PROCESSOR : CACHES_UNKNOWN;
}

void topo_free_caches(struct topo *t)
{
	for (int level = 0; level < TOPO_LEVELS; level++)
		free(t->caches[level].each);
	free(t->caches_note);
}

/* What the machine says of the lines of a level, or of the first level of which it says something;
 * 0: of none. A user gives sizes only. */
static unsigned known_line(const struct topo *t, int level)
{
	const struct topo_cache *c = &t->caches[level];

	for (int i = 1; i < TOPO_LEVELS && c->line_assumed; i++)
		c = &t->caches[i];
	return c->line_assumed ? 0 : c->line;
}

static void give_level(
	struct topo *t, int level, const struct topo_given_cache *given, unsigned line)
{
	int ncaches = (t->ncores + given->cores - 1) / given->cores;

	for (int i = 0; i < ncaches; i++)
		add_cache(t, level, given->bytes, line);
	for (int i = 0; i < t->ncpus; i++)
		t->cpus[i].caches[level] = t->cpus[i].core / given->cores;
	finish_level(t, level);
}

void topo_with_caches(struct topo *out, const struct topo *t, const struct topo_given_cache *list,
	int levels, enum topo_caches_from from, const char *note)
{
	copy_without(out, t);
	out->caches_hidden = false;
	for (int level = 1; level < TOPO_LEVELS; level++)
		if (level <= levels)
			give_level(out, level, &list[level - 1], known_line(t, level));
	topo_load_levels(out, NULL);
	out->caches_from = from;
	out->caches_note = note ? alloc_string(note, strlen(note)) : NULL;
}

void topo_drop_caches(struct topo *t)
{
	topo_free_caches(t);
	topo_free_levels(t);
	free(t->cpus);
	*t = (struct topo){0};
}
