/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asked by mem.c before it maps: can the nodes and pages of a request be had at all? */
#ifndef MEM_CHECK_H
#define MEM_CHECK_H

#include "base/error.h"
#include "memory/pages.h"

/* Each returns 0, or -1 with a message and a remedy. allowed[MEM_MAX_NODES]: the nodes that the
 * cpuset allows. */
int mem_check_nodes(const struct mem_request *r, const bool *allowed, const char *what,
	struct place at, struct errors *e);
int mem_check_pages(const struct mem_request *r, size_t page_bytes, const char *what,
	struct place at, struct errors *e);

#endif
