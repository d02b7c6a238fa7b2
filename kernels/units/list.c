/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * load_dep (SMT-Bench's name) walks a linked list: each load waits for the previous one. The list
 * has a node every `stride` bytes of all the thread's vectors. It contains each node once, in a
 * random cycle that no prefetcher can guess, or in the order of the addresses (order: sequential).
 * A unit is a load, a round 4096 of them; the next round continues where the last one ended.
 */
#include <stdlib.h>

#include "keep.h"
#include "memory.h"

struct __attribute__((may_alias)) node {
	struct node *next;
};

#define STEPS 64 /* of load_dep in a turn of the loop */

/* clang-format off */
#define TIMES_4(X, i)  X((i)) X((i) + 1) X((i) + 2) X((i) + 3)
#define TIMES_16(X, i) TIMES_4(X, i) TIMES_4(X, (i) + 4) TIMES_4(X, (i) + 8) TIMES_4(X, (i) + 12)
#define TIMES_32(X, i) TIMES_16(X, i) TIMES_16(X, (i) + 16)
#define TIMES_64(X, i) TIMES_32(X, i) TIMES_32(X, (i) + 32)
#define STEP(i)  { at = at->next; keep_changed(at); }
/* clang-format on */

enum order { ORDER_RANDOM, ORDER_SEQUENTIAL };

static const char *const order_names[] = {"random", "sequential", NULL};

struct list_args {
	struct extent stride;
	int order;
};

static const struct param list_params[] = {
	{.name = "stride",
		.type = PARAM_EXTENT,
		.offset = offsetof(struct list_args, stride),
		.fallback = "128B", /* two lines: many prefetchers fetch them as a pair */
		.min = 1,
		.max = 0x1p50,
		.help = "distance of one node of the list to the next in memory"},
	{.name = "order",
		.type = PARAM_CHOICE,
		.offset = offsetof(struct list_args, order),
		.fallback = "random",
		.max = ORDER_SEQUENTIAL,
		.choices = order_names,
		.help = "in which the list goes through memory"},
	{0},
};

static size_t nodes_of(const struct vector *v, const struct list_args *args)
{
	return places_in(v, stride_bytes(v, args->stride));
}

/* Node i of all vectors' nodes. */
static struct node *node_at(const struct worker *w, size_t i)
{
	const struct vector *v = w->vectors;

	for (; i >= nodes_of(v, w->args); v++)
		i -= nodes_of(v, w->args);
	const struct list_args *args = w->args;

	return (struct node *)((char *)v->base + i * stride_bytes(v, args->stride));
}

static const char *list_check(const struct worker *w, char *why, size_t n)
{
	const struct list_args *args = w->args;
	size_t nodes = 0;

	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++) {
		if (check_stride(v, args->stride, why, n))
			return why;
		nodes += nodes_of(v, args);
	}
	if (nodes >= 2)
		return NULL;
	snprintf(why, n, "the vectors have room for %zu node%s of the list, which needs 2", nodes,
		nodes == 1 ? "" : "s");
	return why;
}

static size_t all_nodes(const struct worker *w)
{
	size_t nodes = 0;

	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++)
		nodes += nodes_of(v, w->args);
	return nodes;
}

static const char *list_revisits(const struct worker *w, char *why, size_t n)
{
	return revisited(all_nodes(w), "nodes of the list", why, n);
}

static struct chain_work list_chain(const struct worker *w)
{
	return (struct chain_work){ROUND, (double)all_nodes(w)};
}

/* Inserts each node into the cycle behind a random one of the nodes that are already there. This
 * makes every cycle equally likely, and needs no memory. */
static const char *list_setup(struct worker *w)
{
	const struct list_args *args = w->args;
	uint64_t random = 0x9e3779b97f4a7c15;
	const size_t nodes = all_nodes(w);

	struct node **own = w->own = malloc(sizeof(*own)), *before = node_at(w, 0);

	if (!own)
		return "no memory";
	*own = before;
	before->next = before;
	for (size_t i = 1; i < nodes; i++) {
		struct node *node = node_at(w, i);

		if (args->order == ORDER_RANDOM) {
			random = xorshift(random);
			before = node_at(w, below(random, i));
		}
		node->next = before->next;
		before->next = node;
		before = node;
	}
	return NULL;
}

HOT struct node *loop_load_dep(uint64_t turns, struct node *at)
{
	do {
		TIMES_64(STEP, 0)
	} while (--turns);
	return at;
}

static uint64_t load_dep_run(struct worker *w, uint64_t passes)
{
	struct node **own = w->own;

	*own = loop_load_dep(passes * (ROUND / STEPS), *own);
	return passes * ROUND;
}

static void list_teardown(struct worker *w)
{
	free(w->own);
	w->own = NULL;
}

const struct kernel load_dep_kernel = {
	.summary = "walks a linked list, each load waits for the last",
	.unit = "load",
	.params = list_params,
	.args_size = sizeof(struct list_args),
	.min_vectors = 1,
	.types = TYPES_WORDS,
	.per_unit = {.loads = 1},
	.accesses.chain = list_chain,
	.owns = true,
	.check = list_check,
	.accesses.revisits = list_revisits,
	.setup = list_setup,
	.preparing = "building the list",
	.run = load_dep_run,
	.teardown = list_teardown,
};
