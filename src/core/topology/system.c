/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads from /sys and /proc which nodes exist, which are allowed, and the node of each CPU. */
#include "topology/system.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* Is the CPU the node's own? Nodes of emulated NUMA (numa=fake, the default of Raspberry Pi OS) all
 * list the same CPUs; each CPU names one. */
static bool is_home(int cpu, int node)
{
	char path[80];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/node%d", cpu, node);
	return !access(path, F_OK);
}

int topo_system_homes(int *home, int ncpus)
{
	bool *cpus = alloc_zeroed((size_t)ncpus, sizeof(*cpus));
	bool *found = alloc_zeroed((size_t)ncpus, sizeof(*found));
	bool nodes[LINUX_NODES];
	int count = 0;

	topo_system_nodes(nodes);
	for (int node = 0; node < LINUX_NODES; node++) {
		char path[64];

		if (!nodes[node])
			continue;
		snprintf(path, sizeof(path), NODE_DIR "/node%d/cpulist", node);
		count += read_list(path, cpus, ncpus);
		for (int c = 0; c < ncpus; c++)
			if (cpus[c] && (!found[c] || is_home(c, node))) {
				home[c] = node;
				found[c] = true;
			}
	}
	free(cpus);
	free(found);
	return count;
}

int topo_system_distances(int node, uint64_t *distances, int n)
{
	char path[64], *line = alloc_zeroed(LIST_BYTES, 1);
	struct words list = {0};
	int failed;

	snprintf(path, sizeof(path), NODE_DIR "/node%d/distance", node);
	failed = text_first_line(path, line, LIST_BYTES);
	if (!failed)
		words_split(&list, line, " ");
	failed = failed || list.count != (size_t)n;
	for (int i = 0; i < n && !failed; i++)
		failed = text_count(list.word[i], &distances[i]);
	words_free(&list);
	free(line);
	return failed ? -1 : 0;
}
