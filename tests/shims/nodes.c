/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A kernel with more nodes than this machine has: accepts every memory policy, and reports the
 * places of pages as a kernel that follows the policy. CPU n is on node n. Untouched pages stay
 * absent.
 *
 *   NODES_STRAY=NODE       the first page of every mapping is on NODE, whatever the policy
 *   NODES_STRAY_LATE=NODE  the same, but only from the second query of that page on
 *   NODES_STRAY_QUERY=N    the latter only in the N-th query
 *   NODES_STRAY_AFTER=N    both only for later mappings than the first N
 *   NODES_SWAP_LATE=yes    interleaved pages exchange nodes from the second query on
 */
#include <dlfcn.h>
#include <numa.h>
#include <numaif.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4096 /* mappings */

/* What mbind() was asked for a mapping; mappings are never removed here. */
struct mapping {
	char *from, *to;
	int mode;
	unsigned long nodes; /* the first 64 */
	int home;            /* without a policy; -1: not known yet */
	int asked;
	int times; /* queries of its first page */
};

static struct mapping mappings[MOST];
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

long mbind(void *from, unsigned long bytes, int mode, const unsigned long *nodes,
	unsigned long bits, unsigned flags)
{
	(void)bits;
	(void)flags;
	pthread_mutex_lock(&lock);
	if (count < MOST)
		mappings[count++] = (struct mapping){
			from, (char *)from + bytes, mode & 0xff, nodes ? *nodes : 0, -1, 0, 0};
	pthread_mutex_unlock(&lock);
	return 0;
}

long get_mempolicy(int *mode, unsigned long *nodes, unsigned long bits, void *at, unsigned flags)
{
	(void)at;
	if (mode)
		*mode = MPOL_DEFAULT;
	if (nodes)
		memset(nodes, 0, bits / 8);
	if (nodes && flags & MPOL_F_MEMS_ALLOWED)
		*nodes = ~0UL;
	return 0;
}

/* The newest mapping, because addresses are used again. */
static struct mapping *find(const char *page)
{
	for (int i = count; i-- > 0;)
		if (page >= mappings[i].from && page < mappings[i].to)
			return &mappings[i];
	return NULL;
}

static int interleaved(const struct mapping *m, size_t turn)
{
	turn %= (size_t)__builtin_popcountl(m->nodes);
	for (int node = 0;; node++)
		if (m->nodes >> node & 1 && turn-- == 0)
			return node;
}

static int stray(struct mapping *m)
{
	const char *always = getenv("NODES_STRAY"), *late = getenv("NODES_STRAY_LATE"),
		   *after = getenv("NODES_STRAY_AFTER"), *query = getenv("NODES_STRAY_QUERY");

	if (after && m - mappings < atoi(after))
		return -1;
	if (always)
		return atoi(always);
	m->asked++;
	return late && (query ? m->asked == atoi(query) : m->asked > 1) ? atoi(late) : -1;
}

static int node_of(const char *page)
{
	struct mapping *m = find(page);
	int node = m && page == m->from ? stray(m) : -1;

	if (node >= 0)
		return node;
	if (m && m->mode == MPOL_INTERLEAVE) {
		size_t turn = (size_t)(page - m->from) / 4096;

		m->times += page == m->from;
		return interleaved(m, m->times > 1 && getenv("NODES_SWAP_LATE") ? turn ^ 1 : turn);
	}
	if (m && m->nodes)
		return __builtin_ctzl(m->nodes);
	if (m && m->home < 0)
		m->home = sched_getcpu();
	return m ? m->home : sched_getcpu();
}

int numa_move_pages(
	int pid, unsigned long n, void **pages, const int *nodes, int *status, int flags)
{
	int (*real)(int, unsigned long, void **, const int *, int *, int) =
		(int (*)(int, unsigned long, void **, const int *, int *, int))dlsym(
			RTLD_NEXT, "numa_move_pages");
	int failed = real(pid, n, pages, nodes, status, flags);

	pthread_mutex_lock(&lock);
	for (unsigned long i = 0; i < n && !failed; i++)
		if (status[i] >= 0)
			status[i] = node_of(pages[i]);
	pthread_mutex_unlock(&lock);
	return failed;
}
