/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pushes pages off the lists of CPUs, one CPU after the other. */
#include "affinity-frag/mend.h"

#include <numaif.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "base/linux.h"
#include "memory/cgroup.h"
#include "affinity-frag/pins.h"

#define MAX_ROUNDS 8

/* Huge pages that stay small show that the node has no more; the first ones may only have made the
 * kernel compact it. */
#define MAX_MISSES 4

/* Blocks that the control group must still allow before one more is taken. */
#define LIMIT_BLOCKS 32

/* Between two looks at lists that become shorter, and how many of these. */
#define LOOK_MS   600
#define MAX_LOOKS 12

struct mending {
	const struct node *node;
	uint64_t goal;
	int (*stop)(void);
	struct errors *e;
	uint64_t per_block; /* base pages */
	int first;          /* the CPU that the rounds begin with */
	unsigned long allowed[LINUX_MASK_WORDS];
};

static bool stopped(const struct mending *m)
{
	return m->stop && m->stop();
}

/* Other programs of the control group may take memory meanwhile. */
static bool may_take(const struct mending *m, struct node_free *f)
{
	const struct node *n = m->node;

	return !stopped(m) && !node_read(n, f, m->e) && f->all >= n->margin + 2 * m->per_block &&
	       cgroup_memory_left(CGROUP_SELF) >= LIMIT_BLOCKS * n->huge;
}

/* Huge pages, while the node keeps its margin; split, if they are to push pages off a list. */
static void take_blocks(struct mending *m, char *base, int blocks, bool split)
{
	const struct node *n = m->node;
	int taken = 0, misses = 0;
	struct node_free f;

	while (taken < blocks && misses < MAX_MISSES) {
		char *block = base + (size_t)taken * n->huge;

		if (!may_take(m, &f))
			break;
		if (pins_take(n, block) && !(split && pins_split(n, block))) {
			taken++;
			continue;
		}
		madvise(block, n->huge, MADV_DONTNEED);
		misses++;
	}
}

static int push(struct mending *m, uint64_t blocks, bool split)
{
	const struct node *n = m->node;
	char *map, *base = pins_map(n, (int)blocks, MPOL_BIND, &map, m->e);

	if (!base)
		return -1;
	take_blocks(m, base, (int)blocks, split);
	munmap(map, (blocks + 1) * n->huge);
	return 0;
}

static int go_to(int cpu)
{
	unsigned long one[LINUX_MASK_WORDS] = {0};

	CPU_SET_S((size_t)cpu, sizeof(one), (cpu_set_t *)one);
	return sched_setaffinity(0, sizeof(one), (cpu_set_t *)one);
}

static uint64_t list_room(const struct mending *m, int cpu)
{
	struct zoneinfo z = node_limits();
	uint64_t room = zoneinfo_room(&z, m->node->id, cpu);

	zoneinfo_free(&z);
	return room;
}

/* Free pages in blocks that are less than half a huge page. */
static uint64_t pieces(const struct mending *m, const struct node_free *f)
{
	uint64_t pages = 0;

	for (int order = 0; order < m->node->order - 1 && order < f->norders; order++)
		pages += f->blocks[order] << order;
	return pages;
}

/* Pages one by one: the kernel gives those of this CPU's list first, then the smallest pieces.
 * Freed in the same order, those of the largest pieces stay on the list, a few blocks. */
static void take_pages(struct mending *m, char *base, uint64_t pages)
{
	const uint64_t room = list_room(m, m->first);
	uint64_t left = pages;
	struct node_free f;

	for (uint64_t i = 0; i < pages && left; i++, left--) {
		if (i % m->per_block == 0) {
			if (!may_take(m, &f))
				return;
			if (left > room && pieces(m, &f) < m->per_block)
				left = room;
		}
		*(volatile char *)(base + i * m->node->base) = 1;
	}
}

/* What is free in huge pages is held meanwhile, or none of a lower zone would be given. */
static int push_pages(struct mending *m)
{
	const struct node *n = m->node;
	char *map, *base, *held, *first;
	struct node_free f;

	if (node_read(n, &f, m->e))
		return -1;
	const uint64_t huge = f.huge / m->per_block, all = f.all / m->per_block;

	first = pins_map(n, (int)huge, MPOL_BIND, &held, m->e);
	base = first ? pins_map(n, (int)all, MPOL_BIND, &map, m->e) : NULL;
	if (first)
		take_blocks(m, first, (int)huge, true);
	if (base) {
		madvise(map, (all + 1) * n->huge, MADV_NOHUGEPAGE);
		take_pages(m, base, all * m->per_block);
		munmap(map, (all + 1) * n->huge);
	}
	if (first)
		munmap(held, (huge + 1) * n->huge);
	return base ? 0 : -1;
}

