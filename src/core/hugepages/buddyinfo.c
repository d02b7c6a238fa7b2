/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads /proc/buddyinfo and adds up its lines. */
#include "hugepages/buddyinfo.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "hugepages/lines.h"

int buddyinfo_read(FILE *in, struct buddyinfo *b)
{
	char *line = NULL;
	size_t room = 0;
	int number = 0, bad = 0;

	*b = (struct buddyinfo){0};
	while (!bad && getline(&line, &room, in) > 0) {
		number++;
		b->zones = alloc_grow(b->zones, b->count, sizeof(*b->zones));
		if (buddy_line(line, &b->zones[b->count]))
			bad = number;
		else
			b->count++;
	}
	free(line);
	return bad || b->count ? bad : 1;
}

void buddyinfo_free(struct buddyinfo *b)
{
	free(b->zones);
	*b = (struct buddyinfo){0};
}

uint64_t buddyinfo_pages(
	const struct buddyinfo *b, int node, int order, buddy_counts *counts, const void *arg)
{
	uint64_t pages = 0;

	for (size_t i = 0; i < b->count; i++) {
		const struct buddy_zone *z = &b->zones[i];

		if (z->node != node || (counts && !counts(arg, z)))
			continue;
		for (int o = order; o < z->norders; o++)
			pages += z->blocks[o] << o;
	}
	return pages;
}

int buddyinfo_orders(const struct buddyinfo *b, int node, uint64_t blocks[BUDDY_ORDERS])
{
	int norders = 0;

	memset(blocks, 0, BUDDY_ORDERS * sizeof(*blocks));
	for (size_t i = 0; i < b->count; i++) {
		const struct buddy_zone *z = &b->zones[i];

		if (z->node != node)
			continue;
		norders = z->norders > norders ? z->norders : norders;
		for (int o = 0; o < z->norders; o++)
			blocks[o] += z->blocks[o];
	}
	return norders;
}
