/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine of eight nodes for the runtime: a folder in place of /sys, and calls that move pages in
 * an array, with the traps of Linux's own. Include it after cmocka.h. */
#ifndef SPM_FAKE_H
#define SPM_FAKE_H

#include <errno.h>
#include <ftw.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "spm/runtime.h"

enum { FAKE_NODES = 8, FAKE_CPUS_OF_NODE = 8, FAKE_PAGES = 40000 }; /* more than two calls take */

/* Nodes of pages. */
enum { ABSENT = -ENOENT, HOLE = -EFAULT };

/* What a page has against a move. */
enum obstacle { NONE, SHARED, HELD, IN_FLIGHT, LONGER_IN_FLIGHT, SEEMS_ABSENT, AGAIN, FREED };

static struct fake {
	pthread_mutex_t mutex;
	int node_of[FAKE_PAGES];
	int policy[FAKE_PAGES]; /* node that it is bound to, or -1 */
	enum obstacle obstacle[FAKE_PAGES];
	size_t room[FAKE_NODES]; /* pages that still fit */
	int binds, moves, queries;
	int refuses_bind; /* errno of every mbind(), or 0 */
} fake = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static char fake_root[4000];
static __thread int fake_runs_on;
static __thread struct spm_cpus fake_cpus;
static __thread bool fake_bound;

/* Nothing is there: the fake kernel never looks. */
static inline char *fake_address(size_t page, size_t offset)
{
	return (char *)(((uintptr_t)1 << 40) + page * (size_t)sysconf(_SC_PAGESIZE) + offset);
}

static inline size_t fake_page(const void *address)
{
	return ((uintptr_t)address - ((uintptr_t)1 << 40)) / (size_t)sysconf(_SC_PAGESIZE);
}

static inline int fake_node(void)
{
	return fake_runs_on;
}

/* Returns 0, or an errno. */
static inline int fake_move_page(size_t page, int to)
{
	if (fake.node_of[page] < 0 || fake.node_of[page] == to)
		return 0;
	/* another thread moves it: it can move the next time, or the one after that */
	if (fake.obstacle[page] > LONGER_IN_FLIGHT)
		return EBUSY;
	if (fake.obstacle[page] >= IN_FLIGHT) {
		fake.obstacle[page] = fake.obstacle[page] == IN_FLIGHT ? NONE : IN_FLIGHT;
		return EBUSY;
	}
	if (fake.obstacle[page])
		return fake.obstacle[page] == SHARED ? EACCES : EBUSY;
	if (!fake.room[to])
		return ENOMEM;
	fake.room[to]--;
	fake.room[fake.node_of[page]]++;
	fake.node_of[page] = to;
	return 0;
}

static inline int fake_bind_pages(size_t first, size_t end, enum spm_binding binding, int node)
{
	for (size_t p = first; p < end; p++)
		if (fake.node_of[p] == HOLE)
			return EFAULT;
	for (size_t p = first; p < end && binding == SPM_BIND_CHECK; p++)
		if (fake.node_of[p] >= 0 && fake.node_of[p] != node)
			return EIO;
	for (size_t p = first; p < end; p++) {
		fake.policy[p] = binding == SPM_BIND_NOT ? -1 : node;
		if (binding == SPM_BIND_MOVE)
			fake_move_page(p, node); /* mbind() does not say */
	}
	return 0;
}

static inline int fake_bind(void *base, size_t bytes, enum spm_binding binding, int node)
{
	size_t first = fake_page(base), end = fake_page((char *)base + bytes);
	int error;

	assert_int_equal((uintptr_t)base % (size_t)sysconf(_SC_PAGESIZE), 0);
	pthread_mutex_lock(&fake.mutex);
	fake.binds++;
	error = fake.refuses_bind ? fake.refuses_bind : fake_bind_pages(first, end, binding, node);
	pthread_mutex_unlock(&fake.mutex);
	errno = error ? error : errno;
	return error ? -1 : 0;
}

/* What only move_pages() is told of a page that another thread has in its hands: -errno, or 0. */
static inline int fake_meet(size_t page)
{
	enum obstacle o = fake.obstacle[page];

	if (o <= LONGER_IN_FLIGHT)
		return 0;
	fake.obstacle[page] = NONE;
	if (o == FREED)
		fake.node_of[page] = ABSENT;
	return o == AGAIN ? -EAGAIN : -ENOENT;
}

/* As Linux does: statuses stay unset when a page is held, or when the node is full. */
static inline long fake_move_pages(size_t n, void **pages, const int *nodes, int *status)
{
	long failed = 0;

	for (size_t i = 0; i < n; i++) {
		size_t page = fake_page(pages[i]);
		int met = fake_meet(page), error = met ? 0 : fake_move_page(page, nodes[i]);

		if (error == ENOMEM) {
			errno = ENOMEM;
			return -1;
		}
		failed += error == EBUSY;
		if (met || error == EACCES)
			status[i] = met ? met : -EACCES;
		else if (!failed)
			status[i] = fake.node_of[page];
	}
	return failed;
}

