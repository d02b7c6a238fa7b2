/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asked by mem.c before it maps, and by a plan: can the nodes and pages of a request be had at all?
 */
#ifndef MEM_CHECK_H
#define MEM_CHECK_H

#include <stdint.h>

#include "base/error.h"
#include "memory/pages.h"

/* Pages of each node's pools that earlier vectors of a plan will have taken, and those that will
 * count for the limits of control groups; all 0 at first. */
struct mem_taken {
	uint64_t pages[MEM_POOLS][MEM_MAX_NODES]; /* as mem_pool_bytes */
	uint64_t counted[MEM_POOLS];
};

/* Each returns 0, or -1 with a message and a remedy. allowed[MEM_MAX_NODES]: the nodes that the
 * cpuset allows. taken: the pages are not there any more, and those of the request are added where
 * they can be had; NULL when all earlier vectors are in memory. */
int mem_check_nodes(const struct mem_request *r, const bool *allowed, const char *what,
	struct place at, struct errors *e);
int mem_check_pages(const struct mem_request *r, struct mem_taken *taken, const char *what,
	struct place at, struct errors *e);

/* The same for the limits of control groups to pages from pools. A page that only moves counts
 * once: not for its target. */
int mem_check_limits(const struct mem_request *r, struct mem_taken *taken, const char *what,
	struct place at, struct errors *e);

/* The largest piece that the first touch of a page can bring into memory of a mapping of so many
 * bytes: the huge page where the system gives transparent ones unasked, the pair that mthp_touch()
 * works on. */
size_t mem_touch_bytes(enum mem_pages pages, size_t bytes);

#endif
