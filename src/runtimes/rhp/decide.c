/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rule of the thesis's malloc_with_huge_pages(), which ends for every input. */
#include "rhp/decide.h"

#include <stdbool.h>

static uint64_t above(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

uint64_t rhp_usable(const struct buddy_zone *zone, const struct zone_limits *limits, int order)
{
	uint64_t all = 0, huge = 0;

	for (int o = 0; o < zone->norders; o++) {
		all += zone->blocks[o] << o;
		huge += o >= order ? zone->blocks[o] << o : 0;
	}
	if (!limits)
		return huge;
	return above(huge, above(limits->high + limits->protection, all - huge));
}

static bool comes_before(const struct rhp_node *a, const struct rhp_node *b)
{
	return a->distance != b->distance ? a->distance < b->distance : a->id < b->id;
}

/* By insertion: nodes are few, and qsort() may allocate. */
void rhp_sort(struct rhp_node *nodes, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct rhp_node node = nodes[i];
		size_t at = i;

		for (; at && comes_before(&node, &nodes[at - 1]); at--)
			nodes[at] = nodes[at - 1];
		nodes[at] = node;
	}
}

size_t rhp_decide(const struct rhp_node *nodes, size_t n, uint64_t bytes, uint64_t huge,
	struct rhp_part *parts)
{
	uint64_t left = bytes / huge * huge, tail = bytes - left;
	size_t count = 0;

	for (size_t i = 0; i < n && left; i++) {
		uint64_t has = nodes[i].free_bytes / huge * huge;
		uint64_t take = has < left ? has : left;

		if (take)
			parts[count++] = (struct rhp_part){nodes[i].id, take};
		left -= take;
	}
	if (left || !count)
		parts[count++] = (struct rhp_part){-1, left};
	parts[count - 1].bytes += tail;
	return count;
}
