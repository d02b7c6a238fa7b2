/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A queue of mappings that nothing uses any more. */
#include "placement/kept.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "memory/capacity.h"
#include "placement/touch.h"

/* Vectors of a policy with several nodes may be on the fullest one. */
static void limit(struct kept *h, const struct topo *t)
{
	h->limited = true;
	h->most_anywhere = capacity_left(-1).bytes / KEPT_SHARE;
	for (int i = 0; i < t->nnodes; i++) {
		int node = t->nodes[i].node;
		size_t most = capacity_left(node).bytes / KEPT_SHARE;

		if (!t->nodes[i].allowed || !capacity_total(node))
			continue;
		h->most[node] = most;
		h->most_anywhere = most < h->most_anywhere ? most : h->most_anywhere;
	}
}

static size_t bytes_of(const struct kept *h, int node)
{
	size_t bytes = 0;

	for (size_t i = 0; i < h->count; i++)
		if (h->list[i].node == node)
			bytes += h->list[i].mem.bytes;
	return bytes;
}

/* The oldest one of that node; there is one. */
static void drop(struct kept *h, int node)
{
	size_t i = 0;

	while (h->list[i].node != node)
		i++;
	mem_unmap(&h->list[i].mem);
	h->count--;
	memmove(&h->list[i], &h->list[i + 1], (h->count - i) * sizeof(*h->list));
}

static void keep_vector(struct kept *h, const struct plan_vector *v, struct mem *m)
{
	int node = touch_source(v);

	/* what is still mapped cannot be dropped */
	if (mem_from_pool(v->pages) || backing_is_file(&m->backed)) {
		mem_unmap(m);
		return;
	}
	h->list = alloc_grow(h->list, h->count, sizeof(*h->list));
	h->list[h->count++] = (struct kept_vector){*m, node};
	*m = (struct mem){0};
	size_t most = node < 0 ? h->most_anywhere : h->most[node];
	while (bytes_of(h, node) > most)
		drop(h, node);
}

void kept_take(struct kept *h, struct prepared *r)
{
	if (!h->limited && r->mems)
		limit(h, r->plan->topo);
	for (int i = 0; r->mems && i < r->plan->nvectors; i++)
		keep_vector(h, &r->plan->vectors[i], &r->mems[i]);
	prepare_release(r);
}

void kept_release(struct kept *h)
{
	for (size_t i = 0; i < h->count; i++)
		mem_unmap(&h->list[i].mem);
	free(h->list);
	*h = (struct kept){0};
}
