/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the memory of another process lies, and moving it. The process must be the user's own. */
#ifndef PROCESS_H
#define PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/linux.h"

/* Bytes of a process that files do not back: heaps, stacks, anonymous mappings. */
struct process_pages {
	uint64_t all;
	uint64_t far;  /* on other nodes than its own */
	uint64_t huge; /* of all in huge pages, transparent ones and of pools */
	/* Of the far ones in transparent huge pages. Of a mapping on several nodes it is known how
	 * much of it is huge, not where: so much at most, and so much at least. */
	uint64_t far_huge, far_huge_least;
};

/* A line of /proc/PID/numa_maps. */
struct process_mapping {
	uint64_t start;
	char policy[64];               /* "default", "bind:0-1" */
	const char *file;              /* its path as it is, NULL: no file backs it */
	bool pool;                     /* huge pages of a pool */
	uint64_t on[LINUX_NODES], all; /* bytes on each node, and together */
};

/* Calls `each` for every line of numa_maps. */
void process_mappings_read(
	FILE *numa_maps, void (*each)(void *with, const struct process_mapping *m), void *with);

/* Adds what /proc/PID/numa_maps has; smaps has the huge pages of each of its mappings. */
void process_pages_read(FILE *numa_maps, FILE *smaps, int own, struct process_pages *sum);

/* The same of a process. 0, or -1: it is gone, or may not be asked. */
int process_pages_add(pid_t process, int own, struct process_pages *sum);

/* Adds the bytes on each node, on[LINUX_NODES]. 0, or -1 as above. */
int process_nodes_add(pid_t process, uint64_t *on);

/* Moves all pages of a process from the other nodes to its own (migrate_pages(2)). Huge pages that
 * do not fit there are split by the kernel. nodes: those with memory. 0, or -1 and errno. */
int process_bring_back(pid_t process, const bool nodes[LINUX_NODES], int own);

#endif
