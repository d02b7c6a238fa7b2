/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses ranges, and sets their blocks aside while the others are broken. */
#include "affinity-frag/chosen.h"

#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/alloc.h"
#include "base/linux.h"

/* Besides the blocks that a list may keep. */
#define MORE_SPARES 2

/* Huge pages that stay small before the spare blocks are given up. */
#define MAX_MISSES 8

static void set_aside(struct chosen_blocks *b, char *block)
{
	b->all = alloc_grow(b->all, b->count, sizeof(*b->all));
	b->all[b->count++] = block;
}

static void give_back(const struct chosen *c, struct chosen_blocks *b)
{
	for (size_t i = 0; i < b->count; i++)
		madvise(b->all[i], c->node->huge, MADV_DONTNEED);
	b->count = 0;
}

static int too_few(const struct chosen *c, uint64_t most, uint64_t blocks, struct errors *e)
{
	const struct node *n = c->node;
	char has[32], wants[32];

	error_add(e, STATUS_PLACEMENT, NOWHERE,
		"node %d has %s free in its %" PRIu64 " longest physical range%s, not %s", n->id,
		node_size(n, c->keep.blocks * c->keep.per_block, has, sizeof(has)), most,
		most == 1 ? "" : "s",
		node_size(n, blocks * c->keep.per_block, wants, sizeof(wants)));
	return error_hint(e, "leave less, or allow more ranges");
}

/* This process may run on any CPU when it gives them back. */
static size_t longest_list(const struct node *n)
{
	struct zoneinfo z = node_limits();
	uint64_t most = 0, room;

	for (int cpu = 0; cpu < LINUX_CPUS; cpu++) {
		room = zoneinfo_room(&z, n->id, cpu);
		most = room > most ? room : most;
	}
	zoneinfo_free(&z);
	return most / (n->huge / n->base) + MORE_SPARES;
}

int chosen_begin(
	struct chosen *c, const struct node *n, uint64_t most, uint64_t blocks, struct errors *e)
{
	*c = (struct chosen){.node = n, .spares = longest_list(n)};
	if (physical_ranges(n, &c->keep, e))
		return -1;
	ranges_keep(&c->keep, most, blocks);
	return c->keep.blocks < blocks ? too_few(c, most, blocks, e) : 0;
}

bool chosen_keeps(void *chosen, char *block)
{
	struct chosen *c = chosen;

	if (ranges_has(&c->keep, physical_page(c->node, block)))
		set_aside(&c->kept, block);
	else if (c->spare.count < c->spares)
		set_aside(&c->spare, block);
	else
		return false;
	return true;
}

/* The list of this CPU has the spare blocks now, the last one first. A busy kernel may have emptied
 * it, and gives others, too: those of the ranges are kept, and do not count. */
static int break_spares(struct chosen *c, struct pins *p, size_t spares, struct errors *e)
{
	size_t wanted = c->spares;
	enum pin_result r = PIN_DONE;
	int misses = 0;

	c->spares = 0;
	for (size_t done = 0; done < spares && misses < MAX_MISSES && r != PIN_FAILED;) {
		r = pins_break(p, c->node, 1, e);
		done += r == PIN_DONE;
		misses += r == PIN_NO_BLOCK;
	}
	c->spares = wanted;
	return r == PIN_FAILED ? -1 : 0;
}

int chosen_release(struct chosen *c, struct pins *p, struct errors *e)
{
	unsigned long before[LINUX_MASK_WORDS] = {0}, here[LINUX_MASK_WORDS] = {0};
	size_t spares = c->spare.count;
	int cpu = sched_getcpu();

	sched_getaffinity(0, sizeof(before), (cpu_set_t *)before);
	if (cpu >= 0)
		CPU_SET_S((size_t)cpu, sizeof(here), (cpu_set_t *)here);
	sched_setaffinity(0, sizeof(here), (cpu_set_t *)here);
	give_back(c, &c->kept);
	give_back(c, &c->spare);
	int failed = break_spares(c, p, spares, e);

	give_back(c, &c->kept);
	sched_setaffinity(0, sizeof(before), (cpu_set_t *)before);
	return failed;
}

void chosen_free(struct chosen *c)
{
	free(c->kept.all);
	free(c->spare.all);
	ranges_free(&c->keep);
}