static inline long fake_move(size_t n, void **pages, const int *nodes, int *status)
{
	long result = 0;

	pthread_mutex_lock(&fake.mutex);
	if (nodes) {
		fake.moves++;
		result = fake_move_pages(n, pages, nodes, status);
	} else {
		fake.queries++;
		for (size_t i = 0; i < n; i++)
			status[i] = fake.node_of[fake_page(pages[i])];
	}
	pthread_mutex_unlock(&fake.mutex);
	return result;
}

static inline int fake_get_cpus(struct spm_cpus *cpus)
{
	if (!fake_bound)
		memset(&fake_cpus, 0xff, sizeof(fake_cpus));
	*cpus = fake_cpus;
	return 0;
}

/* A thread runs on the first of its CPUs from then on. */
static inline int fake_set_cpus(const struct spm_cpus *cpus)
{
	size_t cpu = 0;

	fake_cpus = *cpus;
	fake_bound = true;
	while (!spm_cpus_has(cpus, cpu))
		cpu++;
	fake_runs_on = (int)cpu / FAKE_CPUS_OF_NODE;
	return 0;
}

static const struct spm_system fake_system = {
	fake_node, fake_bind, fake_move, fake_get_cpus, fake_set_cpus};

/* The file root/name with one line; its folders are made. */
static inline void fake_file(const char *name, const char *line)
{
	char path[4200];

	snprintf(path, sizeof(path), "%s/%s", fake_root, name);
	for (char *slash = path + strlen(fake_root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fprintf(f, "%s\n", line);
	fclose(f);
}

static inline void fake_cache(
	const char *folder, const char *level, const char *type, const char *size, const char *cpus)
{
	const char *lines[][2] = {
		{"level", level}, {"type", type}, {"size", size}, {"shared_cpu_list", cpus}};
	char name[128];

	for (size_t i = 0; i < 4; i++) {
		snprintf(name, sizeof(name), "cpu/cpu0/cache/%s/%s", folder, lines[i][0]);
		fake_file(name, lines[i][1]);
	}
}

/* The machine of the dissertation: eight nodes of eight cores; two cores share an L2 cache, eight
 * an L3 cache. */
static inline int fake_machine(void **state)
{
	const char *folder = getenv("TMPDIR");
	char name[64], cpus[64];

	(void)state;
	snprintf(fake_root, sizeof(fake_root), "%s/affinity-spm-XXXXXX",
		folder && *folder ? folder : "/tmp");
	if (!mkdtemp(fake_root))
		return -1;
	fake_file("node/online", "0-7");
	for (int n = 0; n < FAKE_NODES; n++) {
		snprintf(name, sizeof(name), "node/node%d/cpulist", n);
		snprintf(cpus, sizeof(cpus), "%d-%d", n * FAKE_CPUS_OF_NODE,
			n * FAKE_CPUS_OF_NODE + FAKE_CPUS_OF_NODE - 1);
		fake_file(name, cpus);
	}
	fake_cache("index0", "1", "Data", "16K", "0");
	fake_cache("index1", "1", "Instruction", "64K", "0-1");
	fake_cache("index2", "2", "Unified", "2048K", "0-1");
	fake_cache("index3", "3", "Unified", "6144K", "0-7");
	return 0;
}

static inline int fake_remove(const char *path, const struct stat *s, int type, struct FTW *where)
{
	(void)s;
	(void)type;
	(void)where;
	return remove(path);
}

static inline int fake_free(void **state)
{
	(void)state;
	return nftw(fake_root, fake_remove, 16, FTW_DEPTH | FTW_PHYS);
}

/* All pages on node 0, room for all of them on each node, the thread on node 1. */
static inline int fake_reset(void **state)
{
	(void)state;
	for (size_t p = 0; p < FAKE_PAGES; p++) {
		fake.node_of[p] = 0;
		fake.policy[p] = -1;
		fake.obstacle[p] = NONE;
	}
	for (int n = 0; n < FAKE_NODES; n++)
		fake.room[n] = FAKE_PAGES;
	fake.binds = fake.moves = fake.queries = fake.refuses_bind = 0;
	fake_runs_on = 1;
	fake_bound = false;
	return 0;
}

/* A runtime that accepts every range, on the fake machine. */
static inline struct spm_config fake_eager(void)
{
	struct spm_config c;

	spm_config_default(&c);
	c.reuse_threshold = 0;
	c.size_test = false;
	return c;
}

static inline struct spm *fake_init(const struct spm_config *c)
{
	char message[256];
	struct spm *s = spm_init_on(c, &fake_system, fake_root, message, sizeof(message));

	if (!s)
		fail_msg("%s", message);
	return s;
}

#endif
