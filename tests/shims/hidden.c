/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Linux 6.1 while NUMA balancing watches pages: move_pages() denies them and moves none. A read by
 * the kernel (MADV_POPULATE_READ) makes such a page an ordinary one, and moves it to the node of
 * the thread, unless that has a policy. Before the shim `nodes`, which says where pages are: CPU n
 * is on node n there.
 *
 *   HIDDEN_EVERY=N        every N-th page
 */
#include <dlfcn.h>
#include <errno.h>
#include <numa.h>
#include <numaif.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define READ_BY_KERNEL 22 /* MADV_POPULATE_READ, which older headers lack */

#define MOST 65536 /* pages that were read */

static uintptr_t seen[MOST];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uintptr_t number_of(const void *page)
{
	return (uintptr_t)page / (uintptr_t)sysconf(_SC_PAGESIZE);
}

static uintptr_t *place_of(const void *page)
{
	size_t at = number_of(page) % MOST;

	while (seen[at] && seen[at] != number_of(page))
		at = (at + 1) % MOST;
	return &seen[at];
}

static bool is_hidden(const void *page)
{
	const char *every = getenv("HIDDEN_EVERY");

	return every && number_of(page) % strtoul(every, NULL, 10) == 0 && !*place_of(page);
}

static bool denied(const void *page)
{
	pthread_mutex_lock(&lock);
	const bool hidden = is_hidden(page);
	pthread_mutex_unlock(&lock);
	return hidden;
}

int numa_move_pages(
	int pid, unsigned long n, void **pages, const int *nodes, int *status, int flags)
{
	int (*next)(int, unsigned long, void **, const int *, int *, int) =
		(int (*)(int, unsigned long, void **, const int *, int *, int))dlsym(
			RTLD_NEXT, "numa_move_pages");
	int failed = 0;

	for (unsigned long i = 0; i < n && !failed; i++)
		if (denied(pages[i]))
			status[i] = -ENOENT;
		else
			failed = next(pid, 1, &pages[i], nodes, &status[i], flags);
	return failed;
}

static long next_move(void *page, const int *node, int *status, int flags)
{
	long (*next)(int, unsigned long, void **, const int *, int *, int) = (long (*)(int,
		unsigned long, void **, const int *, int *, int))dlsym(RTLD_NEXT, "move_pages");

	return next(0, 1, &page, node, status, flags);
}

long move_pages(int pid, unsigned long n, void **pages, const int *nodes, int *status, int flags)
{
	long failed = 0;

	(void)pid;
	for (unsigned long i = 0; i < n; i++)
		if (denied(pages[i]))
			status[i] = -ENOENT;
		else if (next_move(pages[i], nodes ? &nodes[i] : NULL, &status[i], flags) < 0)
			failed = -1;
	return failed;
}

/* Has the thread none? */
static bool no_policy(void)
{
	int mode = MPOL_DEFAULT;

	syscall(SYS_get_mempolicy, &mode, NULL, 0UL, NULL, 0UL);
	return mode == MPOL_DEFAULT;
}

int madvise(void *from, size_t bytes, int advice)
{
	char *end = (char *)from + bytes;
	int node = sched_getcpu(), status;

	for (char *page = from; advice == READ_BY_KERNEL && page < end;
		page += sysconf(_SC_PAGESIZE)) {
		const bool moves = denied(page) && no_policy();

		pthread_mutex_lock(&lock);
		*place_of(page) = number_of(page);
		pthread_mutex_unlock(&lock);
		if (moves)
			next_move(page, &node, &status, MPOL_MF_MOVE);
	}
	return (int)syscall(SYS_madvise, from, bytes, advice);
}
