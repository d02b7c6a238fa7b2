/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads which CPUs are on which node. */
#include "programs/affinity-report/cpu_nodes.h"

#include <stdlib.h>
#include <string.h>

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
	bool *set = alloc_zeroed(MOST_CPUS, sizeof(*set));
	struct words nodes = {0};

	*n = (struct cpu_nodes){0};
	words_split(&nodes, document_fact(d, "node_cpus"), ";");
	for (size_t i = 0; i < nodes.count; i++) {
		char *text = text_trim(nodes.word[i]), *colon = strchr(text, ':');
		uint64_t node;

		if (!colon)
			continue;
		*colon = '\0';
		if (!text_count(text, &node) && node < INT32_MAX)
			add_node(n, (int)node, text_trim(colon + 1), set);
	}
	words_free(&nodes);
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
