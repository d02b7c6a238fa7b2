/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Deals the pages of a mapping out to nodes by weights: with weights 3 and 1, the first node gets
 * three units and the second one, again and again from the base on. A unit is a page, or a huge
 * one.
 *
 * Linux has a policy for this from 6.9 on (MPOL_WEIGHTED_INTERLEAVE), with turns like these; its
 * weights are those of the whole machine, and only root may set them. So pages are touched first
 * and moved then, which every kernel with move_pages() can do. Its turns begin at an address, not
 * at the first page of the mapping: also with the right weights no count of pages would be the
 * right one.
 */
#ifndef DEAL_H
#define DEAL_H

#include <signal.h>
#include <stddef.h>

#include "memory/mem.h"

/* weights[MEM_MAX_NODES]: 0: not this node; at least one is above 0. unit: a multiple of the base
 * page. */
struct deal {
	const unsigned *weights;
	size_t unit; /* bytes */
};

/* Moves every page of a mapping of zeros to its node. A page that cannot move stays: ask where
 * pages are afterwards (mem_find(), deal_expects()). Stops early when *stop is set. Meanwhile each
 * page has a byte that is not zero: where Linux 6.12 and later split a huge page, they map the
 * shared zero page in place of what holds only zeros, and that would then be on no node. */
void deal_pages(const struct mem *m, const struct deal *d, const volatile sig_atomic_t *stop);

/* How many base pages of the mapping are to be on the node. */
size_t deal_expects(const struct mem *m, const struct deal *d, int node);

/* The smallest whole weights[n], each 1 to DEAL_WEIGHT_MAX, that give every node its part of the
 * sum of parts[n], within DEAL_ERROR of all pages; where none do, those that miss it least. Small
 * weights are short turns, which a small vector has many of. parts[n]: finite, above 0. */
#define DEAL_WEIGHT_MAX 32
#define DEAL_ERROR      0.01
void deal_weights(const double *parts, size_t n, unsigned *weights);

#endif
