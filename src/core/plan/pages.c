/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Can this machine give the pages that the vectors ask for, also where they are to move? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "memory/check.h"
#include "memory/mem.h"
#include "plan/parts.h"

/* The names say the sizes of huge pages, and local_2m_4k that of small ones too. A kernel without
 * huge pages is told of later. */
static int check_named(const struct plan *p, int vector, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];
	const bool half = v->placement == PLACEMENT_LOCAL_2M_4K;
	size_t huge = mem_huge_page(), base = mem_base_page();
	char larger[32], smaller[32];

	if (v->placement == PLACEMENT_BY_NODE || v->placement == PLACEMENT_LOCAL_4K || !huge)
		return 0;
	if (huge == 2 << 20 && (!half || base == 4096))
		return 0;
	error_add(e, STATUS_PLACEMENT, p->request->node_per_vector.at,
		"vector %d: %s, but this kernel's pages are of %s and %s", vector,
		placement_names[v->placement], text_size(huge, larger, sizeof(larger)),
		text_size(base, smaller, sizeof(smaller)));
	return error_hint(e,
		"pagesPerVector: %s takes what the kernel has, with nodePerVector: a node",
		half ? "thp+base" : "thp");
}

/* With an odd number of pages one node has one more: of 17 it has 53 %, of fewer a larger part. */
static int check_half_far(const struct plan *p, int vector, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];
	const size_t huge = 2 << 20, least = 16;
	char size[32];

	if (v->placement != PLACEMENT_INTERLEAVE_2M || v->bytes >= least * huge)
		return 0;
	error_add(e, STATUS_PLACEMENT, p->request->size_per_vector.at,
		"vector %d: interleave_2m: %s has too few huge pages to be half far", vector,
		text_size(v->bytes, size, sizeof(size)));
	return error_hint(e, "a larger sizePerVector: 32 MiB, %zu huge pages, at least", least);
}

/* All pages of the process, too, move to the target of its thread's vector. */
static bool to_target(const struct plan_job *job)
{
	return plan_job_moves(job) >= MOVES_TO_TARGETS;
}

static bool moves_to_target(const struct plan *p, int vector)
{
	for (int op = 0; op < p->nops; op++)
		for (int i = 0; i < p->nthreads; i++) {
			const struct plan_job *job = &p->ops[op].jobs[i];

			if (to_target(job) && plan_uses(&p->threads[i], vector))
				return true;
		}
	return false;
}

/* Where its pool is empty, the kernel would make a page of free memory, which costs more, and the
 * pools of both nodes would change their sizes. */
static int check_target(const struct plan *p, int vector, struct mem_taken *taken, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];
	bool nodes[MEM_MAX_NODES] = {false};
	const struct mem_request r = {v->bytes, MEM_BIND, nodes, v->pages, false, NULL};

	if (v->target < 0 || v->nodes[v->target] || !mem_from_pool(v->pages) ||
		!moves_to_target(p, vector))
		return 0;
	nodes[v->target] = true;
	char *what = alloc_format("vector %d, which is to move to node %d", vector, v->target);
	int failed = mem_check_pages(&r, taken, what, p->request->target_per_vector.at, e);

	free(what);
	return failed;
}

/* The nodes of the threads that run kernels which move pages of this vector, to no target of its
 * own. Returns how many, and the kernel's name. */
static int moving_nodes(
	const struct plan *p, int vector, bool nodes[MEM_MAX_NODES], const char **kernel)
{
	int n = 0;

	for (int op = 0; op < p->nops; op++)
		for (int i = 0; i < p->nthreads; i++) {
			const struct plan_job *job = &p->ops[op].jobs[i];
			const int node = p->threads[i].node;

			if (node < 0 || nodes[node] || job->kernel->migration.is_move ||
				!plan_job_moves(job) || to_target(job) ||
				!plan_uses(&p->threads[i], vector))
				continue;
			nodes[node] = true;
			*kernel = job->name;
			n++;
		}
	return n;
}

