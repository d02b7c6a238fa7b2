/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the nodes of pages, by the best of the ways that the kernel allows. */
#include <assert.h>
#include <errno.h>
#include <numa.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "memory/capacity.h"
#include "memory/mem.h"

/* Pages in one call: the lists have 192 KiB, little compared with a cache, and there is a call
 * every 64 MiB. */
#define BATCH 16384

const char *const mem_proof_names[] = {
	[MEM_BY_MOVE_PAGES] = "move_pages",
	[MEM_BY_NUMA_MAPS] = "numa_maps",
	[MEM_BY_ONE_NODE] = "one node",
};

static void count_pages(struct mem_found *found, void *const *pages, const int *status, size_t n)
{
	found->pages += n;
	for (size_t i = 0; i < n; i++) {
		/* pages begin at multiples of 4096, and there are fewer nodes and error numbers */
		found->places += mem_hash((uintptr_t)pages[i] | ((unsigned)status[i] & 0xfff));
		if (status[i] >= 0 && status[i] < MEM_MAX_NODES)
			found->on_node[status[i]]++;
		else
			found->absent++;
	}
}

int mem_find(const void *base, size_t bytes, struct mem_found *found)
{
	size_t page = mem_base_page(), left = bytes / page;
	size_t room = left < BATCH ? left : BATCH;
	char *next = (char *)(uintptr_t)base;
	void **pages = alloc_zeroed(room, sizeof(*pages));
	int *status = alloc_zeroed(room, sizeof(*status)), result = 0, error;

	assert((uintptr_t)base % page == 0 && bytes % page == 0);
	while (left && !result) {
		size_t n = left < room ? left : room;

		for (size_t i = 0; i < n; i++, next += page)
			pages[i] = next;
		result = numa_move_pages(0, n, pages, NULL, status, 0) ? -1 : 0;
		if (!result)
			count_pages(found, pages, status, n);
		left -= n;
	}
	error = errno;
	free(status);
	free(pages);
	found->proof = MEM_BY_MOVE_PAGES;
	errno = error;
	return result;
}

void mem_ask(struct mem_rights *rights)
{
	struct mem_found found = {0};
	void *page = (void *)((uintptr_t)rights / mem_base_page() * mem_base_page());

	if (rights->asked)
		return;
	rights->asked = true;
	rights->move_pages = mem_find(page, mem_base_page(), &found) ? errno : 0;
}

/* ---- /proc/self/numa_maps */

/* Adds the pages of a line "ADDRESS POLICY ... N0=12 N1=3 kernelpagesize_kB=4". It counts the pages
 * of a pool in their own size, all others in base pages. */
static void add_line(struct mem_found *found, const char *line)
{
	static const char key[] = " kernelpagesize_kB=";
	const char *size = strstr(line, key);
	size_t kib = size ? strtoull(size + strlen(key), NULL, 10) : 0, pages;
	size_t factor = kib ? kib * 1024 / mem_base_page() : 1;
	int node;

	for (const char *word = strstr(line, " N"); word; word = strstr(word + 1, " N"))
		if (sscanf(word, " N%d=%zu", &node, &pages) == 2 && node >= 0 &&
			node < MEM_MAX_NODES)
			found->on_node[node] += pages * factor;
}

/* A line is a mapping, and has no end. The guard pages make the vector a mapping of its own: a line
 * begins at its base, and the next mapping begins at its end. The kernel may have split it. */
static int read_numa_maps(const struct mem *m, struct mem_found *found)
{
	unsigned long first = (unsigned long)m->base, end = first + m->bytes, from;
	FILE *f = fopen("/proc/self/numa_maps", "r");
	bool begins = false, ends = false;
	char *line = NULL;
	size_t room = 0;

	while (f && getline(&line, &room, f) > 0) {
		if (sscanf(line, "%lx ", &from) != 1 || from < first)
			continue;
		ends = from == end;
		if (from >= end)
			break;
		begins |= from == first;
		add_line(found, line);
	}
	if (f)
		fclose(f);
	free(line);
	return begins && ends ? 0 : -1;
}

static int find_by_counts(const struct mem *m, struct mem_found *found)
{
	size_t present = 0;

	*found = (struct mem_found){.proof = MEM_BY_NUMA_MAPS, .pages = m->bytes / mem_base_page()};
	if (read_numa_maps(m, found))
		return -1;
	for (int node = 0; node < MEM_MAX_NODES; node++)
		present += found->on_node[node];
	found->absent = found->pages - present;
	return present <= found->pages ? 0 : -1;
}

/* ---- no other place */

int mem_only_node(const struct mem_rights *rights)
{
	bool nodes[MEM_MAX_NODES], allowed[MEM_MAX_NODES];
	int count = capacity_nodes(nodes), only = 0;

	if (!capacity_shows_nodes()) {
		/* /sys is hidden, or the kernel has no nodes */
		if (!capacity_allowed(allowed))
			return rights->move_pages == ENOSYS ? 0 : -1;
		memcpy(nodes, allowed, sizeof(nodes));
		count = 0;
		for (int i = 0; i < MEM_MAX_NODES; i++)
			count += nodes[i];
	}
	while (only < MEM_MAX_NODES && !nodes[only])
		only++;
	return count == 1 ? only : -1;
}

int mem_find_counts(const struct mem *m, const struct mem_rights *rights, struct mem_found *found)
{
	int node;

	if (!find_by_counts(m, found))
		return 0;
	*found = (struct mem_found){0};
	node = mem_only_node(rights);
	if (node < 0)
		return -1;
	found->proof = MEM_BY_ONE_NODE;
	found->pages = found->on_node[node] = m->bytes / mem_base_page();
	return 0;
}
