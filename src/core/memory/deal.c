/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves pages to nodes by weights. */
#include "memory/deal.h"

#include <numaif.h>
#include <stdlib.h>

#include "base/alloc.h"

/* Pages in one call, as in find.c. Each call makes every CPU empty its list of pages, so few are
 * better. */
#define BATCH 16384

/* The nodes of one cycle of turns, [sum of the weights]. */
struct cycle {
	int *nodes;
	size_t length;
};

static struct cycle cycle_of(const struct deal *d)
{
	struct cycle c = {NULL, 0};

	for (int node = 0; node < MEM_MAX_NODES; node++)
		c.length += d->weights[node];
	c.nodes = alloc_zeroed(c.length, sizeof(*c.nodes));
	for (size_t i = 0, node = 0; node < MEM_MAX_NODES; node++)
		for (unsigned k = 0; k < d->weights[node]; k++)
			c.nodes[i++] = (int)node;
	return c;
}

static void write_pages(const struct mem *m, char value)
{
	char *const end = (char *)m->base + m->bytes;

	for (char *c = m->base; c < end; c += mem_base_page())
		*(volatile char *)c = value;
}

void deal_pages(const struct mem *m, const struct deal *d, const volatile sig_atomic_t *stop)
{
	const size_t page = mem_base_page(), all = m->bytes / page,
		     room = all < BATCH ? all : BATCH;
	struct cycle c = cycle_of(d);
	void **pages = alloc_zeroed(room + 1, sizeof(*pages));
	int *nodes = alloc_zeroed(room + 1, sizeof(*nodes));
	int *status = alloc_zeroed(room + 1, sizeof(*status));

	write_pages(m, 1);
	for (size_t first = 0, n; first < all && !*stop; first += n) {
		n = all - first < room ? all - first : room;
		for (size_t i = 0; i < n; i++) {
			pages[i] = (char *)m->base + (first + i) * page;
			nodes[i] = c.nodes[(first + i) * page / d->unit % c.length];
		}
		/* what it returns says little: it ends at the first page that stays */
		(void)move_pages(0, n, pages, nodes, status, MPOL_MF_MOVE);
	}
	write_pages(m, 0);
	free(status);
	free(nodes);
	free(pages);
	free(c.nodes);
}

size_t deal_expects(const struct mem *m, const struct deal *d, int node)
{
	const size_t pages = m->bytes / mem_base_page(), unit = d->unit / mem_base_page();
	size_t sum = 0, before = 0;

	for (int i = 0; i < MEM_MAX_NODES; i++) {
		sum += d->weights[i];
		before += i < node ? d->weights[i] : 0;
	}
	const size_t cycle = sum * unit, begin = before * unit, own = d->weights[node] * unit;
	const size_t rest = pages % cycle, behind = rest > begin ? rest - begin : 0;

	return pages / cycle * own + (behind < own ? behind : own);
}
