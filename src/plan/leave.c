/* SPDX-License-Identifier: GPL-3.0-or-later */
/* leaveHuge: which nodes are fragmented before the vectors are placed, and how much is left. */
#include <string.h>

#include "base/alloc.h"
#include "plan/parts.h"

static int add(struct plan *p, int node, uint64_t bytes, struct errors *e)
{
	const struct place at = p->request->leave_huge.at;

	if (plan_usable_node(p, node, "leaveHuge", at, e))
		return -1;
	for (int i = 0; i < p->nleaves; i++)
		if (p->leaves[i].node == node) {
			error_add(e, STATUS_USAGE, at, "leaveHuge: names node %d twice", node);
			return error_hint(e, "a size alone is for the nodes of all threads");
		}
	p->leaves = alloc_grow(p->leaves, (size_t)p->nleaves, sizeof(*p->leaves));
	p->leaves[p->nleaves++] = (struct plan_leave){node, bytes};
	return 0;
}

static int read_size(const struct plan *p, const char *text, uint64_t *bytes, struct errors *e)
{
	*bytes = 0;
	if (!strcmp(text, "0") || !text_bytes(text, bytes))
		return 0;
	error_add(
		e, STATUS_USAGE, p->request->leave_huge.at, "leaveHuge: '%s' is not a size", text);
	return error_hint(e, "0, or a number and a unit, such as 512MiB; 1=4G for node 1 only");
}

/* A size alone. */
static int add_all(struct plan *p, uint64_t bytes, struct errors *e)
{
	bool seen[MEM_MAX_NODES] = {false};
	int failed = 0;

	for (int i = 0; i < p->nthreads; i++) {
		const int node = p->threads[i].node;

		if (node < 0 || node >= MEM_MAX_NODES) {
			error_add(e, STATUS_USAGE, p->request->leave_huge.at,
				"leaveHuge: a size alone is for the nodes of the threads, and "
				"thread %d is not on a node of its own",
				i);
			return error_hint(e, "name the node: leaveHuge: 0=4G");
		}
		if (!seen[node])
			failed |= add(p, node, bytes, e);
		seen[node] = true;
	}
	return failed;
}

static int add_word(struct plan *p, const struct names *names, char *word, struct errors *e)
{
	char *equals = strrchr(word, '=');
	uint64_t bytes;

	if (read_size(p, equals ? equals + 1 : word, &bytes, e))
		return -1;
	if (!equals)
		return add_all(p, bytes, e);
	*equals = '\0';
	int node = names_node(names, word, "leaveHuge", p->request->leave_huge.at, e);
	*equals = '=';
	return node == NAMES_FAILED ? -1 : add(p, node, bytes, e);
}

int plan_leave(struct plan *p, const struct names *names, struct errors *e)
{
	const struct words *asked = &p->request->leave_huge;
	int failed = 0;

	if (asked->count && p->request->interleave) {
		error_add(e, STATUS_USAGE, asked->at,
			"leaveHuge: with interleave: yes the vectors of all runs are in memory at "
			"the same time");
		failed = error_hint(e, "leave interleave out: each run then has the nodes so");
	}
	for (size_t i = 0; i < asked->count; i++)
		failed |= add_word(p, names, asked->word[i], e);
	return failed;
}
