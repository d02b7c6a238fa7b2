/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Placements by name: what local_2m and its like in nodePerVector stand for. They are those of
 * V.-O. Politis, NTUA 2021, section 3.1: a node as seen from the threads that use the vector,
 * and the size of the pages. Local ones are bound, since by default Linux takes huge pages of
 * another node before small ones of this. local_frag and rhp_frag are those of his section 5.2:
 * huge pages as long as blocks are free, then small ones here, or huge ones elsewhere. And what
 * pages must be for an order of touching and for page tables on a node.
 */
#include <stdio.h>

#include "base/error.h"
#include "plan/parts.h"

/* PAGES_THP_16K is the first of the sizes; each is twice as large as the one before. */
#define PAGES_THP_2M ((enum mem_pages)(PAGES_THP_16K + 7))

static const struct meaning {
	bool here, far; /* on the node of the thread, on the one farthest from it; both: in turn */
	bool by_blocks; /* on the node of the thread first, then on others that have huge blocks */
	enum mem_pages pages;
} meanings[] = {
	[PLACEMENT_LOCAL_2M] = {true, false, false, PAGES_THP_2M},
	[PLACEMENT_LOCAL_2M_4K] = {true, false, false, PAGES_THP_BASE},
	[PLACEMENT_LOCAL_4K] = {true, false, false, PAGES_4K},
	[PLACEMENT_INTERLEAVE_2M] = {true, true, false, PAGES_THP_2M},
	[PLACEMENT_REMOTE_2M] = {false, true, false, PAGES_THP_2M},
	[PLACEMENT_LOCAL_FRAG] = {true, false, false, PAGES_THP_2M},
	[PLACEMENT_RHP_FRAG] = {true, false, true, PAGES_THP_2M},
	[PLACEMENT_RHP_FRAG_PROFILER] = {true, false, true, PAGES_THP_2M},
};

/* The first thread that uses a vector; thread 0 for a vector without users. */
static int first_user(const struct plan *p, int vector)
{
	for (int i = 0; i < p->nthreads; i++)
		if (plan_uses(&p->threads[i], vector))
			return i;
	return 0;
}

static int refuse_pages(const struct plan *p, int vector, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];

	error_add(e, STATUS_USAGE, p->request->pages_per_vector.at,
		"vector %d: %s says which pages it has, and pagesPerVector says %s", vector,
		placement_names[v->placement], pages_names[v->pages]);
	return error_hint(e, "leave pagesPerVector out, or give it system for this vector");
}

static int refuse_unbound(const struct plan *p, int vector, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];

	error_add(e, STATUS_USAGE, p->request->node_per_vector.at,
		"vector %d: %s is by the node of thread %d, which is not on a node of its own",
		vector, placement_names[v->placement], v->placed_for);
	return error_hint(e, "nodePerThread binds it; or name the node: nodePerVector: 0");
}

static int refuse_alone(const struct plan *p, int vector, int node, struct errors *e)
{
	error_add(e, STATUS_PLACEMENT, p->request->node_per_vector.at,
		"vector %d: %s needs a second node with CPUs and memory, besides node %d", vector,
		placement_names[p->vectors[vector].placement], node);
	return error_hint(e,
		"a machine of one node can measure local_2m, local_2m_4k, local_4k and "
		"local_frag");
}

/* A user on another node than `home`, from which the name would mean something else; -1: none.
 * Where half is on either node, users on both have it alike. */
static int other_user(const struct plan *p, int vector, int home, int far)
{
	const struct meaning *m = &meanings[p->vectors[vector].placement];

	for (int i = 0; i < p->nthreads; i++) {
		const int node = p->threads[i].node;

		if (plan_uses(&p->threads[i], vector) && node != home &&
			!(m->here && m->far && node >= 0 && node == far))
			return i;
	}
	return -1;
}

static int refuse_other_user(const struct plan *p, int vector, int other, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];
	const int node = p->threads[other].node;
	char where[48] = "not on a node of its own";

	if (node >= 0)
		snprintf(where, sizeof(where), "on node %d", node);
	error_add(e, STATUS_USAGE, p->request->node_per_vector.at,
		"vector %d: %s is by the node of thread %d, but thread %d, which uses it too, is "
		"%s",
		vector, placement_names[v->placement], v->placed_for, other, where);
	return error_hint(e, "a vector for each node, or name the node: nodePerVector: %d",
		p->threads[v->placed_for].node);
}

