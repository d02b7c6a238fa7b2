/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much memory nodes have and could still give, and their pools of huge pages, as /sys and /proc
 * say now. Plain files, no library: a kernel without NUMA shows itself as node 0. Nothing here
 * takes memory.
 */
#ifndef CAPACITY_H
#define CAPACITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/linux.h"

/* The nodes that have memory. Returns how many. */
int capacity_nodes(bool nodes[LINUX_NODES]);

/* A node's bytes, 0 when it has none or does not exist. Of the only node with memory this is the
 * machine's total where that is more: some virtual machines give a node its memory when it is first
 * used. */
uint64_t capacity_total(int node);

/* What a node could still give, in bytes, without its own pages being swapped or a process killed:
 * free and reclaimable, less the kernel's reserve. Where there is one node only, or the nodes'
 * totals fall clearly short of the machine's (memory that comes as it is used), the machine's
 * MemAvailable. 0 for a node without memory. An estimate, as MemAvailable is: others take memory
 * too. */
uint64_t capacity_available(int node);

/* What this process can still take of a node (-1: of any node): the least of what the node, or the
 * machine, and the process's control groups can give. */
struct capacity_left {
	uint64_t bytes;
	bool by_limit; /* a control group's limit is what is narrow */
};
struct capacity_left capacity_left(int node);

/* Pages of page_bytes that the node's pool has, and those of them that are free now; 0 also when
 * there is no such pool. Free ones may be promised to a mapping that has not touched them yet. */
uint64_t capacity_pool_size(int node, size_t page_bytes);
uint64_t capacity_pool_free(int node, size_t page_bytes);

/* Whether the kernel can have pages of that size at all. */
bool capacity_pool_exists(size_t page_bytes);

/* The file that sets the size of the pool, for hints; in buffer. */
const char *capacity_pool_file(int node, size_t page_bytes, char *buffer, size_t n);

#endif
