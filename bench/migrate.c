/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the kernel migrate adds to the system's calls: 1 GiB to another node and, untimed, back, by
 * the kernel and by move_pages() and mbind() by hand, in turns. With one node: calls for pages that
 * are there. Prints times and ratios, without a verdict.
 */
#include <numa.h>
#include <numaif.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "statistics/stats.h"
#include "input/param.h"
#include "input/registry.h"
#include "memory/pages.h"

enum { TURNS = 15, BY_KERNEL = 0, BY_HAND = 1 };

static const size_t bytes = (size_t)1 << 30;

struct bench {
	const struct kernel *kernel;
	struct vector vector;
	struct worker worker;
	char args[256];
	void **pages;
	int *nodes, *status;
	size_t n;
};

static void stop(const char *why)
{
	fprintf(stderr, "bench/migrate: %s\n", why);
	exit(1);
}

/* Another node with memory, or the same one. */
static int other_node(int home)
{
	for (int node = 0; node <= numa_max_node(); node++)
		if (node != home && numa_node_size64(node, NULL) > (long long)bytes)
			return node;
	return home;
}

static void begin(struct bench *b, const char *mover, char *base, int home, int target)
{
	struct errors e = {0};

	*b = (struct bench){.kernel = registry_find("migrate"), .n = bytes / mem_base_page()};
	b->vector = (struct vector){.base = base,
		.elements = bytes,
		.element_size = 1,
		.type = TYPE_CHAR,
		.node = home,
		.users = 1,
		.target = target,
		.page_bytes = mem_base_page()};
	b->worker = (struct worker){
		.workers = 1, .vectors = &b->vector, .nvectors = 1, .args = b->args};
	param_defaults(b->kernel->params, b->args);
	if (param_set(param_find(b->kernel->params, "mover"), b->args, mover, NOWHERE, &e))
		stop("no such mover");
	if (b->kernel->share(&b->worker) || b->kernel->setup(&b->worker))
		stop("the kernel's setup failed");
	b->pages = calloc(b->n, sizeof(*b->pages));
	b->nodes = calloc(b->n, sizeof(*b->nodes));
	b->status = calloc(b->n, sizeof(*b->status));
	if (!b->pages || !b->nodes || !b->status)
		stop("no memory");
	for (size_t i = 0; i < b->n; i++) {
		b->pages[i] = base + i * mem_base_page();
		b->nodes[i] = target;
	}
}

static void end(struct bench *b)
{
	b->kernel->teardown(&b->worker);
	b->kernel->unshare(&b->worker);
	free(b->pages);
	free(b->nodes);
	free(b->status);
}

static void by_hand(struct bench *b, const char *mover)
{
	unsigned long mask[MEM_MAX_NODES / 8 / sizeof(unsigned long)] = {0};
	const size_t node = (size_t)b->vector.target, bits = 8 * sizeof(*mask);

	mask[node / bits] = 1UL << node % bits;
	if (!strcmp(mover, "move_pages"))
		move_pages(0, b->n, b->pages, b->nodes, b->status, MPOL_MF_MOVE);
	else
		mbind(b->vector.base, bytes, MPOL_BIND, mask, MEM_MAX_NODES, MPOL_MF_MOVE);
}

static double once(struct bench *b, const char *mover, int who)
{
	char why[256];

	if (b->kernel->reset(&b->worker, why, sizeof(why)))
		stop(why);
	uint64_t t = clock_ns();

	if (who == BY_KERNEL)
		b->kernel->run(&b->worker, 1);
	else
		by_hand(b, mover);
	return (double)(clock_ns() - t) * 1e-6;
}

static void print(const char *what, const char *mover, const double *ms, struct stats *s)
{
	stats_of(ms, TURNS, 0.95, s);
	printf("  %-10s %-12s %10.3f ms median, %.3f .. %.3f of %d\n", mover, what, s->median,
		s->min, s->max, TURNS);
}

static void compare(const char *mover, char *base, int home, int target)
{
	double ms[2][TURNS];
	struct stats kernel, hand;
	struct bench b;

	begin(&b, mover, base, home, target);
	once(&b, mover, BY_KERNEL); /* both have met the vector and their lists before they count */
	once(&b, mover, BY_HAND);
	for (int i = 0; i < 2 * TURNS; i++) {
		const int who = (i ^ i / 2) & 1; /* each is the first of every other turn */

		ms[who][i / 2] = once(&b, mover, who);
	}
	print("the kernel", mover, ms[BY_KERNEL], &kernel);
	print("by hand", mover, ms[BY_HAND], &hand);
	printf("  %-10s speed of the kernel by that of the call: %.3f; goal: at least 0.98\n",
		mover, hand.median / kernel.median);
	end(&b);
}

int main(void)
{
	char *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int home = -1;

	if (base == MAP_FAILED || madvise(base, bytes, MADV_NOHUGEPAGE))
		stop("no memory");
	memset(base, 1, bytes);
	if (get_mempolicy(&home, NULL, 0, base, MPOL_F_NODE | MPOL_F_ADDR))
		stop("the node of its pages is not told");
	int target = other_node(home);

	printf("migrate, 1 GiB in pages of %zu KiB%s:\n", mem_base_page() >> 10,
		target == home ? ", which are there: there is no second node" : "");
	compare("move_pages", base, home, target);
	compare("mbind", base, home, target);
	return 0;
}
