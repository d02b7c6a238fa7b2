/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One request of memory at a time, for a node that this process may use, and its messages. Include
 * it after cmocka.h. */
#ifndef MEM_STAGE_H
#define MEM_STAGE_H

#include <stdio.h>
#include <string.h>

#include "memory/capacity.h"
#include "memory/mem.h"
#include "topology/system.h"

#define MIB ((size_t)1 << 20)

static struct errors errors;
static bool nodes[MEM_MAX_NODES]; /* nodes of the request */
static struct mem_rights rights;

static inline int first_node(void)
{
	bool memory[MEM_MAX_NODES], allowed[MEM_MAX_NODES];
	int node = 0;

	capacity_nodes(memory);
	topo_system_mems(allowed);
	while (!memory[node] || !allowed[node])
		node++;
	return node;
}

static inline int clean(void **state)
{
	(void)state;
	errors_free(&errors);
	memset(nodes, 0, sizeof(nodes));
	nodes[first_node()] = true;
	return 0;
}

static inline int try(struct mem *m, size_t bytes, enum mem_policy policy, enum mem_pages pages)
{
	struct mem_request r = {bytes, policy, nodes, pages, false, NULL};

	return mem_map(m, &r, &rights, "vector 0", NOWHERE, &errors);
}

/* cmocka 1.1.5 prints its own skip() as "not ok", which prove counts as a failure. */
#define SKIP(...)                                           \
	do {                                                \
		fprintf(stderr, "# skipped: " __VA_ARGS__); \
		fputc('\n', stderr);                        \
		return;                                     \
	} while (0)

#endif
