/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each policy does with the vectors. */
#include "touch.h"

#include <errno.h>
#include <numaif.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "balancing.h"
#include "protect.h"
#include "userfault.h"
#include "wait.h"

#ifndef MPOL_F_NUMA_BALANCING
#define MPOL_F_NUMA_BALANCING (1 << 13)
#endif

/* A mask of nodes, as mbind() takes it. */
struct nodes {
	unsigned long bits[MOVED_NODES / 8 / sizeof(unsigned long)];
};

enum { IDLE, BUSY, READY };

struct touch {
	const struct way *way;
	struct moved_pages *pages;
	void **units; /* [n]: of ways that open vectors */
	int n;
	struct nodes nodes; /* on which this process may have memory */
	bool switches, on;  /* NUMA balancing */
	atomic_int state;
	int failed; /* errno of making the vectors ready; 0: they were */
};

struct way {
	bool balanced;       /* needs NUMA balancing */
	const char *no_pool; /* why pages of a pool are refused; NULL: they are not */
	const char *(*lacks)(const struct nodes *nodes, char *why, size_t n);
	const char *(*open)(struct touch *t, int vector); /* NULL: there is nothing to open */
	/* 0, or -1 and errno. */
	int (*begin)(struct touch *t, int vector);
	int (*end)(struct touch *t, int vector);    /* NULL: there is nothing to end, */
	void (*close)(struct touch *t, int vector); /* to close, */
	struct touch_counts (*count)(const struct touch *t, int vector); /* to count */
};

/* 0, or -1 and errno. */
static int allowed_nodes(struct nodes *nodes)
{
	memset(nodes, 0, sizeof(*nodes));
	return get_mempolicy(NULL, nodes->bits, MOVED_NODES, NULL, MPOL_F_MEMS_ALLOWED) ? -1 : 0;
}

static bool several(const struct nodes *nodes)
{
	int count = 0;

	for (size_t i = 0; i < sizeof(nodes->bits) / sizeof(nodes->bits[0]); i++)
		count += __builtin_popcountl(nodes->bits[i]);
	return count > 1;
}

static int bind_balanced(void *base, size_t bytes, const struct nodes *nodes)
{
	return mbind(base, bytes, MPOL_BIND | MPOL_F_NUMA_BALANCING, nodes->bits, MOVED_NODES, 0)
		       ? -1
		       : 0;
}

/* Does the kernel take the flag for a mapping? */
static const char *kernel_lacks(const struct nodes *nodes, char *why, size_t n)
{
	const size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
	void *page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int failed;

	if (page == MAP_FAILED)
		failed = errno;
	else
		failed = bind_balanced(page, bytes, nodes) ? errno : 0;
	if (page != MAP_FAILED)
		munmap(page, bytes);
	if (!failed)
		return NULL;
	snprintf(why, n, "mbind with MPOL_F_NUMA_BALANCING is refused (Linux 5.12 has it): %s",
		strerror(failed));
	return why;
}

static int kernel_begin(struct touch *t, int vector)
{
	const struct moved_pages *p = &t->pages[vector];

	return bind_balanced(p->base, p->bytes, &t->nodes);
}

/* Pages of a mapping without a policy have that of the process. */
static const char *autonuma_lacks(const struct nodes *nodes, char *why, size_t n)
{
	int mode = MPOL_DEFAULT;

	(void)nodes;
	if (get_mempolicy(&mode, NULL, 0, NULL, 0) || mode == MPOL_DEFAULT)
		return NULL;
	snprintf(why, n,
		"this process was started with a memory policy, and NUMA balancing leaves its "
		"pages alone: start it without numactl");
	return why;
}

static int autonuma_begin(struct touch *t, int vector)
{
	const struct moved_pages *p = &t->pages[vector];

	return mbind(p->base, p->bytes, MPOL_DEFAULT, NULL, 0, 0) ? -1 : 0;
}

static const char *opened(const struct touch *t, int vector)
{
	return t->units[vector] ? NULL : "no memory, or too many vectors at once";
}

static const char *protect_open(struct touch *t, int vector)
{
	t->units[vector] = protect_make(&t->pages[vector]);
	return opened(t, vector);
}

static int protect_begin(struct touch *t, int vector)
{
	return protect_arm(t->units[vector]);
}

static int protect_end(struct touch *t, int vector)
{
	return protect_disarm(t->units[vector]);
}

static void protect_close(struct touch *t, int vector)
{
	protect_free(t->units[vector]);
}

static struct touch_counts protect_count(const struct touch *t, int vector)
{
	const struct protect *p = t->units[vector];

	return (struct touch_counts){(double)protect_touched(p), (double)protect_missed(p)};
}

static const char *machine_lacks(const struct nodes *nodes, char *why, size_t n)
{
	(void)nodes;
	return userfault_lacks(why, n);
}

static const char *userfault_open(struct touch *t, int vector)
{
	t->units[vector] = userfault_make(&t->pages[vector]);
	return opened(t, vector);
}

static int userfault_begin(struct touch *t, int vector)
{
	return userfault_arm(t->units[vector]);
}

static int userfault_end(struct touch *t, int vector)
{
	return userfault_disarm(t->units[vector]);
}

static void userfault_close(struct touch *t, int vector)
{
	userfault_free(t->units[vector]);
}

static struct touch_counts userfault_count(const struct touch *t, int vector)
{
	const struct userfault *u = t->units[vector];

