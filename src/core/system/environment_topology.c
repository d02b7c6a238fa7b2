/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The facts that the topology has: nodes, CPUs, caches, kinds of cores, distances. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/text.h"
#include "system/environment.h"

/* Every size of a level, the largest first. */
static void add_sizes(struct fact *f, const struct topo_cache *c, int level)
{
	uint64_t below = UINT64_MAX;

	for (;;) {
		uint64_t bytes = 0;
		int count = 0;

		for (int i = 0; i < c->count; i++)
			if (c->each[i].bytes < below && c->each[i].bytes > bytes)
				bytes = c->each[i].bytes;
		if (!bytes)
			return;
		for (int i = 0; i < c->count; i++)
			count += c->each[i].bytes == bytes;
		fact_add_number(f, level);
		fact_add_number(f, (double)bytes);
		fact_add_number(f, count);
		below = bytes;
	}
}

static void facts_of_caches(struct environment *env, const struct topo *t)
{
	struct fact caches = fact_begin("caches"), line = fact_begin("cache_line");

	for (int level = 1; level < TOPO_LEVELS; level++) {
		const struct topo_cache *c = &t->caches[level];

		if (!c->bytes)
			continue;
		add_sizes(&caches, c, level);
		if (line.known)
			continue;
		fact_add_number(&line, c->line);
		fact_add_number(&line, c->line_assumed);
	}
	environment_take(env, &caches);
	environment_add(env, "caches_from", topo_caches_from(t));
	environment_take(env, &line);
}

/* The CPUs of each node that has some, allowed or not. */
static void fact_of_node_cpus(struct environment *env, const struct topo *t)
{
	bool *cpus = alloc_zeroed((size_t)t->ncpu_index + 1, sizeof(*cpus));
	const size_t room = (size_t)t->ncpu_index * 8 + 16; /* every second CPU, with its comma */
	char *ranges = alloc_zeroed(room, 1);
	struct fact f = fact_begin("node_cpus");

	fact_add_none(&f);
	for (int i = 0; i < t->nnodes; i++) {
		if (!t->nodes[i].cpus)
			continue;
		for (int cpu = 0; cpu < t->ncpu_index; cpu++) {
			const struct topo_cpu *c = topo_cpu(t, cpu);

			cpus[cpu] = c && c->node == t->nodes[i].node;
		}
		fact_add_number(&f, t->nodes[i].node);
		fact_add_text(&f, text_ranges(cpus, (size_t)t->ncpu_index, ranges, room));
	}
	environment_take(env, &f);
	free(ranges);
	free(cpus);
}

static void fact_of_kinds(struct environment *env, const struct topo *t)
{
	struct fact f = fact_begin("core_kinds");

	fact_add_none(&f);
	for (int i = 0; i < t->nkinds; i++) {
		const struct topo_kind *k = &t->kinds[i];
		char *kind = k->type ? alloc_format("%s (%s)", k->name, k->type)
				     : alloc_format("%s", k->name);

		fact_add_text(&f, kind);
		free(kind);
	}
	environment_take(env, &f);
}

/* A row for each node, in their order. */
static void fact_of_distances(struct environment *env, const struct topo *t)
{
	struct fact f = fact_begin("node_distances");

	for (int i = 0; t->distances && i < t->nnodes; i++)
		for (int k = 0; k < t->nnodes; k++)
			fact_add_number(
				&f, (double)topo_distance(t, t->nodes[i].node, t->nodes[k].node));
	environment_take(env, &f);
	environment_add(env, "far_by", t->access_source ? t->access_source : "node_distances");
}

void environment_topology(struct environment *env, const struct topo *t)
{
	const int counts[] = {t->nnodes, t->npackages, t->ncores, t->ncpus};
	struct fact f = fact_begin("topology");
	char text[256];

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		fact_add_number(&f, counts[i]);
	environment_take(env, &f);
	environment_add(env, "topology_source", t->source);
	fact_of_node_cpus(env, t);
	environment_add(env, "cpus_allowed", topo_usable_cpus(t, text, sizeof(text)));
	environment_add(
		env, "memory_nodes_allowed", topo_usable_memory_nodes(t, text, sizeof(text)));
	facts_of_caches(env, t);
	fact_of_kinds(env, t);
	fact_of_distances(env, t);
}
