/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Touches huge pages until the kernel's allocator has all memory of the node. */
#include "programs/affinity-frag/late.h"

#include <numaif.h>
#include <sys/mman.h>

#include "memory/cgroup.h"
#include "programs/affinity-frag/pins.h"

/* Huge pages that stay small before it is given up. */
#define MAX_MISSES 4

/* Blocks that the control group must still allow before one more is taken: others of the group may
 * take memory meanwhile. */
#define LIMIT_BLOCKS 32

/* Blocks between two looks at /proc/zoneinfo, which is long. */
#define LOOK_BLOCKS 16

static uint64_t late_now(const struct node *n)
{
	struct zoneinfo z = node_limits();
	uint64_t late = zoneinfo_late(&z, n->id);

	zoneinfo_free(&z);
	return late;
}

/* What is late counts as free: the kernel gives it when blocks run out. At the
 * limit of a control group, others of it would lack memory. */
static bool is_full(const struct node *n, uint64_t late, struct errors *e)
{
	struct node_free f;

	return node_read(n, &f, e) || f.all + late < n->margin + 2 * n->huge / n->base ||
	       cgroup_memory_left(CGROUP_SELF) < LIMIT_BLOCKS * n->huge;
}

static void take(
	const struct node *n, char *base, uint64_t blocks, int (*stop)(void), struct errors *e)
{
	uint64_t taken = 0, late = late_now(n);
	int misses = 0;

	while (late && taken < blocks && misses < MAX_MISSES && !stop() && !is_full(n, late, e)) {
		char *block = base + taken * n->huge;

		if (pins_take(n, block)) {
			late = ++taken % LOOK_BLOCKS ? late : late_now(n);
			continue;
		}
		madvise(block, n->huge, MADV_DONTNEED);
		misses++;
	}
}

int late_call(struct node *n, int (*stop)(void), struct errors *e)
{
	uint64_t blocks = zoneinfo_present(&n->limits, n->id) / (n->huge / n->base);
	char *map, *base = pins_map(n, (int)blocks, MPOL_PREFERRED, &map, e);

	if (!base)
		return -1;
	take(n, base, blocks, stop, e);
	munmap(map, (blocks + 1) * n->huge);
	return node_reopen(n, e);
}
