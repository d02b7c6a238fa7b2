/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What mem.c wants to know before it maps: whether the nodes and pages of a request can be had at
 * all. */
#ifndef MEM_CHECK_H
#define MEM_CHECK_H

#include "memory/mem.h"

#define THP_DIR "/sys/kernel/mm/transparent_hugepage"

/* Each returns 0, or -1 with a message and a remedy. allowed[MEM_MAX_NODES]: by the cpuset. */
int mem_check_nodes(const struct mem_request *r, const bool *allowed, const char *what,
	struct place at, struct errors *e);
int mem_check_pages(const struct mem_request *r, size_t page_bytes, const char *what,
	struct place at, struct errors *e);

#endif
