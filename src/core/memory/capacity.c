/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the kernel's files on nodes, memory and page pools. */
#include "memory/capacity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory/cgroup.h"
#include "base/text.h"

#define NODE_DIR "/sys/devices/system/node"
#define MACHINE  "/proc/meminfo"

/* Longest list: every second of LINUX_NODES nodes, four digits and a comma each. */
#define LIST_BYTES 4096

/* The share of free memory that the kernel keeps for itself: watermarks are some 0.1 % to 0.3 % of
 * a node (watermark_scale_factor 10), and lower zones withhold 1/256 of the upper zone from user
 * pages (lowmem_reserve_ratio). Together they are below 1/128. */
#define RESERVE_SHARE 128

bool capacity_shows_nodes(void)
{
	return !access(NODE_DIR "/has_memory", R_OK);
}

int capacity_nodes(bool nodes[LINUX_NODES])
{
	char list[LIST_BYTES];
	int count;

	memset(nodes, 0, LINUX_NODES * sizeof(*nodes));
	if (!text_first_line(NODE_DIR "/has_memory", list, sizeof(list))) {
		count = text_parse_ranges(list, nodes, LINUX_NODES);
		if (count > 0)
			return count;
	}
	nodes[0] = true;
	return 1;
}

/* In a container the files of the cgroup may be hidden; this line is always there. */
bool capacity_allowed(bool nodes[LINUX_NODES])
{
	const char *key = "Mems_allowed_list:";
	FILE *f = fopen("/proc/self/status", "r");
	bool found = false;
	char *line = NULL;
	size_t room = 0;

	while (f && !found && getline(&line, &room, f) > 0)
		if (!strncmp(line, key, strlen(key)))
			found = text_parse_ranges(
					text_trim(line + strlen(key)), nodes, LINUX_NODES) > 0;
	free(line);
	if (f)
		fclose(f);
	return found;
}

/* The bytes after "KEY:" in a file like /proc/meminfo; in a node's file, "Node 0 " precedes KEY. */
static uint64_t read_bytes(const char *path, const char *key)
{
	char line[256];
	uint64_t kib = 0;
	FILE *f = fopen(path, "r");

	while (f && fgets(line, sizeof(line), f)) {
		unsigned long long value;
		int node, start = 0;
		size_t length = strlen(key);

		if (sscanf(line, "Node %d %n", &node, &start) < 1)
			start = 0;
		if (strncmp(line + start, key, length) || line[start + (int)length] != ':')
			continue;
		if (sscanf(line + start + length + 1, "%llu", &value) == 1)
			kib = value;
		break;
	}
	if (f)
		fclose(f);
	return kib * 1024;
}

static const char *node_file(int node, char *path, size_t n)
{
	if (!capacity_shows_nodes() && node == 0)
		snprintf(path, n, "%s", MACHINE);
	else
		snprintf(path, n, NODE_DIR "/node%d/meminfo", node);
	return path;
}

static uint64_t node_bytes(int node, const char *key)
{
	char path[64];

	return read_bytes(node_file(node, path, sizeof(path)), key);
}

uint64_t capacity_tables(int node)
{
	return node_bytes(node, "PageTables");
}

uint64_t capacity_total(int node)
{
	bool nodes[LINUX_NODES];
	uint64_t own = node_bytes(node, "MemTotal"), machine;

	if (!own || capacity_nodes(nodes) > 1)
		return own;
	machine = read_bytes(MACHINE, "MemTotal");
	return machine > own ? machine : own;
}

/* Whether the nodes' figures lag behind the machine's. A tenth is more than the difference between
 * the kernel's two ways of accounting, and less than the memory that comes only as it is used. */
static bool nodes_fall_short(const bool *nodes)
{
	uint64_t machine = read_bytes(MACHINE, "MemTotal"), sum = 0;

	for (int i = 0; i < LINUX_NODES; i++)
		if (nodes[i])
			sum += node_bytes(i, "MemTotal");
	return sum < machine - machine / 10;
}

/* Reclaiming all of it would make the machine very slow. As in MemAvailable, half of it or the
 * reserve, whichever is less, does not count. */
static uint64_t reclaimable(uint64_t bytes, uint64_t reserve)
{
	return bytes - (bytes / 2 < reserve ? bytes / 2 : reserve);
}

/* The node's high watermark where min_free_kbytes is larger than usual (raised by an administrator,
 * or by the kernel for transparent huge pages on a small machine): 1.5 times the node's share of
 * it. */
static uint64_t reserve_of(uint64_t total)
{
	uint64_t machine = read_bytes(MACHINE, "MemTotal"), share = total / RESERVE_SHARE, kib;
	char line[32];

	if (!machine || text_first_line("/proc/sys/vm/min_free_kbytes", line, sizeof(line)) ||
		text_count(line, &kib))
		return share;
	double high = 1.5 * 1024 * (double)kib * (double)total / (double)machine;

	return high > (double)share ? (uint64_t)high : share;
}

/* Slab pages do not count, although the kernel calls some of them reclaimable: it does not say how
 * many are in use, and a plan that relies on them would end with the OOM killer. */
uint64_t capacity_available(int node)
{
	bool nodes[LINUX_NODES];
	int count = capacity_nodes(nodes);
	uint64_t total, reserve, available, file;

	if (node < 0 || node >= LINUX_NODES || !nodes[node])
		return 0;
	if (count == 1 || nodes_fall_short(nodes))
		return read_bytes(MACHINE, "MemAvailable");
	total = node_bytes(node, "MemTotal");
	reserve = reserve_of(total);
	file = node_bytes(node, "Active(file)") + node_bytes(node, "Inactive(file)");
	available = node_bytes(node, "MemFree") + reclaimable(file, reserve);
	return available > reserve ? available - reserve : 0;
}

struct capacity_left capacity_left(int node)
{
	uint64_t has = node < 0 ? read_bytes(MACHINE, "MemAvailable") : capacity_available(node);
	uint64_t may = cgroup_memory_left(CGROUP_SELF);

	return (struct capacity_left){may < has ? may : has, may < has};
}

static void pool_path(int node, size_t page_bytes, const char *file, char *path, size_t n)
{
	if (capacity_shows_nodes())
		snprintf(path, n, NODE_DIR "/node%d/hugepages/hugepages-%zukB/%s", node,
			page_bytes / 1024, file);
	else
		snprintf(path, n, "/sys/kernel/mm/hugepages/hugepages-%zukB/%s", page_bytes / 1024,
			file);
}

static uint64_t pool_count(int node, size_t page_bytes, const char *file)
{
	char path[128], line[32];
	uint64_t count;

	if (!capacity_shows_nodes() && node != 0)
		return 0;
	pool_path(node, page_bytes, file, path, sizeof(path));
	if (text_first_line(path, line, sizeof(line)) || text_count(line, &count))
		return 0;
	return count;
}

uint64_t capacity_pool_size(int node, size_t page_bytes)
{
	return pool_count(node, page_bytes, "nr_hugepages");
}

uint64_t capacity_pool_free(int node, size_t page_bytes)
{
	return pool_count(node, page_bytes, "free_hugepages");
}

bool capacity_pool_exists(size_t page_bytes)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/kernel/mm/hugepages/hugepages-%zukB", page_bytes / 1024);
	return !access(path, F_OK);
}

const char *capacity_pool_file(int node, size_t page_bytes, char *buffer, size_t n)
{
	pool_path(node, page_bytes, "nr_hugepages", buffer, n);
	return buffer;
}
