/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much memory nodes have and could still give, and their pools of huge pages, as /sys and /proc
 * say now. It reads plain files without a library; a kernel without NUMA counts as node 0. Nothing
 * here takes memory.
 */
#ifndef CAPACITY_H
#define CAPACITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/linux.h"

/* The nodes that have memory. Returns how many. */
int capacity_nodes(bool nodes[LINUX_NODES]);

/* Does /sys show nodes? Otherwise capacity_nodes() knows of node 0 only. */
bool capacity_shows_nodes(void);

/* The nodes whose memory the process's cpuset allows. Returns false when the kernel does not say;
 * then nodes[] is not set. */
bool capacity_allowed(bool nodes[LINUX_NODES]);

/* A node's bytes, 0 when it has none or does not exist. For the only node with memory this is the
 * machine's total if that is larger: some virtual machines give a node its memory when it is first
 * used. */
uint64_t capacity_total(int node);

/* The bytes that a node could still give without swapping its pages or killing a process: free and
 * reclaimable, less the kernel's reserve. The machine's MemAvailable if there is only one node, or
 * if the nodes' totals are clearly below the machine's (memory that comes as it is used). 0 for a
 * node without memory. An estimate, as MemAvailable is, because other processes take memory too. */
uint64_t capacity_available(int node);

/* The bytes of a node that are page tables of processes, as the kernel counts them: changes of the
 * last second may be missing. */
uint64_t capacity_tables(int node);

/* The memory that this process can still take from a node (-1: from any node): the smaller of what
 * the node, or the machine, and the process's control groups can give. */
struct capacity_left {
	uint64_t bytes;
	bool by_limit; /* a control group's limit is the smaller one */
};
struct capacity_left capacity_left(int node);

/* The number of pages of page_bytes in the node's pool, and how many of them are free now; 0 also
 * when there is no such pool. Free pages may be reserved for a mapping that has not touched them
 * yet. */
uint64_t capacity_pool_size(int node, size_t page_bytes);
uint64_t capacity_pool_free(int node, size_t page_bytes);

/* Whether the kernel supports pages of that size. */
bool capacity_pool_exists(size_t page_bytes);

/* Writes to buffer, for hints, the file that sets the size of the pool. */
const char *capacity_pool_file(int node, size_t page_bytes, char *buffer, size_t n);

#endif
