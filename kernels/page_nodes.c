/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Asks with move_pages(). Linux 6.1 to 6.5 deny a page that NUMA balancing watches (mm/gup.c: its
 * entry has no access, so that the next access faults). Such a fault makes it an ordinary page
 * again, and may move it to the thread's node, but not where the thread has a policy
 * (mm/mempolicy.c, mpol_misplaced()). The driver, which must not touch vectors of others, counts
 * such pages in numa_maps, which has no single pages.
 */
#include "page_nodes.h"

#include <errno.h>
#include <numaif.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

#include "moved_pages.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

/* The next scan may come between the fault and the question. */
#define TRIES 3

/* A denied page that was never touched, or was written to a disk, is really absent. */
static bool is_hidden(void *page, int status)
{
	unsigned char there;

	return status == -ENOENT && !mincore(page, (size_t)sysconf(_SC_PAGESIZE), &there) &&
	       (there & 1);
}

static bool any_hidden(size_t n, void **pages, const int *status)
{
	bool any = false;

	for (size_t i = 0; i < n && !any; i++)
		any = is_hidden(pages[i], status[i]);
	return any;
}

/* A read by the kernel, which calls no handler of signals. Returns whether any was possible. */
static bool uncover(size_t n, void **pages, const int *status)
{
	const size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
	bool some = false;

	for (size_t i = 0; i < n; i++)
		if (is_hidden(pages[i], status[i]))
			some |= !madvise(pages[i], bytes, MADV_POPULATE_READ);
	return some;
}

static int ask(size_t n, void **pages, int *status)
{
	return move_pages(0, n, pages, NULL, status, 0) ? -1 : 0;
}

int page_nodes(size_t n, void **pages, int *status)
{
	unsigned long mask[MOVED_NODES / 8 / sizeof(unsigned long)] = {0};
	int mode;

	if (ask(n, pages, status))
		return -1;
	if (!any_hidden(n, pages, status))
		return 0;
	if (get_mempolicy(&mode, mask, MOVED_NODES, NULL, 0) ||
		set_mempolicy(MPOL_PREFERRED, NULL, 0))
		return -1;
	int failed = 0;

	for (int i = 0; i < TRIES && !failed && uncover(n, pages, status); i++)
		failed = ask(n, pages, status);
	return set_mempolicy(mode, mask, MOVED_NODES) ? -1 : failed;
}