/* Has the pool of the node fewer pages free than these, beside those of the plan's vectors? */
static bool pool_lacks(enum mem_pages pages, size_t bytes, int node, const struct mem_taken *taken)
{
	bool nodes[MEM_MAX_NODES] = {false};
	const struct mem_request r = {bytes, MEM_BIND, nodes, pages, false, NULL};
	struct mem_taken copy = *taken;
	struct errors reason = {0};
	bool lacks;

	nodes[node] = true;
	lacks = mem_check_pages(&r, &copy, "", NOWHERE, &reason);
	errors_free(&reason);
	return lacks;
}

/* A policy moves what it decides to, so that too small a pool is no mistake; but a page that the
 * kernel makes of free memory costs more than one of the pool, and both pools change their sizes.
 */
static void warn_moved(
	const struct plan *p, int vector, const struct mem_taken *taken, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];
	const size_t page = mem_page_bytes(v->pages);
	bool nodes[MEM_MAX_NODES] = {false};
	const char *kernel = NULL;
	const int n = mem_from_pool(v->pages) ? moving_nodes(p, vector, nodes, &kernel) : 0;
	char size[32];

	for (int node = 0; n > 0 && node < MEM_MAX_NODES; node++) {
		const size_t share = (v->bytes / page + n - 1) / n;

		if (!nodes[node] || v->nodes[node] ||
			!pool_lacks(v->pages, share * page, node, taken))
			continue;
		error_warn(e,
			"vector %d: %s may move its pages of %s to node %d, whose pool has fewer "
			"free than the %zu of an even share: the kernel then makes them of free "
			"memory, which costs more",
			vector, kernel, text_size(page, size, sizeof(size)), node, share);
		error_hint(e, "fill the pools of all nodes that have threads, or take "
			      "pagesPerVector: thp");
	}
}

static int check_vector(const struct plan *p, int vector, struct mem_taken *taken, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];
	bool nodes[MEM_MAX_NODES];
	const struct mem_request r = plan_request(v, nodes);
	/* A pool is that of a node; other pages are as this key, or the placement's name, says. */
	const struct place at = mem_from_pool(v->pages) || v->placement != PLACEMENT_BY_NODE
					? p->request->node_per_vector.at
					: p->request->pages_per_vector.at;
	char *what = alloc_format("vector %d", vector);
	int failed = check_named(p, vector, e);

	failed |= mem_check_pages(&r, taken, what, at, e);
	failed |= mem_check_limits(&r, taken, what, p->request->size_per_vector.at, e);

	free(what);
	return failed;
}

/* A machine that moves pages unseen lacks something, as one without a second node does: a batch
 * leaves the file out. */
static int check_seen(const struct plan *p, struct errors *e)
{
	struct mem_rights rights = {0};
	char seen[128];

	for (int op = 0; op < p->nops; op++)
		for (int i = 0; i < p->nthreads; i++) {
			const struct plan_job *job = &p->ops[op].jobs[i];

			if (!plan_job_moves(job) || !p->threads[i].nvectors)
				continue;
			mem_ask(&rights);
			if (!rights.move_pages)
				return 0;
			snprintf(seen, sizeof(seen), ": move_pages: %s",
				strerror(rights.move_pages));
			return plan_refuse_moves(
				p, job->name, p->threads[i].vector_ids[0], seen, e);
		}
	return 0;
}

int plan_pages(const struct plan *p, struct errors *e)
{
	struct mem_taken *taken;
	int failed = 0;

	for (int i = 0; i < p->nvectors; i++)
		failed |= check_half_far(p, i, e);
	if (!p->topo->this_system)
		return failed;
	taken = alloc_zeroed(1, sizeof(*taken));
	for (int i = 0; i < p->nvectors; i++)
		failed |= check_vector(p, i, taken, e);
	for (int i = 0; i < p->nvectors && !failed; i++)
		failed |= check_target(p, i, taken, e);
	failed |= failed ? 0 : check_seen(p, e);
	for (int i = 0; i < p->nvectors && !failed; i++)
		warn_moved(p, i, taken, e);
	free(taken);
	return failed;
}