/* As many as can replace all of a list. */
static int push_list(struct mending *m, int cpu)
{
	return push(m, list_room(m, cpu) / m->per_block + 2, true);
}

/* The last means: more than all, so that the kernel compacts what is left. */
static int push_all(struct mending *m)
{
	struct node_free f;

	if (node_read(m->node, &f, m->e))
		return -1;
	return push(m, f.huge / m->per_block + MAX_MISSES, false);
}

static bool may_use(const struct mending *m, int cpu)
{
	return CPU_ISSET_S((size_t)cpu, sizeof(m->allowed), (const cpu_set_t *)m->allowed);
}

static int push_cpu(struct mending *m, int cpu)
{
	return go_to(cpu) ? 0 : push_list(m, cpu);
}

/* What is missing may be no more than the lists of CPUs have: split huge pages, which stay there. A
 * page of a broken block on a list makes a whole block missing. */
static bool reached(const struct mending *m, struct node_free *f)
{
	if (node_read(m->node, f, m->e) || f->huge >= m->goal)
		return true;
	if (m->goal == UINT64_MAX)
		return false;
	struct zoneinfo z = node_limits();
	uint64_t listed = zoneinfo_listed(&z, m->node->id);
	zoneinfo_free(&z);
	return m->goal - f->huge <= listed;
}

static int round_of_cpus(struct mending *m)
{
	struct node_free f;
	int failed = 0;

	for (int i = 0; i < LINUX_CPUS && !failed; i++) {
		int cpu = (m->first + i) % LINUX_CPUS;

		if (!may_use(m, cpu))
			continue;
		if (reached(m, &f) || stopped(m))
			break;
		failed = push_cpu(m, cpu);
	}
	return failed;
}

/* The kernel shortens long lists by itself, a part each second. */
static void settle(struct mending *m)
{
	const struct timespec look = {0, LOOK_MS * 1000000L};
	struct node_free f = {0};
	uint64_t before;

	for (int looks = 0; looks < MAX_LOOKS && !reached(m, &f) && !stopped(m); looks++) {
		before = f.huge;
		nanosleep(&look, NULL);
		if (reached(m, &f) || (looks && f.huge < before + m->per_block))
			break;
	}
}

static int rounds(struct mending *m)
{
	struct node_free f = {0};
	uint64_t before = 0;

	for (int round = 0; round < MAX_ROUNDS && !reached(m, &f) && !stopped(m); round++) {
		if (round && f.huge < before + m->per_block)
			break;
		before = f.huge;
		if (round_of_cpus(m))
			return -1;
		settle(m);
	}
	return 0;
}

/* Programs get pages of a lower zone when the higher ones have none: what pushed a list was of
 * these. */
static bool lower_apart(const struct mending *m, const struct node_free *f)
{
	return m->goal != UINT64_MAX && f->lower >= (m->goal - f->huge) / 2;
}

/* Where huge pages did not push the list of the CPU that freed the pins, and the kernel may not
 * compact: all of them, and then small ones. */
static int push_harder(struct mending *m)
{
	struct node_free f;
	int failed = 0;

	go_to(m->first);
	if (reached(m, &f) || stopped(m))
		return 0;
	if (f.huge >= list_room(m, m->first)) {
		if (!lower_apart(m, &f))
			return 0;
		failed = push(m, f.huge / m->per_block + MAX_MISSES, true);
		settle(m);
	}
	if (!failed && !reached(m, &f) && !stopped(m)) {
		failed = push_pages(m);
		settle(m);
	}
	return failed;
}

/* Few huge pages may be left, and those that push one list are then missing for the next: it has to
 * be the list that the pages are on. */
static void give_pins(struct mending *m, struct pins *held)
{
	const int cpu = sched_getcpu();

	m->first = cpu < 0 || go_to(cpu) ? 0 : cpu;
	if (held)
		pins_free(held, m->node);
}

int mend(const struct node *n, struct pins *held, const struct mend_goal *goal, struct errors *e)
{
	struct mending m = {.node = n,
		.goal = goal->pages,
		.stop = goal->stop,
		.e = e,
		.per_block = n->huge / n->base};
	size_t failures = e->failures;
	struct node_free f;

	sched_getaffinity(0, sizeof(m.allowed), (cpu_set_t *)m.allowed);
	give_pins(&m, held);
	int failed = rounds(&m);
	sched_setaffinity(0, sizeof(m.allowed), (cpu_set_t *)m.allowed);
	if (goal->all && !failed && !reached(&m, &f) && !stopped(&m)) {
		failed = push_all(&m);
		settle(&m);
	}
	if (!failed)
		failed = push_harder(&m);
	sched_setaffinity(0, sizeof(m.allowed), (cpu_set_t *)m.allowed);
	if (failed || e->failures > failures)
		return -1;
	return reached(&m, &f) ? 0 : 1;
}
