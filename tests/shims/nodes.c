/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A kernel with more nodes than this machine has: accepts every memory policy, and reports the
 * places of pages as a kernel that follows the policy. CPU n is on node n. Untouched pages stay
 * absent.
 *
 *   NODES_STRAY=NODE       the first page of every mapping is on NODE, whatever the policy; on none
 *                          with -2, as while it is moved
 *   NODES_STRAY_LATE=NODE  the same, but only from the second query of that page on
 *   NODES_STRAY_QUERY=N    the latter only in the N-th query
 *   NODES_STRAY_AFTER=N    both only for later mappings than the first N
 *   NODES_SWAP_LATE=yes    interleaved pages exchange nodes from the second query on
 *   NODES_ROOM=N           every node but 0 is full when N pages were moved to it
 *   NODES_BALANCED=NODE    pages that mbind() bound with MPOL_F_NUMA_BALANCING are on NODE
 *   NODES_POLICY=N         that of the process
 *   NODES_ALLOWED=MASK     the nodes that the process may use; all unless given
 *   NODES_REFUSES=CALL...  move_pages, mbind or both end with EPERM; /proc/self/numa_maps has the
 *                          counts all the same. Each refusal is a line of the file NODES_REFUSED.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <numa.h>
#include <numaif.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST 4096 /* mappings */

/* A mapping, and what mbind() was asked for it; mappings are never removed here. */
struct mapping {
	char *from, *to;
	int mode;
	unsigned long nodes; /* the first 64 */
	bool balanced;
	int home; /* without a policy; -1: not known yet */
	int asked;
	int times; /* queries of its first page */
};

static struct mapping mappings[MOST];
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Pages that were moved, by address. */
#define PLACES 65536
static struct place {
	char *page;
	int node;
} places[PLACES];
static int came[64]; /* pages that were moved to a node and are there */

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static struct place *place_of(const char *page)
{
	size_t at = (size_t)page / page_bytes() * 2654435761u % PLACES;

	while (places[at].page && places[at].page != page)
		at = (at + 1) % PLACES;
	return &places[at];
}

/* Pages that are mapped anew are where their policy has them. */
static void forget(char *from, char *to)
{
	for (struct place *p = places; p < places + PLACES; p++)
		if (p->page >= from && p->page < to)
			p->node = -1;
}

static bool refused(const char *call)
{
	const char *list = getenv("NODES_REFUSES"), *path = getenv("NODES_REFUSED");
	int file;

	if (!list || !strstr(list, call))
		return false;
	file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0644) : -1;
	if (file >= 0) {
		if (write(file, call, strlen(call)) < 0 || write(file, "\n", 1) < 0)
			abort();
		close(file);
	}
	errno = EPERM;
	return true;
}

/* The newest mapping, because addresses are used again. */
static struct mapping *find(const char *page)
{
	for (int i = count; i-- > 0;)
		if (page >= mappings[i].from && page < mappings[i].to)
			return &mappings[i];
	return NULL;
}

static int node_of(const char *page);

/* A move to where the page is needs no room. Returns whether the page is on the node now. */
static bool move_page(char *page, int node)
{
	const char *room = getenv("NODES_ROOM");
	struct place *p = place_of(page);

	if (node_of(page) == node)
		return true;
	if (room && node && came[node % 64] >= atoi(room))
		return false;
	if (p->page && p->node >= 0)
		came[p->node % 64]--;
	came[node % 64]++;
	*p = (struct place){page, node};
	return true;
}

static int move_range(char *from, char *to, int node)
{
	int left = 0;

	for (char *page = from; page < to; page += page_bytes())
		left += !move_page(page, node);
	return left;
}

long mbind(void *from, unsigned long bytes, int mode, const unsigned long *nodes,
	unsigned long bits, unsigned flags)
{
	int left = 0;

	(void)bits;
	if (refused("mbind"))
		return -1;
	pthread_mutex_lock(&lock);
	struct mapping *m = find(from);

	if (flags & MPOL_MF_MOVE) {
		left = move_range(from, (char *)from + bytes, __builtin_ctzl(*nodes));
		m = NULL;
	}

	if (m && m->from == from && m->to == (char *)from + bytes) {
		/* pages stay where they were bound to before */
		const char *balanced = m->balanced ? getenv("NODES_BALANCED") : NULL;
		const int home = nodes && *nodes ? -1
				 : balanced      ? atoi(balanced)
				 : m->nodes      ? __builtin_ctzl(m->nodes)
						 : m->home;

		if (mode & 1 << 13 && getenv("NODES_BALANCED"))
			forget(m->from, m->to); /* the kernel moves them once more */
		*m = (struct mapping){m->from, m->to, mode & 0xff, nodes ? *nodes : 0,
			mode & 1 << 13, home, 0, 0};
	}
	pthread_mutex_unlock(&lock);
	errno = EIO;
	return left && flags & MPOL_MF_STRICT ? -1 : 0;
}

long migrate_pages(int pid, unsigned long bits, const unsigned long *from, const unsigned long *to)
{
	(void)pid;
	(void)bits;
	pthread_mutex_lock(&lock);
	for (int i = 0; i < count; i++)
		for (char *page = mappings[i].from; page < mappings[i].to; page += page_bytes())
			if (find(page) == &mappings[i] && node_of(page) == __builtin_ctzl(*from))
				move_page(page, __builtin_ctzl(*to));
	pthread_mutex_unlock(&lock);
	return 0;
}

