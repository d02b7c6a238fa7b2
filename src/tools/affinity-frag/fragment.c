/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounds: break what is too much, wait for blocks that come late, look again. */
#include "affinity-frag/fragment.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "memory/cgroup.h"
#include "affinity-frag/chosen.h"
#include "affinity-frag/crew.h"
#include "affinity-frag/signals.h"

/* Between two looks: a list of a CPU that is not used is given back after some tenths. */
#define WAIT_MS 200

/* Looks in a row that find no further block, or nothing that can be broken. */
#define QUIET_ROUNDS 2

/* Blocks that may be broken besides all that the node's memory makes if the kernel drives it
 * together meanwhile. */
#define SPARE_BLOCKS 16

/* Blocks that are broken between two looks. */
#define MOST_AT_ONCE 64

/* Huge pages that stay small before a round gives up: other programs may have taken the block. */
#define MAX_MISSES 8

/* Looks until what is left is as much as was asked, and in few enough ranges, and the time between
 * them: the kernel shortens lists of CPUs once a second. */
#define LATE_LOOKS   6
#define LATE_WAIT_MS 1000

struct work {
	const struct node *node;
	uint64_t leave, per_block;
	uint64_t most; /* blocks that may be broken */
	struct pins *pins;
	struct chosen *chosen; /* NULL: any blocks may be left */
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
		"node %d has only %s free, and %s must stay for the kernel", w->node->id,
		node_size(w->node, w->left->all, free, sizeof(free)),
		node_size(w->node, w->node->margin, margin, sizeof(margin)));
	return error_hint(w->e, "end programs that use it, or choose another node");
}

/* Each broken block keeps its page and a page of page tables, and each thread has one that is
 * whole. */
static int check_limit(const struct work *w)
{
	uint64_t blocks = (w->left->huge - w->leave) / w->per_block;
	uint64_t held = w->chosen ? w->leave + w->chosen->spares * w->per_block : 0;
	uint64_t whole = blocks < CREW_MOST ? blocks : CREW_MOST;
	uint64_t needs = (2 * blocks + held) * w->node->base + whole * w->node->huge;
	uint64_t may = cgroup_memory_left(CGROUP_SELF);
	char keeps[32], allows[32];

	if (needs <= may)
		return 0;
	error_add(w->e, STATUS_PLACEMENT, NOWHERE,
		"breaking %" PRIu64 " block%s keeps %s, and the control group allows %s more",
		blocks, text_s(blocks), text_size(needs, keeps, sizeof(keeps)),
		text_size(may, allows, sizeof(allows)));
	return error_hint(w->e, "raise its memory.max, or leave more: --leave");
}

/* A broken block stays broken, and other programs can free no more than the node has. */
static uint64_t most_blocks(const struct work *w)
{
	uint64_t present = zoneinfo_present(&w->node->limits, w->node->id);
	uint64_t pages = present > w->left->all ? present : w->left->all;

	return pages / w->per_block + SPARE_BLOCKS;
}

/* The kernel's numbers are not true. */
static int endless(const struct work *w)
{
	char left[32];

	error_add(w->e, STATUS_PLACEMENT, NOWHERE,
		"node %d: %" PRIu64 " block%s broken, as many as it has, and %s are left in "
		"large blocks",
		w->node->id, w->pins->broken, w->pins->broken == 1 ? " was" : "s were",
		node_size(w->node, w->left->huge, left, sizeof(left)));
	return error_hint(w->e, "/proc/buddyinfo does not show what happens to its blocks here; "
				"choose another node or machine");
}

/* Half of what is too much, and of what the node has besides its margin: other programs take memory
 * meanwhile. */
static int at_once(const struct work *w)
{
	uint64_t above = w->left->huge - w->leave, spare = w->left->all - w->node->margin;
	uint64_t blocks = (above < spare ? above : spare) / (2 * w->per_block);
	uint64_t most = w->most - w->pins->broken;

	if (w->chosen || blocks <= 1)
		return 1;
	blocks = blocks < most ? blocks : most;
	return blocks < MOST_AT_ONCE ? (int)blocks : MOST_AT_ONCE;
}

/* Breaks until it suffices; 1: a signal. */
static int break_blocks(struct work *w)
{
	int misses = 0;

	while (misses < MAX_MISSES) {
		if (node_read(w->node, w->left, w->e))
			return -1;
		uint64_t aside = w->chosen ? w->chosen->kept.count * w->per_block : 0;
		if (w->left->huge + aside < w->leave + w->per_block)
			return 0;
		if (w->left->all < w->node->margin + w->per_block)
			return too_full(w);
		if (w->pins->broken >= w->most)
			return endless(w);
		if (signals_wait(0, NULL))
			return 1;
		enum pin_result r = pins_break(w->pins, w->node, at_once(w), w->e);
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
		"node %d: %s are left in large blocks, not %s, after %" PRIu64 " block%s broken",
		w->node->id, left, leave, w->pins->broken,
		w->pins->broken == 1 ? " was" : "s were");
	if (!w->pins->broken)
		return error_hint(w->e, "the kernel gives this process no huge pages: see "
					"/sys/kernel/mm/transparent_hugepage/enabled");
	return error_hint(w->e, "other programs take or free memory of the node meanwhile");
}

