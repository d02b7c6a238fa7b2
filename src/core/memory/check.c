/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the reasons why a mapping would fail late (SIGBUS on the first touch) or silently differ
 * from the request (an ignored node, small pages instead of huge ones), and names the command that
 * helps. */
#include "memory/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/text.h"
#include "memory/capacity.h"
#include "memory/cgroup.h"

int mem_check_nodes(const struct mem_request *r, const bool *allowed, const char *what,
	struct place at, struct errors *e)
{
	bool usable[MEM_MAX_NODES], memory[MEM_MAX_NODES];
	char list[256];
	int failed = 0;

	capacity_nodes(memory);
	for (int i = 0; i < MEM_MAX_NODES; i++)
		usable[i] = memory[i] && allowed[i];
	text_ranges(usable, MEM_MAX_NODES, list, sizeof(list));
	for (int i = 0; i < MEM_MAX_NODES; i++) {
		if (!r->nodes[i] || usable[i])
			continue;
		failed = error_add(e, STATUS_PLACEMENT, at,
			memory[i] ? "%s: the cpuset of this process forbids memory of node %d"
				  : "%s: there is no memory on a node %d",
			what, i);
		error_hint(e, "nodes whose memory may be used here: %s", list);
	}
	return failed;
}

static int check_base_page(
	enum mem_pages pages, const char *what, struct place at, struct errors *e)
{
	static const struct {
		enum mem_pages pages;
		size_t bytes;
		const char *name;
	} sizes[] = {{PAGES_4K, 4096, "4K"}, {PAGES_16K, 16384, "16K"}};
	char size[32];

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		if (pages != sizes[i].pages || mem_base_page() == sizes[i].bytes)
			continue;
		error_add(e, STATUS_PLACEMENT, at, "%s: this kernel's smallest page is %s, not %s",
			what, text_size(mem_base_page(), size, sizeof(size)), sizes[i].name);
		return error_hint(e, "pagesPerVector: base takes what the kernel has");
	}
	return 0;
}

/* Where the kernel has a setting for each size, that one precedes the common setting. */
static const char *thp_file(size_t huge, char *path, size_t n)
{
	char line[128];

	if (text_first_line(mem_thp_setting(huge, path, n), line, sizeof(line)) ||
		strstr(line, "[inherit]"))
		snprintf(path, n, "%s", THP_DIR "/enabled");
	return path;
}

size_t mem_touch_bytes(enum mem_pages pages, size_t bytes)
{
	size_t huge = mem_huge_page();
	char path[128], line[128];

	if (mem_is_mthp(pages))
		return 2 * mem_page_bytes(pages);
	if (pages != PAGES_SYSTEM || !huge || bytes < huge ||
		text_first_line(thp_file(huge, path, sizeof(path)), line, sizeof(line)) ||
		!strstr(line, "[always]"))
		return mem_page_bytes(pages);
	return huge;
}

/* of: " of 64 KiB" where the size is asked for. */
static int check_thp(
	size_t huge, const char *of, const char *what, struct place at, struct errors *e)
{
	char path[128], line[128];

	if (!huge) {
		error_add(e, STATUS_PLACEMENT, at, "%s: this kernel has no transparent huge pages",
			what);
		return error_hint(e, "pagesPerVector: 2M takes huge pages from a pool");
	}
	if (text_first_line(thp_file(huge, path, sizeof(path)), line, sizeof(line)) == 0 &&
		strstr(line, "[never]")) {
		error_add(e, STATUS_PLACEMENT, at, "%s: transparent huge pages%s are switched off",
			what, of);
		/* its own setting changes no other size */
		if (*of)
			mem_thp_setting(huge, path, sizeof(path));
		return error_hint(e, "echo madvise | sudo tee %s", path);
	}
	/* 3: switched off except for mappings with madvise(), which mem.c calls. */
	if (prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) == 1) {
		error_add(e, STATUS_PLACEMENT, at,
			"%s: transparent huge pages are switched off for this process", what);
		return error_hint(e, "what started it has called prctl(PR_SET_THP_DISABLE)");
	}
	return 0;
}

