/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads /proc/buddyinfo and /proc/zoneinfo for one node. */
#include "affinity-frag/node.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "memory/capacity.h"
#include "memory/mem.h"
#include "memory/pages.h"

#define BUDDYINFO "/proc/buddyinfo"
#define ZONEINFO  "/proc/zoneinfo"

static int read_buddyinfo(struct buddyinfo *b, struct errors *e)
{
	FILE *in = fopen(BUDDYINFO, "re");
	int line;

	*b = (struct buddyinfo){0};
	if (!in) {
		error_add(e, STATUS_FAILED, NOWHERE, "cannot read %s: %s", BUDDYINFO,
			strerror(errno));
		return error_hint(e, "without it nothing shows what is free in large blocks");
	}
	line = buddyinfo_read(in, b);
	fclose(in);
	if (!line)
		return 0;
	error_add(e, STATUS_FAILED, (struct place){BUDDYINFO, line},
		"is not \"Node N, zone NAME COUNT...\"");
	return error_hint(e, "this kernel writes it in a way that affinity-frag does not know");
}

struct zoneinfo node_limits(void)
{
	FILE *in = fopen(ZONEINFO, "re");
	struct zoneinfo z = {0};

	if (in) {
		zoneinfo_read(in, &z);
		fclose(in);
	}
	return z;
}

static int find_limits(struct node *n, struct errors *e)
{
	uint64_t high = 0;

	n->limits = node_limits();
	for (size_t i = 0; i < n->limits.count; i++)
		high += n->limits.zones[i].high;
	n->margin = zoneinfo_margin(&n->limits, n->id);
	if (high)
		return 0;
	error_add(e, STATUS_FAILED, NOWHERE, "%s has no watermarks", ZONEINFO);
	return error_hint(e, "without them nothing shows how much memory must stay free");
}

static int choose_frag_node(struct node *n, int id, struct errors *e)
{
	bool nodes[LINUX_NODES];
	char list[128];
	int count = capacity_nodes(nodes);

	for (n->id = 0; id < 0 && !nodes[n->id];)
		n->id++;
	if (id >= 0)
		n->id = id;
	text_ranges(nodes, LINUX_NODES, list, sizeof(list));
	if (id < 0 && count > 1) {
		error_add(e, STATUS_USAGE, NOWHERE, "which node? there are %s", list);
		return error_hint(e, "--node %d", n->id);
	}
	if (n->id < LINUX_NODES && nodes[n->id])
		return 0;
	error_add(e, STATUS_PLACEMENT, NOWHERE, "there is no node %d with memory", n->id);
	return error_hint(e, "nodes with memory: %s", list);
}

/* Without an answer for each page any block might be another node's. */
static int find_proof(struct node *n, struct errors *e)
{
	struct mem_rights rights = {0};

	mem_ask(&rights);
	n->only = mem_only_node(&rights) == n->id;
	if (!rights.move_pages || n->only)
		return 0;
	error_add(e, STATUS_PLACEMENT, NOWHERE,
		"the kernel does not say where each page is (move_pages: %s), and not only node "
		"%d may have memory",
		strerror(rights.move_pages), n->id);
	return error_hint(
		e, "in a container: docker run or podman run --security-opt seccomp=unconfined");
}

int node_open(struct node *n, int id, struct errors *e)
{
	struct node_free f;

	*n = (struct node){.base = mem_base_page(), .huge = mem_huge_page()};
	if (!n->huge) {
		error_add(
			e, STATUS_PLACEMENT, NOWHERE, "this kernel has no transparent huge pages");
		return error_hint(e, "blocks are taken as such pages: CONFIG_TRANSPARENT_HUGEPAGE");
	}
	n->order = buddy_order(n->huge, n->base);
	if (choose_frag_node(n, id, e) || node_read(n, &f, e) || find_limits(n, e))
		return -1;
	return find_proof(n, e);
}

int node_reopen(struct node *n, struct errors *e)
{
	zoneinfo_free(&n->limits);
	return find_limits(n, e);
}

void node_free(struct node *n)
{
	zoneinfo_free(&n->limits);
}

static bool reachable(const void *arg, const struct buddy_zone *zone)
{
	return !zoneinfo_withheld(arg, zone->node, zone->name);
}

static uint64_t count_large(const struct node *n, const struct buddyinfo *b)
{
	uint64_t blocks = 0;

	for (size_t i = 0; i < b->count; i++) {
		const struct buddy_zone *z = &b->zones[i];

		for (int o = n->order; z->node == n->id && o < z->norders; o++)
			blocks += reachable(&n->limits, z) ? z->blocks[o] : 0;
	}
	return blocks;
}

/* The file has the zones of a node from the lowest on. */
static uint64_t count_lower(const struct node *n, const struct buddyinfo *b)
{
	uint64_t pages = 0, of_zone = 0;

	for (size_t i = 0; i < b->count; i++) {
		const struct buddy_zone *z = &b->zones[i];

		if (z->node != n->id || !reachable(&n->limits, z))
			continue;
		pages += of_zone;
		of_zone = 0;
		for (int o = 0; o < n->order && o < z->norders; o++)
			of_zone += z->blocks[o] << o;
	}
	return pages;
}

int node_read(const struct node *n, struct node_free *f, struct errors *e)
{
	struct buddyinfo b;
	int failed = read_buddyinfo(&b, e);

	f->all = buddyinfo_pages(&b, n->id, 0, NULL, NULL);
	f->huge = buddyinfo_pages(&b, n->id, n->order, reachable, &n->limits);
	f->large = count_large(n, &b);
	f->lower = count_lower(n, &b);
	f->withheld = buddyinfo_pages(&b, n->id, n->order, NULL, NULL) - f->huge;
	f->norders = buddyinfo_orders(&b, n->id, f->blocks);
	buddyinfo_free(&b);
	return failed;
}

const char *node_size(const struct node *n, uint64_t pages, char *buffer, size_t size)
{
	return text_size(pages * n->base, buffer, size);
}
