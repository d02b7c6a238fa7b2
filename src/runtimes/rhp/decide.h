/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many bytes come from which node: pure functions of numbers that others read. */
#ifndef RHP_DECIDE_H
#define RHP_DECIDE_H

#include "hugepages/buddyinfo.h"
#include "hugepages/zoneinfo.h"
#include "rhp/rhp.h"

struct rhp_node {
	int id;
	int distance;        /* from the caller's node */
	uint64_t free_bytes; /* in huge blocks, and promised to nothing */
};

/* Pages of a zone in blocks of `order` and larger that programs get as huge pages. The kernel stops
 * at the high watermark and keeps what it protects; where the smaller blocks do not cover both,
 * huge ones must. limits NULL: not known, all of them. */
uint64_t rhp_usable(const struct buddy_zone *zone, const struct zone_limits *limits, int order);

/* Sorts by distance; of equal ones the smaller number comes first. */
void rhp_sort(struct rhp_node *nodes, size_t n);

/* Deals out bytes to sorted nodes, whole huge pages each; what is less than a huge page at the end
 * goes to the last part. parts[n + 1]: the last one may be the rest, node -1. Returns how many. */
size_t rhp_decide(const struct rhp_node *nodes, size_t n, uint64_t bytes, uint64_t huge,
	struct rhp_part *parts);

/* Deals out bytes in turns: each node gets as many units as its weight says, spread over the turn,
 * so that a part of a turn has nearly the same shares. A unit is a huge page, or so many of them
 * that there are at most RHP_NODES parts. *turn is where in a turn, in units, the last call ended,
 * so that small requests one after another follow the weights as a large one does.
 * weights[RHP_NODES]; parts[RHP_NODES + 1]. Returns how many; 0: all weights are 0. */
size_t rhp_deal(const unsigned char *weights, uint64_t bytes, uint64_t huge, size_t *turn,
	struct rhp_part *parts);

#endif
