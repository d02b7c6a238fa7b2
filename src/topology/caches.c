/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the caches from hwloc, and which of them are above each CPU. */
#include "topology/caches.h"

#include <hwloc.h>

static const hwloc_obj_type_t cache_types[] = {[1] = HWLOC_OBJ_L1CACHE,
	[2] = HWLOC_OBJ_L2CACHE,
	[3] = HWLOC_OBJ_L3CACHE,
	[4] = HWLOC_OBJ_L4CACHE};

static bool is_under(const struct topo_cpu *cpu, hwloc_obj_t cache)
{
	return hwloc_bitmap_isset(cache->cpuset, (unsigned)cpu->cpu);
}

static int usable_cores(const struct topo *t, hwloc_obj_t cache)
{
	int cores = 0, last = -1;

	for (int i = 0; i < t->ncpus; i++) {
		const struct topo_cpu *cpu = &t->cpus[i];

		if (!cpu->allowed || cpu->core == last || !is_under(cpu, cache))
			continue;
		cores++;
		last = cpu->core;
	}
	return cores;
}

static void add_cache(struct topo *t, struct topo_cache *c, hwloc_obj_t o)
{
	int sharers = hwloc_bitmap_weight(o->cpuset), cores = usable_cores(t, o);

	c->count++;
	if (cores > c->cores)
		c->cores = cores;
	if (o->attr->cache.size < c->bytes ||
		(o->attr->cache.size == c->bytes && sharers <= c->shared_by))
		return;
	c->bytes = o->attr->cache.size;
	c->line = o->attr->cache.linesize;
	c->shared_by = sharers;
}

void topo_load_caches(struct topo *t, struct hwloc_topology *hwloc)
{
	for (int level = 1; level < TOPO_LEVELS; level++) {
		struct topo_cache *c = &t->caches[level];
		hwloc_obj_t o = NULL;

		c->level = level;
		for (int i = 0; i < t->ncpus; i++)
			t->cpus[i].caches[level] = -1;
		while ((o = hwloc_get_next_obj_by_type(hwloc, cache_types[level], o))) {
			for (int i = 0; i < t->ncpus; i++)
				if (is_under(&t->cpus[i], o))
					t->cpus[i].caches[level] = c->count;
			add_cache(t, c, o);
		}
	}
}
