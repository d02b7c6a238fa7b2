/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The system calls that move, and the copy that migrate compares them with. */
#include <numaif.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "migrate.h"

/* After an error the rest would fail, too: the node is full. Above 0: so many pages stayed. */
static void by_move_pages(struct migrate *m, size_t first, size_t n)
{
	struct moved_pages *p = &m->pages;

	if (m->stopped)
		return;
	long left = move_pages(0, n, &p->list[first], p->nodes, p->status, MPOL_MF_MOVE);

	m->calls++;
	m->stopped = left < 0;
	m->failed |= left != 0;
}

static void by_mbind(struct migrate *m, size_t first, size_t n)
{
	unsigned long mask[MOVED_NODES / 8 / sizeof(unsigned long)];
	char *from = m->pages.list[first], *to = m->pages.list[first + n];

	moved_pages_mask(mask, m->target);
	/* strict: without it the call returns 0 also when nothing moved */
	m->failed |= mbind(from, (size_t)(to - from), MPOL_BIND, mask, MOVED_NODES,
			     MPOL_MF_MOVE | MPOL_MF_STRICT) != 0;
	m->calls++;
}

long migrate_process(int from, int to)
{
	unsigned long source[MOVED_NODES / 8 / sizeof(unsigned long)];
	unsigned long target[MOVED_NODES / 8 / sizeof(unsigned long)];

	moved_pages_mask(source, from);
	moved_pages_mask(target, to);
	return migrate_pages(0, MOVED_NODES, source, target);
}

static void by_migrate_pages(struct migrate *m)
{
	/* above 0: pages stayed, but perhaps none of the vector's */
	m->failed |= migrate_process(m->pages.home[0], m->target) < 0;
	m->calls++;
}

void migrate_free_copy(struct migrate *m)
{
	if (m->copy)
		munmap(m->copy_map, m->copy_bytes);
	m->copy = NULL;
}

/* Pages of the same kind as the vector's. */
static void map_copy(struct migrate *m)
{
	const struct moved_pages *p = &m->pages;
	const bool pool = p->page_bytes > (size_t)sysconf(_SC_PAGESIZE);
	const size_t align = p->huge_bytes ? p->huge_page : p->page_bytes;
	const int kind = pool ? MAP_HUGETLB | __builtin_ctzl(p->page_bytes) << 26 : 0;
	unsigned long mask[MOVED_NODES / 8 / sizeof(unsigned long)];

	m->copy_bytes = p->bytes + (pool ? 0 : align);
	m->copy_map = mmap(NULL, m->copy_bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | kind, -1, 0);
	if (m->copy_map == MAP_FAILED) {
		m->failed = true;
		return;
	}
	m->copy = (char *)(((uintptr_t)m->copy_map + align - 1) / align * align);
	moved_pages_mask(mask, m->target);
	m->failed |= mbind(m->copy, p->bytes, MPOL_PREFERRED, mask, MOVED_NODES, 0) != 0;
	if (!pool)
		madvise(m->copy, p->bytes, p->huge_bytes ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
}

static void by_copy(struct migrate *m, size_t first, size_t n)
{
	const char *from = m->pages.list[first], *to = m->pages.list[first + n];

	if (!first) {
		migrate_free_copy(m);
		map_copy(m);
	}
	if (!m->copy)
		return;
	memcpy(m->copy + (from - m->pages.base), from, (size_t)(to - from));
	m->calls++;
}

void migrate_once(struct migrate *m, const struct migrate_args *args)
{
	const size_t all = m->pages.n;
	const size_t batch = args->batch && args->batch < all ? args->batch : all;

	if (args->mover == MOVER_MIGRATE_PAGES) {
		by_migrate_pages(m);
		return;
	}
	for (size_t first = 0, n; first < all; first += n) {
		n = all - first < batch ? all - first : batch;
		if (args->mover == MOVER_MOVE_PAGES)
			by_move_pages(m, first, n);
		else if (args->mover == MOVER_MBIND)
			by_mbind(m, first, n);
		else
			by_copy(m, first, n);
	}
}
