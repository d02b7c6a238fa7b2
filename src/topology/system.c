/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads from /sys and /proc which nodes exist, which are allowed, and the node of each CPU. */
#include "topology/system.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "memory/capacity.h"

#define NODE_DIR "/sys/devices/system/node"

/* LINUX_CPUS numbers of four digits and a comma, the longest list of CPUs, fit. */
#define LIST_BYTES 65536

int topo_system_check(struct errors *e)
{
	unsigned long mask[LINUX_MASK_WORDS];

	if (!sched_getaffinity(0, sizeof(mask), (cpu_set_t *)mask) ||
		(errno != EPERM && errno != ENOSYS))
		return 0;
	error_add(e, STATUS_FAILED, NOWHERE,
		"the kernel does not say which CPUs may be used (sched_getaffinity: %s)",
		strerror(errno));
	return error_hint(
		e, "a sandbox forbids it; the default rights of docker and podman include it");
}

bool topo_system_cpuset(bool *cpus, int ncpus)
{
	unsigned long own[LINUX_MASK_WORDS], granted[LINUX_MASK_WORDS];
	cpu_set_t *mask = (cpu_set_t *)granted;

	memset(granted, 0xff, sizeof(granted));
	if (sched_getaffinity(0, sizeof(own), (cpu_set_t *)own) ||
		sched_setaffinity(0, sizeof(granted), mask))
		return false;
	bool told = !sched_getaffinity(0, sizeof(granted), mask);
	told &= !sched_setaffinity(0, sizeof(own), (cpu_set_t *)own);
	for (int i = 0; i < ncpus; i++)
		cpus[i] = told && CPU_ISSET_S((size_t)i, sizeof(granted), mask);
	return told;
}

bool topo_system_offline(int cpu)
{
	char path[64], line[16];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	return !text_first_line(path, line, sizeof(line)) && !strcmp(line, "0");
}

/* In a container hwloc may not find the files of the cgroup. */
void topo_system_mems(bool nodes[LINUX_NODES])
{
	if (capacity_allowed(nodes))
		return;
	for (int i = 0; i < LINUX_NODES; i++)
		nodes[i] = true;
}

/* Returns how many numbers the list in a file sets; 0 when it cannot be read. */
static int read_list(const char *path, bool *set, int n)
{
	char *list = alloc_zeroed(LIST_BYTES, 1);
	int count = 0;

	memset(set, 0, (size_t)n * sizeof(*set));
	if (!text_first_line(path, list, LIST_BYTES))
		count = text_parse_ranges(list, set, (size_t)n);
	free(list);
	return count > 0 ? count : 0;
}

void topo_system_nodes(bool nodes[LINUX_NODES])
{
	read_list(NODE_DIR "/online", nodes, LINUX_NODES);
}

unsigned topo_system_weight(int node)
{
	char path[128], line[32];
	uint64_t weight;

	snprintf(path, sizeof(path), "/sys/kernel/mm/mempolicy/weighted_interleave/node%d", node);
	if (text_first_line(path, line, sizeof(line)) || text_count(line, &weight))
		return 0;
	return (unsigned)weight;
}

int topo_system_homes(int *home, int ncpus)
{
	bool *cpus = alloc_zeroed((size_t)ncpus, sizeof(*cpus));
	bool nodes[LINUX_NODES];
	int found = 0;

	topo_system_nodes(nodes);
	for (int node = 0; node < LINUX_NODES; node++) {
		char path[64];

		if (!nodes[node])
			continue;
		snprintf(path, sizeof(path), NODE_DIR "/node%d/cpulist", node);
		found += read_list(path, cpus, ncpus);
		for (int c = 0; c < ncpus; c++)
			if (cpus[c])
				home[c] = node;
	}
	free(cpus);
	return found;
}
