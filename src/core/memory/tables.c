/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets the policy of a task while it touches, and reads the nodes' counts of page tables. */
#include "memory/tables.h"

#include <fcntl.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "memory/capacity.h"
#include "memory/mem.h"

/* MPOL_BIND would end in the OOM killer where the node is full. */
int mem_tables_begin(int node, struct mem_task_policy *before)
{
	bool nodes[MEM_MAX_NODES] = {false};
	const struct mem_request r = {.policy = MEM_PREFERRED, .nodes = nodes};

	nodes[node] = true;
	return mem_task_begin(&r, before);
}

size_t mem_tables_needed(const void *base, size_t bytes)
{
	const size_t page = mem_base_page(), covers = page / sizeof(uint64_t) * page;
	const uintptr_t first = (uintptr_t)base / covers;

	return ((uintptr_t)base + bytes - 1) / covers - first + 1;
}

/* vm.stat_interval is 1 s by default; a CPU may be a moment late. */
static void let_count(void)
{
	static const struct timespec interval = {1, 300000000};
	int file = open("/proc/sys/vm/stat_refresh", O_WRONLY | O_CLOEXEC);
	bool counted = file >= 0 && write(file, "1\n", 2) == 2;

	if (file >= 0)
		close(file);
	if (!counted)
		nanosleep(&interval, NULL);
}

void mem_tables_count(uint64_t count[MEM_MAX_NODES])
{
	bool nodes[MEM_MAX_NODES];

	let_count();
	capacity_nodes(nodes);
	for (int node = 0; node < MEM_MAX_NODES; node++)
		count[node] = nodes[node] ? capacity_tables(node) / mem_base_page() : 0;
}

bool mem_tables_there(const struct mem_tables *t)
{
	const int64_t needed = (int64_t)t->needed;

	if (t->only_node || !needed)
		return true;
	return t->there >= needed - needed / 8 && 2 * t->elsewhere < needed;
}
