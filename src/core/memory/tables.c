/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets the policy of a task while it touches, and reads the nodes' counts of page tables. */
#include "memory/tables.h"

#include <errno.h>
#include <fcntl.h>
#include <numaif.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "memory/capacity.h"

/* numaif.h lacks it: node numbers keep their meaning when the cpuset changes. */
#ifndef MPOL_F_STATIC_NODES
#define MPOL_F_STATIC_NODES (1 << 15)
#endif

#define WORD_BITS (8 * sizeof(unsigned long))

/* The kernel reads one bit less than the argument says: with 64, node 63 would be lost. */
#define MASK_BITS (MEM_MAX_NODES + 1)

/* MPOL_BIND would end in the OOM killer where the node is full. */
int mem_tables_begin(int node, struct mem_task_policy *before)
{
	unsigned long mask[MASK_BITS / WORD_BITS + 1] = {0};

	memset(before, 0, sizeof(*before));
	if (get_mempolicy(&before->mode, before->mask, MASK_BITS, NULL, 0))
		return -1;
	mask[(size_t)node / WORD_BITS] |= 1UL << (size_t)node % WORD_BITS;
	return set_mempolicy(MPOL_PREFERRED | MPOL_F_STATIC_NODES, mask, MASK_BITS) ? -1 : 0;
}

void mem_tables_end(const struct mem_task_policy *before)
{
	int error = errno;
	bool nodes = false;

	for (size_t i = 0; i < sizeof(before->mask) / sizeof(*before->mask); i++)
		nodes |= before->mask[i];
	(void)set_mempolicy(before->mode, nodes ? before->mask : NULL, nodes ? MASK_BITS : 0);
	errno = error;
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
