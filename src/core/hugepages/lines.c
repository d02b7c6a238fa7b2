/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads lines with sscanf(), which takes no memory for numbers.
 *
 * buddyinfo.c and zoneinfo.c add the lines of a node up: free blocks by size, and what the kernel
 * keeps of them. ranges.c joins free blocks that follow each other.
 */
#include "hugepages/lines.h"

#include <inttypes.h>
#include <string.h>

#include "base/linux.h"

/* The counts of a line, up to its end. */
static int read_blocks(const char *text, struct buddy_zone *z)
{
	uint64_t blocks;
	int used;

	while (sscanf(text, "%" SCNu64 "%n", &blocks, &used) == 1) {
		if (z->norders == BUDDY_ORDERS || strchr(text, '-'))
			return -1;
		z->blocks[z->norders++] = blocks;
		text += used;
	}
	return z->norders && !text[strspn(text, " \n")] ? 0 : -1;
}

int buddy_line(const char *line, struct buddy_zone *z)
{
	int used = 0;

	*z = (struct buddy_zone){0};
	if (sscanf(line, "Node %d, zone %15s%n", &z->node, z->name, &used) != 2 || z->node < 0 ||
		z->node >= LINUX_NODES)
		return -1;
	return read_blocks(line + used, z);
}

int buddy_order(size_t bytes, size_t base_page)
{
	int order = 0;

	while (base_page << order < bytes)
		order++;
	return order;
}

int zone_head(const char *line, struct zone_limits *z)
{
	struct zone_limits head = {0};

	if (sscanf(line, "Node %d, zone %15s", &head.node, head.name) != 2)
		return -1;
	*z = head;
	return 0;
}

static uint64_t largest(const char *list)
{
	uint64_t most = 0, value;
	int used;

	for (; sscanf(list, "%" SCNu64 "%n", &value, &used) == 1; list += strspn(list, ", ")) {
		most = value > most ? value : most;
		list += used;
	}
	return most;
}

/* "high" is a watermark; "high:" belongs to the list of a CPU. */
bool zone_line(const char *line, struct zone_limits *z)
{
	uint64_t value;

	if (sscanf(line, " pages free %" SCNu64, &value) == 1)
		z->free = value;
	else if (sscanf(line, " min %" SCNu64, &value) == 1)
		z->min = value;
	else if (sscanf(line, " low %" SCNu64, &value) == 1)
		z->low = value;
	else if (sscanf(line, " high %" SCNu64, &value) == 1)
		z->high = value;
	else if (sscanf(line, " spanned %" SCNu64, &value) == 1)
		z->spanned = value;
	else if (sscanf(line, " present %" SCNu64, &value) == 1)
		z->present = value;
	else if (sscanf(line, " managed %" SCNu64, &value) == 1)
		z->managed = value;
	else if (sscanf(line, " nr_unaccepted %" SCNu64, &value) == 1)
		z->unaccepted = value;
	else if (sscanf(line, " start_pfn: %" SCNu64, &value) == 1)
		z->start = value;
	else if (strstr(line, " protection: ("))
		z->protection = largest(strchr(line, '(') + 1);
	else
		return false;
	return true;
}