	return (struct touch_counts){(double)userfault_touched(u), (double)userfault_missed(u)};
}

static const struct way ways[] = {
	[TOUCH_KERNEL] = {.balanced = true,
		.no_pool = "NUMA balancing moves no pages of a pool",
		.lacks = kernel_lacks,
		.begin = kernel_begin},
	[TOUCH_AUTONUMA] = {.balanced = true,
		.no_pool = "NUMA balancing moves no pages of a pool",
		.lacks = autonuma_lacks,
		.begin = autonuma_begin},
	[TOUCH_PROTECT] = {.open = protect_open,
		.begin = protect_begin,
		.end = protect_end,
		.close = protect_close,
		.count = protect_count},
	[TOUCH_USERFAULT] = {.no_pool = "userfaultfd copies no pages of a pool here",
		.lacks = machine_lacks,
		.open = userfault_open,
		.begin = userfault_begin,
		.end = userfault_end,
		.close = userfault_close,
		.count = userfault_count},
};

const char *touch_lacks(enum touch_way way, bool switches, char *why, size_t n)
{
	struct nodes nodes;

	if (allowed_nodes(&nodes))
		snprintf(why, n, "get_mempolicy does not tell the nodes of this process: %s",
			strerror(errno));
	else if (!several(&nodes))
		snprintf(why, n,
			"pages move between nodes, and this process may use memory of one only");
	else if (ways[way].balanced && balancing_lacks(switches, why, n))
		return why;
	else
		return ways[way].lacks ? ways[way].lacks(&nodes, why, n) : NULL;
	return why;
}

static const char *pool_pages(const struct touch *t, char *why, size_t n)
{
	for (int k = 0; t->way->no_pool && k < t->n; k++) {
		if (t->pages[k].page_bytes <= (size_t)sysconf(_SC_PAGESIZE))
			continue;
		snprintf(why, n, "%s: pagesPerVector: base, or thp", t->way->no_pool);
		return why;
	}
	return NULL;
}

const char *touch_open(struct touch **made, enum touch_way way, bool switches,
	struct moved_pages *pages, int n, char *why, size_t size)
{
	struct touch *t = *made = calloc(1, sizeof(*t));

	if (!t)
		return "no memory";
	t->way = &ways[way];
	t->pages = pages;
	t->units = calloc((size_t)n, sizeof(*t->units));
	if (!t->units)
		return "no memory";
	t->n = n;
	if (allowed_nodes(&t->nodes)) {
		snprintf(why, size, "get_mempolicy: %s", strerror(errno));
		return why;
	}
	if (pool_pages(t, why, size))
		return why;
	for (int k = 0; t->way->open && k < n; k++) {
		const char *wrong = t->way->open(t, k);

		if (wrong)
			return wrong;
	}
	if (!switches || !t->way->balanced || !balancing_lacks(false, why, size))
		return NULL;
	t->switches = !balancing_open(why, size);
	return t->switches ? NULL : why;
}

void touch_close(struct touch *t)
{
	if (!t)
		return;
	touch_end(t);
	if (t->switches)
		balancing_close();
	for (int k = 0; t->way->close && k < t->n; k++)
		t->way->close(t, k);
	free(t->units);
	free(t);
}

const char *touch_ready(struct touch *t, char *why, size_t n)
{
	touch_end(t);
	if (t->failed) {
		snprintf(why, n, "its vectors could not be made ready: %s", strerror(t->failed));
		return why;
	}
	if (!t->switches)
		return NULL;
	t->on = !balancing_on(why, n);
	return t->on ? NULL : why;
}

void touch_begin(struct touch *t)
{
	unsigned spins = 0;
	int idle = IDLE;

	if (!atomic_compare_exchange_strong(&t->state, &idle, BUSY)) {
		while (atomic_load(&t->state) != READY)
			wait_moment(&spins);
		return;
	}
	for (int k = 0; k < t->n; k++)
		if (t->way->begin(t, k))
			t->failed = errno;
	atomic_store(&t->state, READY);
}

/* Linux 6.1 calls pages absent that NUMA balancing has marked, also in the samples of other runs,
 * and moves none of them: no count would be right, and they would not go home. A read takes the
 * mark away. Under the policy "local" no page is marked again, and a read moves none. */
static int unmark(const struct moved_pages *p)
{
	if (mbind(p->base, p->bytes, MPOL_PREFERRED, NULL, 0, 0))
		return -1;
	for (size_t at = 0; at < p->bytes; at += p->page_bytes)
		(void)*(volatile const char *)(p->base + at);
	return 0;
}

void touch_end(struct touch *t)
{
	const bool begun = atomic_load(&t->state) != IDLE;

	if (t->on)
		balancing_off();
	t->on = false;
	for (int k = 0; begun && t->way->balanced && k < t->n; k++)
		if (unmark(&t->pages[k]))
			t->failed = errno;
	for (int k = 0; t->way->end && k < t->n; k++)
		if (t->units[k] && t->way->end(t, k))
			t->failed = errno;
	atomic_store(&t->state, IDLE);
}

struct touch_counts touch_counts(const struct touch *t)
{
	struct touch_counts c = {0};

	for (int k = 0; t->way->count && k < t->n; k++) {
		const struct touch_counts of = t->way->count(t, k);

		c.moved += of.moved;
		c.missed += of.missed;
	}
	return c;
}
