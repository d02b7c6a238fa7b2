/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Touches huge pages until the kernel's allocator has all memory of the node. */
#include "affinity-frag/late.h"

#include <numaif.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "memory/cgroup.h"
#include "affinity-frag/crew.h"
#include "affinity-frag/pins.h"

/* Huge pages that stay small before it is given up. */
#define MAX_MISSES 4

/* Blocks that the control group must still allow before one more is taken: others of the group may
 * take memory meanwhile. */
#define LIMIT_BLOCKS 32

/* Blocks that are taken between two looks. */
#define LOOK_BLOCKS 16

static uint64_t late_now(const struct node *n)
{
	struct zoneinfo z = node_limits();
	uint64_t late = zoneinfo_late(&z, n->id);

	zoneinfo_free(&z);
	return late;
}

/* How many blocks may be taken until the next look. What is late counts as free: the kernel gives
 * it when blocks run out. At the limit of a control group, others of it would lack memory. */
static int may_take(const struct node *n, uint64_t late, struct errors *e)
{
	const uint64_t per_block = n->huge / n->base, stay = n->margin + per_block;
	struct node_free f;

	if (node_read(n, &f, e) || f.all + late < stay ||
		cgroup_memory_left(CGROUP_SELF) < LIMIT_BLOCKS * n->huge)
		return 0;
	uint64_t blocks = (f.all + late - stay) / per_block;
	return blocks < LOOK_BLOCKS ? (int)blocks : LOOK_BLOCKS;
}

struct taking {
	const struct node *node;
	char *base;
	atomic_int misses;
};

static void take_one(void *arg, int item)
{
	struct taking *t = arg;
	char *block = t->base + (size_t)item * t->node->huge;

	if (pins_take(t->node, block))
		return;
	madvise(block, t->node->huge, MADV_DONTNEED);
	atomic_fetch_add(&t->misses, 1);
}

static void take_free_blocks(
	const struct node *n, char *base, uint64_t blocks, int (*stop)(void), struct errors *e)
{
	struct taking t = {.node = n, .base = base};
	uint64_t late = late_now(n);
	int now = 1;

	for (; late && now && t.misses < MAX_MISSES && !stop(); late = late_now(n)) {
		now = may_take(n, late, e);
		now = (uint64_t)now < blocks ? now : (int)blocks;
		crew_work(now, take_one, &t);
		t.base += (size_t)now * n->huge;
		blocks -= (uint64_t)now;
	}
}

int late_call(struct node *n, int (*stop)(void), struct errors *e)
{
	uint64_t blocks = zoneinfo_present(&n->limits, n->id) / (n->huge / n->base);
	char *map, *base = pins_map(n, (int)blocks, MPOL_PREFERRED, &map, e);

	if (!base)
		return -1;
	take_free_blocks(n, base, blocks, stop, e);
	munmap(map, (blocks + 1) * n->huge);
	return node_reopen(n, e);
}