static int check_mthp(size_t bytes, const char *what, struct place at, struct errors *e)
{
	char path[128], line[128], size[32], of[40];

	text_size(bytes, size, sizeof(size));
	snprintf(of, sizeof(of), " of %s", size);
	if (!text_first_line(mem_thp_setting(bytes, path, sizeof(path)), line, sizeof(line)))
		return check_thp(bytes, of, what, at, e);
	error_add(e, STATUS_PLACEMENT, at, "%s: this kernel has no transparent huge pages%s", what,
		of);
	return error_hint(e, "ls " THP_DIR " shows the sizes it has (from Linux 6.8 on); "
			     "pagesPerVector: thp takes the usual one");
}

static int check_halves(
	const struct mem_request *r, const char *what, struct place at, struct errors *e)
{
	size_t huge = mem_huge_page();
	char size[32];

	if (check_thp(huge, "", what, at, e))
		return -1;
	if (r->bytes > huge)
		return 0;
	error_add(e, STATUS_PLACEMENT, at,
		"%s: a half of it in huge pages of %s and one in small pages, but it takes no more "
		"than one huge page",
		what, text_size(huge, size, sizeof(size)));
	return error_hint(e, "a larger sizePerVector; or pages of one size: pagesPerVector: thp or "
			     "base, nodePerVector: local_2m or local_4k");
}

/* The nodes that a request can take pages from. Every policy but MEM_BIND may fall back to other
 * nodes. */
static void sources(const struct mem_request *r, bool *nodes)
{
	if (r->policy == MEM_BIND || r->policy == MEM_INTERLEAVE)
		memcpy(nodes, r->nodes, MEM_MAX_NODES * sizeof(*nodes));
	else
		capacity_nodes(nodes);
}

static size_t pool_of(size_t page_bytes)
{
	size_t i = 0;

	while (mem_pool_bytes[i] != page_bytes)
		i++;
	return i;
}

/* NULL: no vector of a plan is to come into memory before. */
static uint64_t *taken_of(struct mem_taken *taken, size_t page_bytes)
{
	return taken ? taken->pages[pool_of(page_bytes)] : NULL;
}

static uint64_t free_pages(int node, size_t page_bytes, const uint64_t *taken)
{
	uint64_t has = capacity_pool_free(node, page_bytes), gone = taken ? taken[node] : 0;

	return has > gone ? has - gone : 0;
}

struct shortage {
	int node;
	uint64_t need, free;
};

/* From here on a system that has run for a while seldom has free pieces that large. */
#define LARGE_PAGE ((size_t)512 << 20)

static int report_shortage(const struct shortage *s, size_t page_bytes, const char *what,
	struct place at, struct errors *e)
{
	char size[32], path[128];
	uint64_t enough = capacity_pool_size(s->node, page_bytes) + s->need - s->free;

	text_size(page_bytes, size, sizeof(size));
	capacity_pool_file(s->node, page_bytes, path, sizeof(path));
	error_add(e, STATUS_PLACEMENT, at,
		"%s: %" PRIu64 " free page%s of %s %s needed in the pool of node %d, %" PRIu64
		" %s there",
		what, s->need, text_s(s->need), size, s->need == 1 ? "is" : "are", s->node, s->free,
		s->free == 1 ? "is" : "are");
	if (page_bytes < LARGE_PAGE)
		return error_hint(e, "echo %" PRIu64 " | sudo tee %s", enough, path);
	return error_hint(e,
		"echo %" PRIu64
		" | sudo tee %s; if too few come, boot with hugepagesz=%zuM hugepages=%" PRIu64,
		enough, path, page_bytes >> 20, enough);
}

/* Interleave takes a missing page from another node, so check each node's share; for other policies
 * check the sum over all nodes, and name the first node as the one to enlarge. */
