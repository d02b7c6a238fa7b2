/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the nodes and sizes of pages with those that the plan requires. */
#include <stdio.h>
#include <stdlib.h>

#include "memory/check.h"
#include "memory/deal.h"
#include "placement/prepare.h"
#include "base/text.h"

static const char *nodes_found(const struct placement *found, char *buffer, size_t n)
{
	size_t used = 0;

	buffer[0] = '\0';
	for (int node = 0; node < MEM_MAX_NODES && used < n; node++)
		if (found->pages.on_node[node])
			used += (size_t)snprintf(buffer + used, n - used, "%snode %d: %zu",
				used ? ", " : "", node, found->pages.on_node[node]);
	return buffer;
}

static size_t pages_on(
	const bool *nodes, const struct placement *found, size_t *smallest, size_t *largest)
{
	size_t sum = 0;

	*smallest = SIZE_MAX;
	*largest = 0;
	for (int node = 0; node < MEM_MAX_NODES; node++) {
		size_t pages = found->pages.on_node[node];

		if (!nodes[node])
			continue;
		sum += pages;
		*smallest = pages < *smallest ? pages : *smallest;
		*largest = pages > *largest ? pages : *largest;
	}
	return sum;
}

/* Interleave gives pages to the nodes in turn, so nodes differ by one page at most. With
 * transparent huge pages one turn may be 512 times as large as another, so a difference of two huge
 * pages is accepted. */
static size_t unevenness(const struct mem *m, const struct placement *found)
{
	bool small = found->sizes.kernel_page_bytes && !found->sizes.huge_bytes;
	size_t huge = small ? 0 : mem_huge_page();
	size_t unit = m->page_bytes > huge ? m->page_bytes : huge;

	return 2 * unit / mem_base_page();
}

static bool weighted(
	const struct plan_vector *v, const struct mem *m, const struct placement *found)
{
	const struct deal d = {v->weights, mem_touch_bytes(v->pages, v->bytes)};

	for (int node = 0; node < MEM_MAX_NODES; node++)
		if (found->pages.on_node[node] != deal_expects(m, &d, node))
			return false;
	return true;
}

static bool by_blocks(const struct plan_vector *v)
{
	return v->placement == PLACEMENT_LOCAL_FRAG || plan_far_blocks(v);
}

/* Blocks that were free may be taken by others before the vector has them. Where the rest lies is
 * the kernel's choice. */
static const char *broken_promise(
	const struct plan_vector *v, const struct placement *found, char *why, size_t n)
{
	size_t here = found->pages.on_node[v->home] * mem_base_page();
	const struct promise *made = &found->promise;
	char is[32], was[32];

	if (here >= made->local && here <= made->local + made->rest)
		return NULL;
	snprintf(why, n, "%s of it are on node %d, not the %s that had free huge blocks",
		text_size(here, is, sizeof(is)), v->home, text_size(made->local, was, sizeof(was)));
	return why;
}

static const char *wrong_node(const struct plan_vector *v, const struct mem *m,
	const struct placement *found, char *why, size_t n)
{
	size_t smallest, largest, on = pages_on(v->nodes, found, &smallest, &largest);
	char list[512];

	if (found->pages.absent) {
		snprintf(why, n, "%zu of %zu page%s %s not in memory", found->pages.absent,
			found->pages.pages, text_s(found->pages.pages),
			found->pages.absent == 1 ? "is" : "are");
		return why;
	}
	if (v->policy == MEM_LOCAL)
		return NULL; /* expected on the toucher's node: prepare.c checks that */
	if (plan_far_blocks(v))
		return broken_promise(v, found, why, n);
	if (on != found->pages.pages) {
		snprintf(why, n, "%zu of %zu page%s %s elsewhere (%s)", found->pages.pages - on,
			found->pages.pages, text_s(found->pages.pages),
			found->pages.pages - on == 1 ? "is" : "are",
			nodes_found(found, list, sizeof(list)));
		return why;
	}
	if (v->weights && !weighted(v, m, found)) {
		snprintf(why, n, "pages are not distributed by the weights (%s)",
			nodes_found(found, list, sizeof(list)));
		return why;
	}
	if (!v->weights && v->policy == MEM_INTERLEAVE &&
		largest - smallest > unevenness(m, found)) {
		snprintf(why, n, "pages are not distributed evenly (%s)",
			nodes_found(found, list, sizeof(list)));
		return why;
	}
	return NULL;
}

struct placement_thp placement_thp(const struct plan_vector *v, const struct placement *found)
{
	struct placement_thp t = {found->sizes.huge_bytes, mem_huge_page(),
		mem_sizes_proof_names[found->sizes.proof]};

	if (found->mthp_bytes)
		t = (struct placement_thp){found->mthp_bytes, mem_page_bytes(v->pages), "touch"};
	if (!t.bytes)
		t.page_bytes = 0;
	return t;
}

