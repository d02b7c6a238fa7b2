/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queries at the end of an operation whether pages are where, and as large as, they were before. */
#include <stdlib.h>

#include "base/text.h"
#include "base/alloc.h"
#include "placement/found.h"

/* Number of pages that are no longer where they were. If pages only exchanged nodes, at least two
 * have moved; only a query of each page shows that. */
static size_t pages_moved(const struct mem_found *before, const struct mem_found *now)
{
	size_t moved = now->absent > before->absent ? now->absent - before->absent : 0;

	for (int node = 0; node < MEM_MAX_NODES; node++)
		if (now->on_node[node] > before->on_node[node])
			moved += now->on_node[node] - before->on_node[node];
	if (now->proof != MEM_BY_MOVE_PAGES || before->proof != MEM_BY_MOVE_PAGES)
		return moved;
	return moved || now->places == before->places ? moved : 2;
}

static bool same_sizes(const struct mem_sizes *a, const struct mem_sizes *b)
{
	return a->huge_bytes == b->huge_bytes && a->huge_places == b->huge_places &&
	       a->kernel_page_bytes == b->kernel_page_bytes;
}

/* As found_wrong(), with what else may help. Frees why. */
static int wrong(
	const struct prepared *r, int vector, char *why, const char *hint, struct errors *e)
{
	const int failed = found_wrong(r->plan, vector, why, e);

	free(why);
	if (failed)
		error_hint(e, "%s; verify: warn measures anyway and adds a warning", hint);
	return failed;
}

/* Memory pressure splits huge pages, and khugepaged creates some. The results then hold for neither
 * page size. */
static int recheck_sizes(struct prepared *r, int vector, const char *op, struct errors *e)
{
	struct mem_sizes *before = &r->last[vector].sizes, now = *before;
	char had[32], has[32];

	if (mem_sizes_again(&r->mems[vector], &now) || before->proof == MEM_SIZES_BY_NOTHING ||
		same_sizes(before, &now))
		return 0;
	char *why = alloc_format("%s of it are in transparent huge pages at the end of %s, %s%s "
				 "were before",
		text_size(now.huge_bytes, has, sizeof(has)), op,
		now.huge_bytes == before->huge_bytes ? "other " : "",
		text_size(before->huge_bytes, had, sizeof(had)));
	*before = now;
	return wrong(r, vector, why,
		"pagesPerVector: base or thp fixes what khugepaged may do; free memory, so that "
		"the kernel need not split",
		e);
}

static int tell_moved(
	struct prepared *r, int vector, size_t moved, const char *op, struct errors *e)
{
	char *why = alloc_format("%zu of %zu page%s moved during the run, by the end of %s", moved,
		r->last[vector].pages.pages, text_s(r->last[vector].pages.pages), op);
	return wrong(r, vector, why,
		"automatic NUMA balancing, a changed cpuset or migratepages move pages: sysctl "
		"kernel.numa_balancing",
		e);
}

/* Where a sample has read the pages of a cold file in. */
static int find_read(struct prepared *r, const struct plan *p, int vector, struct errors *e)
{
	struct touched now = {0};

	if (found_again(r, p, vector, &now, e))
		return -1;
	found_now(r, vector)->pages = now.pages;
	return 0;
}

static int recheck_one(
	struct prepared *r, const struct plan *p, int vector, const char *op, struct errors *e)
{
	struct proof *last = &r->last[vector];
	struct touched now = {0};

	if (r->mems[vector].backed.cache == CACHE_COLD)
		return find_read(r, p, vector, e);

	if (last->pages.pages && found_again(r, p, vector, &now, e))
		return -1;
	size_t moved = now.pages.pages ? pages_moved(&last->pages, &now.pages) : 0;

	if (now.pages.pages)
		last->pages = now.pages;
	found_now(r, vector)->moved += moved;
	int failed = moved ? tell_moved(r, vector, moved, op, e) : 0;

	failed |= recheck_sizes(r, vector, op, e);
	return failed;
}

static bool any_uses(const struct plan *p, int vector)
{
	for (int i = 0; i < p->nthreads; i++)
		if (plan_uses(&p->threads[i], vector))
			return true;
	return false;
}

int prepare_recheck(struct prepared *r, const struct plan *p, const char *op, struct errors *e)
{
	int failed = 0;

	for (int i = 0; i < r->plan->nvectors; i++)
		if (p == r->plan || any_uses(p, i))
			failed |= recheck_one(r, p, i, op, e);
	return failed ? -1 : 0;
}