/* ---- ranges */

/* A block more may be in a range more. */
static int check_blocks(const struct work *w, uint64_t most, int why, struct errors *e)
{
	error_add(e, STATUS_PLACEMENT, NOWHERE,
		"node %d: %" PRIu64 " block%s left, and whether they lie in at most %" PRIu64
		" physical range%s shows only " PHYSICAL_FLAGS ": %s",
		w->node->id, w->left->large, w->left->large == 1 ? " is" : "s are", most,
		text_s(most), strerror(why));
	return error_hint(e, "run affinity-frag as root; or --ranges %" PRIu64, w->left->large);
}

static int too_many(const struct work *w, uint64_t most, uint64_t ranges)
{
	error_add(w->e, STATUS_PLACEMENT, NOWHERE,
		"node %d: what is left lies in %" PRIu64
		" physical ranges, not in at most %" PRIu64,
		w->node->id, ranges, most);
	return error_hint(w->e, "other programs take or free memory of the node meanwhile");
}

/* What lists of CPUs keep of the ranges comes back late. */
static int count_ranges(const struct work *w, uint64_t most, struct fragment_left *left)
{
	for (int look = 0; look < LATE_LOOKS; look++) {
		struct ranges r;

		if (physical_ranges(w->node, &r, w->e)) {
			ranges_free(&r);
			return -1;
		}
		left->ranges = r.count;
		left->longest = ranges_longest(&r) * w->per_block;
		ranges_free(&r);
		if (left->ranges <= most)
			return 0;
		if (signals_wait(LATE_WAIT_MS, NULL))
			return 1;
	}
	return too_many(w, most, left->ranges);
}

/* Every user may count blocks: there are not more ranges than these. */
static int prove_ranges(const struct work *w, uint64_t most, struct fragment_left *left)
{
	int failed = w->chosen ? count_ranges(w, most, left) : 0;

	if (failed || w->chosen)
		return failed;
	left->ranges = w->left->large;
	return w->left->large <= most ? 0 : check_blocks(w, most, physical_refused(), w->e);
}

/* ---- all of it */

static int too_little(const struct work *w)
{
	char has[32], wants[32];

	error_add(w->e, STATUS_PLACEMENT, NOWHERE,
		"node %d has %s free in large blocks, less than the %s to be left", w->node->id,
		node_size(w->node, w->left->huge, has, sizeof(has)),
		node_size(w->node, w->leave, wants, sizeof(wants)));
	return error_hint(
		w->e, "affinity-frag --undo --node %d may drive blocks together", w->node->id);
}

static bool is_too_much(const struct work *w)
{
	return w->left->huge > w->leave && !fragment_near(w->node, w->leave, w->left->huge);
}

/* Blocks that other lists held may come free when those of the ranges are given back: then once
 * more, as the ranges' own must not be broken in their place. */
static int break_all(struct work *w)
{
	int failed = 0, turns = 0;

	do {
		failed = rounds(w);
		if (failed || !w->chosen)
			return failed;
		if (chosen_release(w->chosen, w->pins, w->e))
			return -1;
		if (signals_wait(WAIT_MS, NULL))
			return 1;
		failed = node_read(w->node, w->left, w->e);
	} while (!failed && is_too_much(w) && ++turns < LATE_LOOKS);
	return failed;
}

/* A list of a CPU may have kept some of the blocks that were given back. */
static int await_blocks(struct work *w)
{
	for (int look = 0; look < LATE_LOOKS && w->left->huge < w->leave &&
			   !fragment_near(w->node, w->leave, w->left->huge);
		look++) {
		if (signals_wait(LATE_WAIT_MS, NULL))
			return 1;
		if (node_read(w->node, w->left, w->e))
			return -1;
	}
	return 0;
}

static int perform_goal(
	struct work *w, const struct fragment_goal *goal, struct fragment_left *left)
{
	if (node_read(w->node, w->left, w->e))
		return -1;
	if (w->left->huge < w->leave)
		return too_little(w);
	w->most = most_blocks(w);
	if (w->chosen &&
		chosen_begin(w->chosen, w->node, goal->ranges, w->leave / w->per_block, w->e))
		return -1;
	if (check_limit(w))
		return -1;
	int failed = break_all(w);

	if (!failed)
		failed = await_blocks(w);
	if (failed)
		return failed;
	if (!fragment_near(w->node, w->leave, w->left->huge))
		return not_near(w);
	return goal->ranges ? prove_ranges(w, goal->ranges, left) : 0;
}

int fragment(const struct node *n, const struct fragment_goal *goal, struct pins *p,
	struct fragment_left *left, struct errors *e)
{
	struct chosen chosen = {0};
	struct work w = {.node = n,
		.leave = goal->leave,
		.per_block = n->huge / n->base,
		.pins = p,
		.chosen = goal->ranges && !physical_refused() ? &chosen : NULL,
		.left = &left->free,
		.e = e};

	*left = (struct fragment_left){0};
	if (w.chosen) {
		p->keeps = chosen_keeps;
		p->arg = &chosen;
	}
	int failed = perform_goal(&w, goal, left);

	p->keeps = NULL;
	chosen_free(&chosen);
	return failed;
}