/* Pages of files lie as the mapping's policy has it, too: the driver gives both the same. */
long set_mempolicy(int mode, const unsigned long *nodes, unsigned long bits)
{
	(void)mode;
	(void)nodes;
	(void)bits;
	return 0;
}

/* A vector is mapped into address space that was reserved. */
void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset)
{
	void *base = (void *)syscall(SYS_mmap, at, length, protection, flags, fd, offset);

	if (base == MAP_FAILED || !(flags & MAP_FIXED) || (!(protection & PROT_WRITE) && fd < 0))
		return base;
	pthread_mutex_lock(&lock);
	forget(base, (char *)base + length);
	if (count < MOST)
		mappings[count++] = (struct mapping){
			base, (char *)base + length, MPOL_DEFAULT, 0, false, -1, 0, 0};
	pthread_mutex_unlock(&lock);
	return base;
}

long get_mempolicy(int *mode, unsigned long *nodes, unsigned long bits, void *at, unsigned flags)
{
	const char *policy = getenv("NODES_POLICY"), *allowed = getenv("NODES_ALLOWED");

	(void)at;
	if (mode)
		*mode = policy && !flags ? atoi(policy) : MPOL_DEFAULT;
	if (nodes)
		memset(nodes, 0, bits / 8);
	if (nodes && flags & MPOL_F_MEMS_ALLOWED)
		*nodes = allowed ? strtoul(allowed, NULL, 0) : ~0UL;
	return 0;
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
	const struct place *p = place_of(page);
	int node = m && page == m->from ? stray(m) : -1;

	if (node != -1)
		return node;
	if (p->page && p->node >= 0)
		return p->node;
	if (m && m->balanced && getenv("NODES_BALANCED"))
		return atoi(getenv("NODES_BALANCED"));
	if (m && m->mode == MPOL_INTERLEAVE) {
		size_t turn = (size_t)(page - m->from) / page_bytes();

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
	if (refused("move_pages"))
		return -1;
	/* that of libnuma would come back to move_pages() below */
	int failed = (int)syscall(SYS_move_pages, pid, n, pages, nodes, status, flags);

	pthread_mutex_lock(&lock);
	for (unsigned long i = 0; i < n && !failed; i++)
		if (status[i] >= 0)
			status[i] = node_of(pages[i]);
	pthread_mutex_unlock(&lock);
	return failed;
}

/* A full node ends the call, without statuses. */
long move_pages(int pid, unsigned long n, void **pages, const int *nodes, int *status, int flags)
{
	int left = 0;

	if (!nodes)
		return numa_move_pages(pid, n, pages, nodes, status, flags);
	pthread_mutex_lock(&lock);
	for (unsigned long i = 0; i < n; i++)
		left += !move_page(pages[i], nodes[i]);
	pthread_mutex_unlock(&lock);
	errno = ENOMEM;
	return left ? -1 : 0;
}

/* Pages that are copied come to the node of the thread that asks. */
int ioctl(int file, unsigned long request, ...)
{
	va_list rest;

	va_start(rest, request);
	struct uffdio_copy *copy = va_arg(rest, void *);

	va_end(rest);
	int failed = (int)syscall(SYS_ioctl, file, request, copy);
	char *to = request == UFFDIO_COPY && !failed ? (char *)(uintptr_t)copy->dst : NULL;

	pthread_mutex_lock(&lock);
	if (to)
		move_range(to, to + copy->len, sched_getcpu());
	pthread_mutex_unlock(&lock);
	return failed;
}

int getcpu(unsigned *cpu, unsigned *node)
{
	const unsigned here = (unsigned)sched_getcpu();

	if (cpu)
		*cpu = here;
	if (node)
		*node = here;
	return 0;
}

/* Deals the pages of a mapping out to nodes: pages that are present are its first ones. */
static void print_counts(FILE *out, struct mapping *m, unsigned long pages)
{
	unsigned long on[64] = {0};

	for (unsigned long i = 0; i < pages; i++) {
		const int node = node_of(m->from + page_bytes() * i);

		if (node >= 0)
			on[node % 64]++;
	}
	for (int node = 0; node < 64; node++)
		if (on[node])
			fprintf(out, " N%d=%lu", node, on[node]);
}

/* The line as the kernel has it, with the nodes that pages seem to be on. */
static void print_line(FILE *out, char *line)
{
	struct mapping *m = find((char *)strtoul(line, NULL, 16));
	char *counts = strstr(line, " N"), *rest = strstr(line, " kernelpagesize_kB");
	unsigned long pages = 0;

	if (!m || !counts || !rest) {
		fputs(line, out);
		return;
	}
	for (char *word = counts; word && word < rest; word = strstr(word + 1, " N"))
		pages += strtoul(strchr(word, '=') + 1, NULL, 10);
	fprintf(out, "%.*s", (int)(counts - line), line);
	print_counts(out, m, pages);
	fputs(rest, out);
}

static FILE *fake_numa_maps(FILE *kernels)
{
	FILE *out = tmpfile();
	char line[4096];

	pthread_mutex_lock(&lock);
	while (kernels && out && fgets(line, sizeof(line), kernels))
		print_line(out, line);
	pthread_mutex_unlock(&lock);
	if (kernels)
		fclose(kernels);
	if (out)
		rewind(out);
	return out;
}

FILE *fopen(const char *path, const char *mode)
{
	FILE *(*real)(const char *, const char *) =
		(FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");

	if (strcmp(path, "/proc/self/numa_maps") != 0)
		return real(path, mode);
	return fake_numa_maps(real(path, mode));
}
