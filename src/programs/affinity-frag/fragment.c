/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounds: break what is too much, wait for blocks that come late, look again. */
#include "programs/affinity-frag/fragment.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "memory/cgroup.h"
#include "programs/affinity-frag/signals.h"

/* Between two looks: a list of a CPU that is not used is given back after some tenths. */
#define WAIT_MS 200

/* Looks in a row that find no further block, or nothing that can be broken. */
#define QUIET_ROUNDS 2

/* Blocks that may be broken besides all that there were: other programs free some meanwhile. */
#define SPARE_BLOCKS 16

/* Huge pages that stay small before a round gives up: other programs may have taken the block. */
#define MAX_MISSES 8

struct work {
	const struct node *node;
	uint64_t leave, per_block;
	uint64_t most; /* blocks that may be broken */
	struct pins *pins;
	struct node_free *left;
	struct errors *e;
};

bool fragment_near(const struct node *n, uint64_t leave, uint64_t left)
{
	uint64_t blocks = 4 * n->huge / n->base, share = leave / 20;
	uint64_t off = left > leave ? left - leave : leave - left;

	return off <= (share > blocks ? share : blocks);
}

static int too_full(const struct work *w)
{
	char free[32], margin[32];

	error_add(w->e, STATUS_PLACEMENT, NOWHERE,
		"node %d has only %s free, of which %s must stay for the kernel", w->node->id,
		node_size(w->node, w->left->all, free, sizeof(free)),
		node_size(w->node, w->node->margin, margin, sizeof(margin)));
	return error_hint(w->e, "end programs that use it, or choose another node");
}

/* Each broken block keeps its page and a page of page tables. */
static int check_limit(const struct work *w)
{
	uint64_t blocks = (w->left->huge - w->leave) / w->per_block;
	uint64_t needs = 2 * blocks * w->node->base + w->node->huge;
	uint64_t may = cgroup_memory_left(CGROUP_SELF);
	char keeps[32], allows[32];

	if (needs <= may)
		return 0;
	error_add(w->e, STATUS_PLACEMENT, NOWHERE,
		"breaking %" PRIu64 " blocks keeps %s, and the control group allows %s more",
		blocks, text_size(needs, keeps, sizeof(keeps)),
		text_size(may, allows, sizeof(allows)));
	return error_hint(w->e, "raise its memory.max, or leave more: --leave");
}

/* The kernel makes new blocks as fast as these are broken, or its numbers are not true. */
static int endless(const struct work *w)
{
	error_add(w->e, STATUS_PLACEMENT, NOWHERE,
		"node %d: %" PRIu64 " blocks were broken, and as many are free as before",
		w->node->id, w->pins->broken);
	return error_hint(
		w->e, "end programs that free memory of the node meanwhile, and try again");
}

/* Breaks until it suffices; 1: a signal. */
static int break_blocks(struct work *w)
{
	int misses = 0;

	while (misses < MAX_MISSES) {
		if (node_read(w->node, w->left, w->e))
			return -1;
		if (w->left->huge < w->leave + w->per_block)
			return 0;
		if (w->left->all < w->node->margin + w->per_block)
			return too_full(w);
		if (w->pins->broken >= w->most)
			return endless(w);
		if (signals_wait(0, NULL))
			return 1;
		enum pin_result r = pins_break(w->pins, w->node, w->e);
		if (r == PIN_FAILED)
			return -1;
		misses += r == PIN_NO_BLOCK;
	}
	return 0;
}

static int rounds(struct work *w)
{
	int quiet = 0, failed = 0;

	while (quiet < QUIET_ROUNDS && !failed) {
		uint64_t broken = w->pins->broken;

		failed = break_blocks(w);
		quiet = w->pins->broken == broken ? quiet + 1 : 0;
		if (!failed && signals_wait(WAIT_MS, NULL))
			failed = 1;
	}
	return failed || !node_read(w->node, w->left, w->e) ? failed : -1;
}

static int not_near(const struct work *w)
{
	char left[32], leave[32];

	node_size(w->node, w->left->huge, left, sizeof(left));
	node_size(w->node, w->leave, leave, sizeof(leave));
	error_add(w->e, STATUS_PLACEMENT, NOWHERE,
		"node %d: %s are left in large blocks, not %s, after %" PRIu64
		" blocks were broken",
		w->node->id, left, leave, w->pins->broken);
	if (!w->pins->broken)
		return error_hint(w->e, "the kernel gives this process no huge pages: see "
					"/sys/kernel/mm/transparent_hugepage/enabled");
	return error_hint(w->e, "other programs take or free memory of the node meanwhile");
}

int fragment(const struct node *n, uint64_t leave, struct pins *p, struct node_free *left,
	struct errors *e)
{
	struct work w = {.node = n,
		.leave = leave,
		.per_block = n->huge / n->base,
		.pins = p,
		.left = left,
		.e = e};
	char has[32], wants[32];

	if (node_read(n, left, e))
		return -1;
	if (left->huge < leave) {
		error_add(e, STATUS_PLACEMENT, NOWHERE,
			"node %d has %s free in large blocks, less than the %s to be left", n->id,
			node_size(n, left->huge, has, sizeof(has)),
			node_size(n, leave, wants, sizeof(wants)));
		return error_hint(
			e, "affinity-frag --undo --node %d may drive blocks together", n->id);
	}
	w.most = left->huge / w.per_block + SPARE_BLOCKS;
	if (check_limit(&w))
		return -1;
	int failed = rounds(&w);
	if (failed)
		return failed;
	return fragment_near(n, leave, left->huge) ? 0 : not_near(&w);
}