/* pagemap shows pages of the usual size only: the others were counted while they came. */
static const char *wrong_mthp(
	const struct mem *m, const struct placement *found, char *why, size_t n)
{
	char has[32], size[32];

	if (found->sizes.huge_bytes)
		snprintf(why, n, "%s of it are in larger transparent huge pages",
			text_size(found->sizes.huge_bytes, has, sizeof(has)));
	else
		snprintf(why, n, "only %s of it are shown to be in transparent huge pages of %s",
			text_size(found->mthp_bytes, has, sizeof(has)),
			text_size(m->page_bytes, size, sizeof(size)));
	return why;
}

/* Of names that go by free blocks: fewer than there were. More, which the kernel made by moving
 * pages, break no promise. */
static const char *too_few_huge(const struct plan_vector *v, const struct mem *m,
	const struct placement *found, char *why, size_t n)
{
	const size_t all = mem_huge_part(v->pages, m->bytes);
	const size_t had = found->promise.local + found->promise.remote;
	const size_t promised = had < all ? had : all;
	char is[32], was[32];

	if (found->sizes.huge_bytes + m->bytes / PLACEMENT_ALIKE >= promised)
		return NULL;
	snprintf(why, n,
		"only %s of it are in transparent huge pages, not the %s that had free huge blocks",
		text_size(found->sizes.huge_bytes, is, sizeof(is)),
		text_size(promised, was, sizeof(was)));
	return why;
}

static bool differ(size_t a, size_t b, const struct mem *m)
{
	return (a > b ? a - b : b - a) > m->bytes / PLACEMENT_ALIKE;
}

const char *placement_unlike(const struct plan_vector *v, const struct mem *m,
	const struct placement *first, const struct placement *now, char *why, size_t n)
{
	const size_t a = now->sizes.huge_bytes, b = first->sizes.huge_bytes;
	const size_t here = now->pages.on_node[v->home] * mem_base_page(),
		     there = first->pages.on_node[v->home] * mem_base_page();
	char is[32], was[32];

	/* what the profiler moves back is found again later */
	if (!by_blocks(v) || v->placement == PLACEMENT_RHP_FRAG_PROFILER)
		return NULL;
	if (differ(a, b, m))
		snprintf(why, n,
			"%s of it are in transparent huge pages, and in the first placement %s: "
			"their mean is of neither",
			text_size(a, is, sizeof(is)), text_size(b, was, sizeof(was)));
	else if (differ(here, there, m))
		snprintf(why, n,
			"%s of it are on node %d, and in the first placement %s: their mean is of "
			"neither",
			text_size(here, is, sizeof(is)), v->home,
			text_size(there, was, sizeof(was)));
	else
		return NULL;
	return why;
}

bool placement_broken(const struct plan_vector *v, const struct placement *found)
{
	return found->broken && (v->policy != MEM_PREFERRED || v->placement != PLACEMENT_BY_NODE);
}

static const char *wrong_size(const struct plan_vector *v, const struct mem *m,
	const struct placement *found, char *why, size_t n)
{
	size_t huge = mem_huge_part(v->pages, m->bytes);
	char has[32], part[32];

	/* madvise() and the pool keep their promise, but transparent huge pages are only a wish */
	if (found->sizes.proof == MEM_SIZES_BY_NOTHING) {
		snprintf(
			why, n, "the kernel does not show whether it is in transparent huge pages");
		return huge || mem_is_mthp(v->pages) ? why : NULL;
	}
	if (mem_is_mthp(v->pages))
		return found->mthp_bytes == m->bytes && !found->sizes.huge_bytes
			       ? NULL
			       : wrong_mthp(m, found, why, n);
	if (mem_only_base(v->pages) && found->sizes.huge_bytes) {
		snprintf(why, n, "%s of it are in transparent huge pages",
			text_size(found->sizes.huge_bytes, has, sizeof(has)));
		return why;
	}
	if (by_blocks(v))
		return too_few_huge(v, m, found, why, n);
	if (huge && found->sizes.huge_bytes != huge) {
		snprintf(why, n, "%s%s of it are in transparent huge pages%s%s",
			found->sizes.huge_bytes < huge ? "only " : "",
			text_size(found->sizes.huge_bytes, has, sizeof(has)),
			huge < m->bytes ? ", not its half, " : "",
			huge < m->bytes ? text_size(huge, part, sizeof(part)) : "");
		return why;
	}
	if (mem_from_pool(v->pages) && found->sizes.kernel_page_bytes != m->page_bytes) {
		snprintf(why, n, "its pages are of %s",
			text_size(found->sizes.kernel_page_bytes, has, sizeof(has)));
		return why;
	}
	return NULL;
}

const char *placement_wrong(const struct plan_vector *v, const struct mem *m,
	const struct placement *found, char *why, size_t n)
{
	/* there are none to prove until a sample reads them in */
	if (m->backed.cache == CACHE_COLD)
		return NULL;
	/* no pages: the kernel does not report their nodes, and touch() has warned about it */
	const char *wrong = found->pages.pages ? wrong_node(v, m, found, why, n) : NULL;

	return wrong ? wrong : wrong_size(v, m, found, why, n);
}