static bool is_short(
	const struct mem_request *r, size_t page_bytes, const uint64_t *taken, struct shortage *s)
{
	bool nodes[MEM_MAX_NODES];
	uint64_t pages = (r->bytes - 1) / page_bytes + 1, share, sum = 0, count = 0;

	sources(r, nodes);
	for (int i = 0; i < MEM_MAX_NODES; i++)
		count += nodes[i];
	share = (pages + count - 1) / count;
	for (int i = MEM_MAX_NODES - 1; i >= 0; i--) {
		if (!nodes[i])
			continue;
		*s = (struct shortage){i, share, free_pages(i, page_bytes, taken)};
		if (r->policy == MEM_INTERLEAVE && s->free < share)
			return true;
		sum += s->free;
	}
	s->need = s->free + pages - sum;
	return sum < pages;
}

/* What the kernel will take from the pools, when they have enough. A preferred node comes first. */
static void take_from_pools(const struct mem_request *r, size_t page_bytes, uint64_t *taken)
{
	bool nodes[MEM_MAX_NODES];
	uint64_t left = (r->bytes - 1) / page_bytes + 1, count = 0, share = left;

	sources(r, nodes);
	for (int i = 0; i < MEM_MAX_NODES; i++)
		count += nodes[i];
	if (r->policy == MEM_INTERLEAVE)
		share = (left + count - 1) / count;
	for (int round = r->policy == MEM_PREFERRED ? 0 : 1; round < 2; round++)
		for (int i = 0; i < MEM_MAX_NODES && left; i++) {
			uint64_t most = share < left ? share : left, has;

			if (!(round ? nodes[i] : r->nodes[i]))
				continue;
			has = free_pages(i, page_bytes, taken);
			taken[i] += has < most ? has : most;
			left -= has < most ? has : most;
		}
}

static int check_pool(const struct mem_request *r, size_t page_bytes, struct mem_taken *before,
	const char *what, struct place at, struct errors *e)
{
	uint64_t *taken = taken_of(before, page_bytes);
	struct shortage s;
	char size[32];

	if (!capacity_pool_exists(page_bytes)) {
		error_add(e, STATUS_PLACEMENT, at, "%s: this kernel has no pool of %s pages", what,
			text_size(page_bytes, size, sizeof(size)));
		return error_hint(e, "ls /sys/kernel/mm/hugepages shows the sizes it has");
	}
	if (!is_short(r, page_bytes, taken, &s)) {
		if (taken)
			take_from_pools(r, page_bytes, taken);
		return 0;
	}
	return report_shortage(&s, page_bytes, what, at, e);
}

int mem_check_pages(const struct mem_request *r, struct mem_taken *taken, const char *what,
	struct place at, struct errors *e)
{
	size_t page_bytes = mem_page_bytes(r->pages);

	if (mem_from_pool(r->pages))
		return check_pool(r, page_bytes, taken, what, at, e);
	if (mem_is_mthp(r->pages))
		return check_mthp(page_bytes, what, at, e);
	if (mem_is_half_thp(r->pages))
		return check_halves(r, what, at, e);
	if (mem_is_thp(r->pages))
		return check_thp(page_bytes, "", what, at, e);
	return check_base_page(r->pages, what, at, e);
}

int mem_check_limits(const struct mem_request *r, struct mem_taken *taken, const char *what,
	struct place at, struct errors *e)
{
	const size_t page_bytes = mem_page_bytes(r->pages);
	char *file, size[32];

	if (!mem_from_pool(r->pages))
		return 0;
	const uint64_t need = (r->bytes - 1) / page_bytes + 1;
	const uint64_t before = taken ? taken->counted[pool_of(page_bytes)] : 0;
	const uint64_t left = cgroup_pool_left(CGROUP_SELF, page_bytes, &file) / page_bytes;
	const uint64_t may = left > before ? left - before : 0;

	if (need > may) {
		error_add(e, STATUS_PLACEMENT, at,
			"%s: %" PRIu64 " page%s of %s %s needed, the control group of this process "
			"can give %" PRIu64,
			what, need, text_s(need), text_size(page_bytes, size, sizeof(size)),
			need == 1 ? "is" : "are", may);
		error_hint(e,
			"make it smaller, or raise %s (limits of Kubernetes: hugepages-2Mi, "
			"hugepages-1Gi)",
			file);
	} else if (taken) {
		taken->counted[pool_of(page_bytes)] += need;
	}
	free(file);
	return need > may ? -1 : 0;
}
