/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves far pages to the node of their threads, as the profiler does. */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "base/clock.h"
#include "memory/deal.h"
#include "placement/found.h"

static int refuse_move(const struct plan *p, int vector, int error, struct errors *e)
{
	error_add(e, STATUS_PLACEMENT, p->request->node_per_vector.at,
		"vector %d: the kernel does not let its pages be moved back to node %d: %s", vector,
		p->vectors[vector].home, strerror(error));
	return error_hint(e, "in a container: docker run or podman run --security-opt "
			     "seccomp=unconfined; or nodePerVector: rhp_frag, which leaves them");
}

/* Huge pages become small ones where the node has no block for them. */
static int move_pages_to_node(
	struct prepared *r, int vector, const volatile sig_atomic_t *stop, struct errors *e)
{
	const struct mem *m = &r->mems[vector];
	unsigned weights[MEM_MAX_NODES] = {0};
	const int home = r->plan->vectors[vector].home;
	const uint64_t begin = clock_ns();

	if (r->rights->move_pages)
		return refuse_move(r->plan, vector, r->rights->move_pages, e);
	if (mem_prefer(m, 0, m->bytes, home))
		return refuse_move(r->plan, vector, errno, e);
	weights[home] = 1;
	deal_pages(m, &(struct deal){weights, mem_base_page()}, stop);
	found_now(r, vector)->bring_ns = clock_ns() - begin;
	return *stop ? -1 : 0;
}

static int find_pages(struct prepared *r, int vector, struct errors *e)
{
	const int home = r->plan->vectors[vector].home;
	struct placement *found = found_now(r, vector);
	const size_t before = found->pages.on_node[home];
	struct touched now = {0};
	char why[128];

	if (found_again(r, r->plan, vector, &now, e))
		return -1;
	mem_sizes_again(&r->mems[vector], &found->sizes);
	found->pages = now.pages;
	const size_t all = now.pages.pages, here = now.pages.on_node[home];

	found->brought = here > before ? (here - before) * mem_base_page() : 0;
	if (here == all)
		return 0;
	snprintf(why, sizeof(why), "%zu of %zu page%s could not be moved back to node %d",
		all - here, all, text_s(all), home);
	return found_wrong(r->plan, vector, why, e);
}

int prepare_bring(struct prepared *r, const volatile sig_atomic_t *stop, struct errors *e)
{
	int failed = 0;

	for (int i = 0; i < r->plan->nvectors && !failed; i++)
		if (r->plan->vectors[i].placement == PLACEMENT_RHP_FRAG_PROFILER)
			failed = move_pages_to_node(r, i, stop, e) || find_pages(r, i, e) ? -1 : 0;
	if (failed) {
		prepare_release(r);
		r->made--;
		return -1;
	}
	found_note(r, e);
	return 0;
}
