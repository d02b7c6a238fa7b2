/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * On which node page tables lie. Linux takes a page table from the node that the policy of the task
 * prefers, else from that of the CPU of the thread that faults, whatever the policy of the mapping;
 * where the pages themselves go is the mapping's policy (mbind). So a mapping with a policy of its
 * own, touched under another policy of the task, has its tables apart from its pages. They stay
 * there until the memory is given back: no call moves them.
 */
#ifndef TABLES_H
#define TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memory/mem.h"

/* From here on the page tables that the calling thread makes come from a node, as long as it has
 * memory, up to mem_task_end(). 0, or -1 and errno where the kernel refuses. */
int mem_tables_begin(int node, struct mem_task_policy *before);

/* The page tables of a mapping of `bytes` at `base`, without those of higher levels: each has as
 * many entries for base pages as fit in one. A transparent huge page has one as well, to be split
 * into; of a pool's pages there are none. */
size_t mem_tables_needed(const void *base, size_t bytes);

/* Page tables of all processes on each node, in base pages, from the kernel's counts of the nodes
 * (PageTables in /sys/devices/system/node/nodeN/meminfo). Takes up to two seconds where only root
 * may make the kernel count at once (/proc/sys/vm/stat_refresh): each CPU adds up its own changes
 * about once a second. */
void mem_tables_count(uint64_t count[MEM_MAX_NODES]);

/* What the counts say of a mapping. */
struct mem_tables {
	size_t needed;     /* 0: they were not asked for */
	int64_t there;     /* how many more are on the node asked for than before the touch */
	int64_t elsewhere; /* the same of all other nodes together */
	bool only_node;    /* no other node has memory: that is the proof, not the counts */
};

/* Fewer tables are lost among those of other programs, which come and go by tens. */
#define MEM_TABLES_SHOWN 64

/* Are the tables shown to be there? Of the counts up to an eighth may be missing: tables at both
 * ends are shared with neighbours, and other programs give some back. Where other nodes have grown
 * by half as many, the vector's may be there, and the growth here be that of another program. */
bool mem_tables_there(const struct mem_tables *t);

#endif
