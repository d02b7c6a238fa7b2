/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads which CPUs are on which node. */
#include "affinity-report/drawings/cpu_nodes.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/text.h"

/* More CPUs than any Linux has (CONFIG_NR_CPUS is at most 8192). */
#define MOST_CPUS 8192

static void add_node(struct cpu_nodes *n, int node, const char *cpus, bool *set)
{
	if (text_parse_ranges(cpus, set, MOST_CPUS) < 0)
		return;
	for (int cpu = 0; cpu < MOST_CPUS; cpu++) {
		if (!set[cpu])
			continue;
		n->list = alloc_grow(n->list, n->count, sizeof(*n->list));
		n->list[n->count++] = (struct cpu_place){cpu, node};
	}
}

void cpu_nodes_read(struct cpu_nodes *n, const struct document *d)
{
	const struct fact *nodes = environment_fact(&d->environment, "node_cpus");
	bool *set = alloc_zeroed(MOST_CPUS, sizeof(*set));

	*n = (struct cpu_nodes){0};
	for (size_t i = 0; nodes && i < nodes->rows; i++) {
		const double node = fact_number(nodes, i, "node");

		if (node >= 0 && node < INT32_MAX)
			add_node(n, (int)node, fact_text(nodes, i, "cpus"), set);
	}
	free(set);
}

void cpu_nodes_free(struct cpu_nodes *n)
{
	free(n->list);
	*n = (struct cpu_nodes){0};
}

const struct cpu_place *cpu_nodes_find(const struct cpu_nodes *n, int cpu)
{
	for (size_t i = 0; i < n->count; i++)
		if (n->list[i].cpu == cpu)
			return &n->list[i];
	return NULL;
}