static int add_named_node(struct plan *p, struct plan_vector *v, int node, struct errors *e)
{
	if (plan_usable_node(p, node, "nodePerVector", p->request->node_per_vector.at, e))
		return -1;
	v->nodes[node] = true;
	v->node = node;
	return 0;
}

/* What the kernels see was written down before the nodes and pages were known. */
static void tell_threads(struct plan *p, int vector)
{
	const struct plan_vector *v = &p->vectors[vector];

	for (int i = 0; i < p->nthreads; i++)
		for (int k = 0; k < p->threads[i].nvectors; k++) {
			struct vector *seen = &p->threads[i].vectors[k];

			if (p->threads[i].vector_ids[k] != vector)
				continue;
			seen->node = v->node;
			seen->page_bytes = mem_page_bytes(v->pages);
			seen->multi_size = mem_is_mthp(v->pages);
			seen->pool = mem_from_pool(v->pages);
		}
}

static int place_named_vector(struct plan *p, int vector, struct errors *e)
{
	struct plan_vector *v = &p->vectors[vector];
	const struct meaning *m = &meanings[v->placement];

	if (v->refused)
		return 0;
	v->placed_for = first_user(p, vector);
	int home = p->threads[v->placed_for].node, far = home < 0 ? -1 : topo_far(p->topo, home);

	if (v->pages != PAGES_SYSTEM)
		return refuse_pages(p, vector, e);
	if (!plan_users_placed(p, vector))
		return -1; /* threads.c has said why */
	if (home < 0)
		return refuse_unbound(p, vector, e);
	const int other = other_user(p, vector, home, far);

	if (other >= 0)
		return refuse_other_user(p, vector, other, e);
	if (plan_usable_node(p, home, "nodePerVector", p->request->node_per_vector.at, e))
		return -1;
	if ((m->far || m->by_blocks) && far < 0)
		return refuse_alone(p, vector, home, e);
	if ((m->here && add_named_node(p, v, home, e)) || (m->far && add_named_node(p, v, far, e)))
		return -1;
	v->home = home;
	v->policy = m->by_blocks ? MEM_PREFERRED : m->here && m->far ? MEM_INTERLEAVE : MEM_BIND;
	v->node = m->here && m->far ? -1 : v->node;
	v->pages = m->pages;
	plan_describe_vector(p, v);
	tell_threads(p, vector);
	return 0;
}

/* What a name needs of this kernel is checked with the other pages: a sweep then skips it. */
static int check_order(const struct plan *p, int vector, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];

	if (v->refused || v->order == TOUCH_ANY || v->placement != PLACEMENT_BY_NODE ||
		!mem_is_mthp(v->pages))
		return 0;
	error_add(e, STATUS_USAGE, p->request->order_per_vector.at,
		"vector %d: pages of pagesPerVector: %s come in pairs, and cannot be touched %s",
		vector, pages_names[v->pages], touch_order_names[v->order]);
	return error_hint(e, "initOrderPerVector: any, or pagesPerVector: base or thp");
}

bool plan_far_blocks(const struct plan_vector *v)
{
	return v->placement == PLACEMENT_RHP_FRAG || v->placement == PLACEMENT_RHP_FRAG_PROFILER;
}

bool plan_profiled(const struct plan *p)
{
	for (int i = 0; i < p->nvectors; i++)
		if (p->vectors[i].placement == PLACEMENT_RHP_FRAG_PROFILER)
			return true;
	return false;
}

bool plan_huge_last(const struct plan_vector *v)
{
	return v->order == TOUCH_HOT_LAST;
}

/* The tables that are counted with a huge page are those it may be split into: no access reads
 * them. */
static int check_tables(const struct plan *p, int vector, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];

	if (v->refused || v->tables < 0 || mem_only_base(v->pages))
		return 0;
	error_add(e, STATUS_USAGE, p->request->tables_per_vector.at,
		"vector %d: only base pages are reached through page tables that can be placed and "
		"proven, not %s",
		vector, pages_names[v->pages]);
	return error_hint(e, "tablesPerVector goes with pagesPerVector: base, or nodePerVector: "
			     "local_4k");
}

int plan_named(struct plan *p, struct errors *e)
{
	int failed = 0;

	for (int i = 0; i < p->nvectors; i++) {
		if (p->vectors[i].placement != PLACEMENT_BY_NODE && place_named_vector(p, i, e)) {
			p->vectors[i].refused = true;
			failed = -1;
		}
		failed |= check_order(p, i, e);
		failed |= check_tables(p, i, e);
	}
	return failed;
}
