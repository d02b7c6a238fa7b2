/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory for copies: mapped, not allocated, so that its pages are new in each sample. */
#include "copies.h"

#include <math.h>
#include <numaif.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "node_here.h"
#include "now.h"
#include "page_nodes.h"

#define CHUNK 2048 /* addresses of a query */

/* A tenth is left to all others. Without a driver the room is not known. */
void copying_ready(struct copying *c, const struct machine_memory *memory)
{
	const uint64_t left = memory ? memory->left() : INT64_MAX;

	c->room = (int64_t)(left < INT64_MAX ? left : INT64_MAX) / 10 * 9;
}

void copies_clear(struct copies *c)
{
	for (int k = 0; k < COPIES; k++)
		if (c->list[k].mapping)
			munmap(c->list[k].mapping, c->list[k].mapped);
	*c = (struct copies){0};
}

static void give_back(struct copy *m, struct copying *all)
{
	if (m->mapping)
		munmap(m->mapping, m->mapped);
	all->room += (int64_t)m->mapped;
	*m = (struct copy){0};
}

/* The policy of the process has no part in it. Pages are of the kind that the array has. */
static bool map_memory(struct copy *m, struct copying *all, size_t bytes, size_t huge_page)
{
	const size_t align = huge_page ? huge_page : (size_t)sysconf(_SC_PAGESIZE);
	const size_t room = (bytes + align - 1) / align * align, mapped = room + huge_page;

	if (atomic_fetch_sub(&all->room, (int64_t)mapped) < (int64_t)mapped) {
		all->room += (int64_t)mapped;
		return false;
	}
	char *mapping =
		mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (mapping == MAP_FAILED) {
		all->room += (int64_t)mapped;
		return false;
	}
	*m = (struct copy){
		.memory = (char *)(((uintptr_t)mapping + huge_page) / align * align),
		.mapping = mapping,
		.room = room,
		.mapped = mapped,
		.node = node_now(),
	};
	mbind(mapping, mapped, MPOL_PREFERRED, NULL, 0, 0);
	madvise(m->memory, room, huge_page ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	return true;
}

void *copies_take(struct copies *c, struct copying *all, int k, void *array, size_t bytes,
	bool reads, size_t huge_page)
{
	const uint64_t begin = now_ns();
	struct copy *m = &c->list[k];

	if (m->room < bytes)
		give_back(m, all);
	if (m->room < bytes && !map_memory(m, all, bytes, huge_page)) {
		c->uncopied += bytes;
		return array;
	}
	m->array = array;
	m->bytes = bytes;
	if (reads) {
		memcpy(m->memory, array, bytes);
		c->in += bytes;
	}
	c->ns += now_ns() - begin;
	return m->memory;
}

void copies_give(struct copies *c, int k, bool stored)
{
	const uint64_t begin = now_ns();
	struct copy *m = &c->list[k];

	if (!m->array)
		return;
	if (stored) {
		memcpy(m->array, m->memory, m->bytes);
		c->out += m->bytes;
	}
	m->array = NULL;
	c->ns += now_ns() - begin;
}

/* Pages that were never touched are nowhere. */
static double astray(const struct copy *m, size_t page)
{
	void *pages[CHUNK];
	int status[CHUNK];
	double count = 0;

	for (size_t at = 0, n; at < m->room; at += n * page) {
		for (n = 0; n < CHUNK && at + n * page < m->room; n++)
			pages[n] = m->memory + at + n * page;
		if (page_nodes(n, pages, status))
			return NAN;
		for (size_t i = 0; i < n; i++)
			count += status[i] >= 0 && status[i] != m->node;
	}
	return count;
}

double copies_missed(const struct copies *c)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	double count = ceil((double)c->uncopied / (double)page);

	for (int k = 0; k < COPIES; k++)
		count += astray(&c->list[k], page);
	return count;
}
