/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Linux 6.1 to 6.5 deny a page that NUMA balancing watches (mm/gup.c: its entry has no access, so
 * that the next access faults). Such a fault makes it an ordinary page again, and may move it to
 * the thread's node, but not where the thread has a policy (mm/mempolicy.c, mpol_misplaced()). The
 * driver, which must not touch vectors of others, counts such pages in numa_maps, which has no
 * single pages. The calls are the kernel's own, since programs of others have no libnuma.
 */
#include "contract/hidden_pages.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mempolicy.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

/* The next scan may come between the fault and the question. */
#define TRIES 3

/* The kernel refuses a mask that is shorter than its own, and has 1024 nodes at most. */
#define NODES 1024

/* Pages in one question for those that are present. */
#define RUN 512

/* Of an entry of /proc/self/pagemap: this process has the page, watched or not. mincore() would say
 * of a file's page whether anyone has it. */
#define PRESENT (UINT64_C(1) << 63)

/* How many denied pages lie one after another from page i on, up to RUN. */
static size_t denied(size_t n, void **pages, const int *status, size_t i, size_t bytes)
{
	size_t run = 0;

	while (i + run < n && run < RUN && status[i + run] == -ENOENT &&
		(uintptr_t)pages[i + run] == (uintptr_t)pages[i] + run * bytes)
		run++;
	return run;
}

/* A denied page that was never touched, or was written to a disk, is really absent. Others are read
 * by the kernel, which calls no handler of signals, if that is asked for. Returns whether there are
 * any (that could be read). */
static bool find_hidden(int pagemap, size_t n, void **pages, const int *status, bool read)
{
	const size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
	uint64_t entries[RUN];
	bool any = false;

	for (size_t i = 0, run; i < n; i += run ? run : 1) {
		run = denied(n, pages, status, i, bytes);
		const size_t size = run * sizeof(*entries);

		if (!run || pread(pagemap, entries, size,
				    (off_t)((uintptr_t)pages[i] / bytes * sizeof(*entries))) !=
				    (ssize_t)size)
			continue;
		for (size_t k = 0; k < run; k++)
			if (entries[k] & PRESENT)
				any |= !read || !madvise(pages[i + k], bytes, MADV_POPULATE_READ);
	}
	return any;
}

static int find_again(int pagemap, hidden_pages_ask *ask, size_t n, void **pages, int *status)
{
	unsigned long mask[NODES / 8 / sizeof(unsigned long)] = {0};
	int mode;

	if (!find_hidden(pagemap, n, pages, status, false))
		return 0;
	if (syscall(SYS_get_mempolicy, &mode, mask, NODES, NULL, 0UL) ||
		syscall(SYS_set_mempolicy, MPOL_PREFERRED, NULL, 0UL))
		return -1;
	int failed = 0;

	for (int i = 0; i < TRIES && !failed && find_hidden(pagemap, n, pages, status, true); i++)
		failed = ask(n, pages, status);
	return syscall(SYS_set_mempolicy, mode, mask, NODES) ? -1 : failed;
}

int hidden_pages_find(hidden_pages_ask *ask, size_t n, void **pages, int *status)
{
	if (ask(n, pages, status))
		return -1;
	bool denied_any = false;

	for (size_t i = 0; i < n && !denied_any; i++)
		denied_any = status[i] == -ENOENT;
	const int pagemap = denied_any ? open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC) : -1;

	if (pagemap < 0)
		return 0;
	const int failed = find_again(pagemap, ask, n, pages, status);

	close(pagemap);
	return failed;
}
