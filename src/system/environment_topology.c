/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The facts that the topology has: nodes, CPUs, caches, kinds of cores, distances. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "system/environment.h"

/* "2 MiB x 2 and 1.25 MiB x 2": every size of a level, the largest first. */
static void add_sizes(const struct topo_cache *c, char *text, size_t n)
{
	uint64_t below = UINT64_MAX;
	char size[32];

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
		snprintf(text + strlen(text), n - strlen(text), "%s%s x %d",
			below == UINT64_MAX ? "" : " and ",
			text_size_exact(bytes, size, sizeof(size)), count);
		below = bytes;
	}
}

static void facts_of_caches(struct environment *env, const struct topo *t)
{
	char text[512] = "", line[64] = "";

	for (int level = 1; level < TOPO_LEVELS; level++) {
		const struct topo_cache *c = &t->caches[level];

		if (!c->bytes)
			continue;
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%sL%d ",
			*text ? ", " : "", level);
		add_sizes(c, text, sizeof(text));
		if (!*line)
			snprintf(line, sizeof(line), "%u B%s", c->line,
				c->line_assumed ? ", assumed: the machine gives none" : "");
	}
	environment_add(env, "caches", text);
	environment_add(env, "caches_from", topo_caches_from(t));
	environment_add(env, "cache_line", line);
}

/* "0: 0-3; 1: 4-7": the CPUs of each node that has some, allowed or not. */
static void fact_of_node_cpus(struct environment *env, const struct topo *t)
{
	bool *cpus = alloc_zeroed((size_t)t->ncpu_index + 1, sizeof(*cpus));
	const size_t room = (size_t)t->ncpu_index * 8 + 16; /* every second CPU, with its comma */
	char *all = alloc_string("", 0), *ranges = alloc_zeroed(room, 1);

	for (int i = 0; i < t->nnodes; i++) {
		if (!t->nodes[i].cpus)
			continue;
		for (int cpu = 0; cpu < t->ncpu_index; cpu++) {
			const struct topo_cpu *c = topo_cpu(t, cpu);

			cpus[cpu] = c && c->node == t->nodes[i].node;
		}
		text_ranges(cpus, (size_t)t->ncpu_index, ranges, room);
		alloc_append(&all, "; ", "%d: %s", t->nodes[i].node, ranges);
	}
	environment_add(env, "node_cpus", *all ? all : "none");
	free(all);
	free(ranges);
	free(cpus);
}

/* "10 21; 21 10": a row for each node, in their order. */
static void fact_of_distances(struct environment *env, const struct topo *t)
{
	char *all = alloc_string("", 0);

	for (int i = 0; t->distances && i < t->nnodes; i++)
		for (int k = 0; k < t->nnodes; k++)
			alloc_append(&all, k ? " " : "; ", "%llu",
				(unsigned long long)topo_distance(
					t, t->nodes[i].node, t->nodes[k].node));
	environment_add(env, "node_distances", all);
	environment_add(env, "far_by", t->access_source ? t->access_source : "node_distances");
	free(all);
}

void environment_topology(struct environment *env, const struct topo *t)
{
	char text[256];

	snprintf(text, sizeof(text), "%d node%s, %d package%s, %d core%s, %d CPU%s", t->nnodes,
		text_s((unsigned)t->nnodes), t->npackages, text_s((unsigned)t->npackages),
		t->ncores, text_s((unsigned)t->ncores), t->ncpus, text_s((unsigned)t->ncpus));
	environment_add(env, "topology", text);
	environment_add(env, "topology_source", t->source);
	fact_of_node_cpus(env, t);
	environment_add(env, "cpus_allowed", topo_usable_cpus(t, text, sizeof(text)));
	environment_add(
		env, "memory_nodes_allowed", topo_usable_memory_nodes(t, text, sizeof(text)));
	facts_of_caches(env, t);
	environment_add(env, "core_kinds",
		t->nkinds ? topo_kinds(t, text, sizeof(text)) : "alike or not known");
	fact_of_distances(env, t);
}
