/* SPDX-License-Identifier: GPL-3.0-or-later */
/* leaveHuge: which nodes are fragmented before the vectors are placed, and how much is left. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "plan/parts.h"

/* A size, or a multiple of the vectors of the node's threads. */
struct amount {
	uint64_t bytes;
	double times;
};

/* "0.5xvectors" */
static int read_times(const char *text, double *times)
{
	const char *x = strchr(text, 'x');

	if (!x || strcmp(x, "xvectors"))
		return -1;
	char *number = alloc_string(text, (size_t)(x - text));
	int failed = text_real(number, times) || !(*times > 0);

	free(number);
	return failed ? -1 : 0;
}

static int read_amount(const struct plan *p, const char *text, struct amount *a, struct errors *e)
{
	*a = (struct amount){0};
	if (!strcmp(text, "0") || !text_bytes(text, &a->bytes) || !read_times(text, &a->times))
		return 0;
	error_add(
		e, STATUS_USAGE, p->request->leave_huge.at, "leaveHuge: '%s' is not a size", text);
	return error_hint(e, "0, or a number and a unit, such as 512MiB; 0.5xvectors for half of "
			     "the vectors; 1=4G for node 1 only; all, alone, breaks nothing");
}

static bool is_used_on(const struct plan *p, int vector, int node)
{
	for (int i = 0; i < p->nthreads; i++)
		if (p->threads[i].node == node && plan_uses(&p->threads[i], vector))
			return true;
	return false;
}

/* In whole huge pages, since affinity-frag leaves blocks of these. */
static int find_bytes(
	const struct plan *p, int node, const struct amount *a, uint64_t *bytes, struct errors *e)
{
	const double huge = (double)mem_huge_page();
	double all = 0;
	int used = 0;

	*bytes = a->bytes;
	if (!(a->times > 0))
		return 0;
	for (int i = 0; i < p->nvectors; i++)
		if (is_used_on(p, i, node)) {
			all += (double)p->vectors[i].bytes;
			used++;
		}
	for (int i = 0; i < p->nthreads; i++)
		if (!plan_placed(&p->threads[i]))
			return -1; /* threads.c has said why it is on no node */
	if (!used) {
		error_add(e, STATUS_USAGE, p->request->leave_huge.at,
			"leaveHuge: no thread of node %d uses a vector, and a multiple of these is "
			"to be left",
			node);
		return error_hint(e, "give the size for this node, such as %d=4G", node);
	}
	*bytes = (uint64_t)fmin(ceil(a->times * all / huge) * huge, (double)INT64_MAX / 2);
	return all > 0 ? 0 : -1; /* plan_sizes() has said why they have no size */
}

static int add_amount(struct plan *p, int node, const struct amount *a, struct errors *e)
{
	const struct place at = p->request->leave_huge.at;
	uint64_t bytes;

	if (plan_usable_node(p, node, "leaveHuge", at, e))
		return -1;
	for (int i = 0; i < p->nleaves; i++)
		if (p->leaves[i].node == node) {
			error_add(e, STATUS_USAGE, at, "leaveHuge: names node %d twice", node);
			return error_hint(e, "a size alone is for the nodes of all threads");
		}
	if (find_bytes(p, node, a, &bytes, e))
		return -1;
	p->leaves = alloc_grow(p->leaves, (size_t)p->nleaves, sizeof(*p->leaves));
	p->leaves[p->nleaves++] = (struct plan_leave){node, bytes};
	return 0;
}

/* A size alone. */
static int add_all(struct plan *p, const struct amount *a, struct errors *e)
{
	bool seen[MEM_MAX_NODES] = {false};
	int failed = 0;

	for (int i = 0; i < p->nthreads; i++) {
		const int node = p->threads[i].node;

		if (!plan_placed(&p->threads[i]))
			return -1; /* threads.c has said why */
		if (node < 0 || node >= MEM_MAX_NODES) {
			error_add(e, STATUS_USAGE, p->request->leave_huge.at,
				"leaveHuge: a size alone is for the nodes of the threads, and "
				"thread %d is not on a node of its own",
				i);
			return error_hint(e, "name the node: leaveHuge: 0=4G");
		}
		if (!seen[node])
			failed |= add_amount(p, node, a, e);
		seen[node] = true;
	}
	return failed;
}

static int add_word(struct plan *p, const struct names *names, char *word, struct errors *e)
{
	char *equals = strrchr(word, '=');
	struct amount amount;

	if (read_amount(p, equals ? equals + 1 : word, &amount, e))
		return -1;
	if (!equals)
		return add_all(p, &amount, e);
	*equals = '\0';
	int node = names_node(names, word, "leaveHuge", p->request->leave_huge.at, e);
	*equals = '=';
	return node == NAMES_FAILED ? -1 : add_amount(p, node, &amount, e);
}

/* Must the vector have huge pages of this node alone? local_frag takes small ones instead, and
 * rhp_frag those of other nodes. */
static bool needs_blocks(const struct plan_vector *v, int node)
{
	return !v->refused && v->policy == MEM_BIND && v->node == node &&
	       !mem_from_pool(v->pages) && v->placement != PLACEMENT_LOCAL_FRAG &&
	       !plan_far_blocks(v);
}

/* affinity-frag would break the node, which takes long, and the vectors would have small pages. It
 * may leave a twentieth or some blocks more than it was asked for. */
static int check_needs(const struct plan *p, const struct plan_leave *l, struct errors *e)
{
	const uint64_t few = 4 * mem_huge_page(), part = l->bytes / 20;
	uint64_t needs = 0;
	char left[32], wants[32];

	for (int i = 0; i < p->nvectors; i++)
		if (needs_blocks(&p->vectors[i], l->node))
			needs += mem_huge_part(p->vectors[i].pages, p->vectors[i].bytes);
	if (p->request->verify == VERIFY_WARN || needs <= l->bytes + (part > few ? part : few))
		return 0;
	error_add(e, STATUS_PLACEMENT, p->request->leave_huge.at,
		"leaveHuge: %s are left on node %d, and the vectors there need %s in huge pages",
		text_size(l->bytes, left, sizeof(left)), l->node,
		text_size(needs, wants, sizeof(wants)));
	return error_hint(e, "leave more; nodePerVector: local_frag takes small pages where no "
			     "block is left, rhp_frag blocks of other nodes");
}

int plan_leave(struct plan *p, const struct names *names, struct errors *e)
{
	const struct words *asked = &p->request->leave_huge;
	int failed = 0;

	if (asked->count == 1 && !strcmp(asked->word[0], "all"))
		return 0;
	if (asked->count && p->request->interleave) {
		error_add(e, STATUS_USAGE, asked->at,
			"leaveHuge: with interleave: yes the vectors of all runs are in memory at "
			"the same time");
		failed = error_hint(e, "leave interleave out: each run then has the nodes so");
	}
	for (size_t i = 0; i < asked->count; i++)
		failed |= add_word(p, names, asked->word[i], e);
	for (int i = 0; i < p->nleaves && !failed; i++)
		failed = check_needs(p, &p->leaves[i], e);
	return failed;
}
