/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of a barrier: within nodes first, then across. */
#include "barriers.h"

static void adopt(struct barriers *b, int parent, int child)
{
	struct tree_place *p = &b->places[parent];

	p->children[p->nchildren++] = child;
	b->places[child].parent = parent;
}

/* The first thread of the node of thread i. */
static int leader(const struct barriers *b, int i)
{
	int first = 0;

	while (b->node[first] != b->node[i])
		first++;
	return first;
}

/* The k-th thread of those with the node of thread i, or, across, of the leaders. */
static int nth(const struct barriers *b, int i, bool across, int k)
{
	for (int j = 0;; j++) {
		bool one = across ? leader(b, j) == j : b->node[j] == b->node[i];

		if (one && !k--)
			return j;
	}
}

/* Thread i's number among these. */
static int number(const struct barriers *b, int i, bool across)
{
	int k = 0;

	for (int j = 0; j < i; j++)
		k += across ? leader(b, j) == j : b->node[j] == b->node[i];
	return k;
}

/* Threads are numbered in their node, and leaders among each other; number k is the child of number
 * (k - 1) / TREE_WIDTH. */
static void arrange(struct barriers *b)
{
	for (uint32_t i = 0; i < b->threads; i++)
		b->places[i].parent = -1;
	for (int i = 0; i < (int)b->threads; i++) {
		bool across = leader(b, i) == i;
		int k = number(b, i, across);

		if (k)
			adopt(b, nth(b, i, across, (k - 1) / TREE_WIDTH), i);
	}
}

int barriers_nodes(const struct barriers *b)
{
	int nodes = 0;

	for (int i = 0; i < (int)b->threads; i++)
		nodes += b->node[i] >= 0 && leader(b, i) == i;
	return nodes;
}

void barriers_join(struct barriers *b, int rank, int node)
{
	b->node[rank] = node;
	if (__atomic_add_fetch(&b->members, 1, __ATOMIC_ACQ_REL) == (int)b->threads)
		arrange(b);
}
