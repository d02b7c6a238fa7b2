/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares where two plans have their vectors. */
#include "analysis/same_memory.h"

#include <string.h>

/* The only node of a vector; -1: several, or it is not known before. */
static int only_node(const struct plan_vector *v)
{
	int only = -1;

	for (int node = 0; v->nodes && node < MEM_MAX_NODES; node++) {
		if (v->nodes[node] && only >= 0)
			return -1;
		only = v->nodes[node] ? node : only;
	}
	return only;
}

static int only_node_of_all(const struct plan *p)
{
	const int node = p->nvectors ? only_node(&p->vectors[0]) : -1;

	for (int i = 1; i < p->nvectors; i++)
		if (only_node(&p->vectors[i]) != node)
			return -1;
	return node;
}

bool same_memory(const struct plan *a, const struct plan *b)
{
	const int node = only_node_of_all(a);

	return node >= 0 && node == only_node_of_all(b) &&
	       strcmp(a->vectors[0].asked, b->vectors[0].asked) != 0;
}
