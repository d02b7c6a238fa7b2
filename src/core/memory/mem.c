/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reserves memory under a policy, after checking that it can be kept.
 *
 * pages.h says what can be asked for, check.c whether it can be had, by capacity.c and cgroup.c.
 * mem.c maps, with deal.c where weights divide the pages and backing.c where a file gives them.
 * find.c, sizes.c, frames.c, tables.c and mthp.c prove where pages, their tables and their sizes
 * are. process.c is about the memory of other programs.
 */
#include "memory/mem.h"

#include <assert.h>
#include <errno.h>
#include <numaif.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "memory/capacity.h"
#include "memory/check.h"
#include "base/text.h"

/* numaif.h lacks it: node numbers keep their meaning when the cpuset changes. */
#ifndef MPOL_F_STATIC_NODES
#define MPOL_F_STATIC_NODES (1 << 15)
#endif

#ifndef MAP_HUGE_SHIFT
#define MAP_HUGE_SHIFT 26
#endif

#define WORD_BITS (8 * sizeof(unsigned long))

/* The kernel reads one bit less than the argument says: with 64, node 63 would be lost. */
#define MASK_BITS (MEM_MAX_NODES + 1)

/* Reserves address space with an extra page on either side, and gives back what alignment leaves
 * over. */
static int reserve(struct mem *m, size_t align)
{
	size_t guard = mem_base_page(), length;
	uintptr_t start, end, base;
	void *p;

	if (__builtin_add_overflow(m->bytes, align + 2 * guard, &length)) {
		errno = ENOMEM;
		return -1;
	}
	p = mmap(NULL, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return -1;
	start = (uintptr_t)p;
	base = (start + guard + align - 1) / align * align;
	end = base + m->bytes + guard;
	if (base - guard > start)
		munmap(p, base - guard - start);
	if (end < start + length)
		munmap((void *)end, start + length - end);
	m->base = (void *)base;
	m->map = (void *)(base - guard);
	m->map_bytes = m->bytes + 2 * guard;
	return 0;
}

/* Since Linux 6.7 the kernel aligns large mappings to huge pages by itself; the guard page would
 * undo that, so what the system gives is aligned here, as it would be without a guard. */
static size_t alignment(const struct mem *m, enum mem_pages pages)
{
	size_t huge = mem_huge_page();

	if (pages == PAGES_SYSTEM && huge && m->bytes >= huge)
		return huge;
	if (mem_is_mthp(pages))
		return 2 * m->page_bytes; /* mthp_touch() works on pairs */
	return m->page_bytes;
}

/* A store to the user's file is a fault. */
static int map_file(struct mem *m, const struct mem_backed *b)
{
	const int protection = b->kind == BACKING_FILE ? PROT_READ : PROT_READ | PROT_WRITE;
	const int file = backing_open(b, m->bytes);

	if (file < 0)
		return -1;
	m->backed = *b;
	m->file = file;
	return mmap(m->base, m->bytes, protection, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED
		       ? -1
		       : 0;
}

static int map(struct mem *m, const struct mem_request *r)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
	void *p;

	if (reserve(m, alignment(m, r->pages)))
		return -1;
	if (r->backed && r->backed->kind)
		return map_file(m, r->backed);
	if (mem_from_pool(r->pages))
		flags |= MAP_HUGETLB | __builtin_ctzl(m->page_bytes) << MAP_HUGE_SHIFT;
	p = mmap(m->base, m->bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
	return p == MAP_FAILED ? -1 : 0;
}

static int report_no_map(
	const struct mem_request *r, const char *what, struct place at, struct errors *e)
{
	char size[32];
	int error = errno;

	text_size(r->bytes, size, sizeof(size));
	if (r->backed && r->backed->path) {
		error_add(e, STATUS_PLACEMENT, at, "%s: cannot have %s in '%s': %s", what, size,
			r->backed->path, strerror(error));
		return error_hint(e, "df and ulimit -f show the room there, ls -l who may read and "
				     "write it");
	}
	if (!mem_from_pool(r->pages) || error != ENOMEM)
		return error_add(e, STATUS_FAILED, at, "%s: cannot reserve %s: %s", what, size,
			strerror(error));
	error_add(e, STATUS_PLACEMENT, at,
		"%s: cannot reserve %s: other processes have reserved the free pages of the pool",
		what, size);
	return error_hint(
		e, "grep Huge /proc/meminfo shows them as HugePages_Rsvd; enlarge the pool");
}

/* Several preferred nodes have a policy of their own, from Linux 5.15 on. */
#ifndef MPOL_PREFERRED_MANY
#define MPOL_PREFERRED_MANY 5
#endif

static bool prefers_several(const struct mem_request *r)
{
	int nodes = 0;

	for (size_t i = 0; i < MEM_MAX_NODES && r->policy == MEM_PREFERRED; i++)
		nodes += r->nodes[i];
	return nodes > 1;
}

static int report_no_policy(
	const struct mem_request *r, const char *what, struct place at, struct errors *e)
{
	int error = errno;

	error_add(e, STATUS_PLACEMENT, at, "%s: the kernel refuses the memory policy: %s", what,
		strerror(error));
	if (error == EINVAL && prefers_several(r))
		error_hint(
			e, "several preferred nodes need Linux 5.15 or newer; preferred:N is one");
	else if (error == EINVAL)
		error_hint(e,
			"a node may have gone offline or out of this process's cpuset; affinity "
			"--topology shows which can hold vectors");
	return -1;
}

/* The policy as the kernel takes it: its mode, and its nodes in mask. */
static int policy_of(const struct mem_request *r, unsigned long mask[MEM_MAX_NODES / WORD_BITS])
{
	static const int modes[] = {
		[MEM_BIND] = MPOL_BIND | MPOL_F_STATIC_NODES,
		[MEM_INTERLEAVE] = MPOL_INTERLEAVE | MPOL_F_STATIC_NODES,
		[MEM_PREFERRED] = MPOL_PREFERRED | MPOL_F_STATIC_NODES,
		[MEM_LOCAL] = MPOL_LOCAL,
	};

	for (size_t i = 0; i < MEM_MAX_NODES && r->policy != MEM_LOCAL; i++)
		if (r->nodes[i])
			mask[i / WORD_BITS] |= 1UL << i % WORD_BITS;
	return prefers_several(r) ? MPOL_PREFERRED_MANY | MPOL_F_STATIC_NODES : modes[r->policy];
}

static int set_policy(const struct mem *m, const struct mem_request *r)
{
	unsigned long mask[MEM_MAX_NODES / WORD_BITS] = {0};
	const int mode = policy_of(r, mask);

	if (r->policy == MEM_LOCAL)
		return mbind(m->base, m->bytes, mode, NULL, 0, 0) ? -1 : 0;
	return mbind(m->base, m->bytes, mode, mask, MASK_BITS, 0) ? -1 : 0;
}

int mem_task_begin(const struct mem_request *r, struct mem_task_policy *before)
{
	unsigned long mask[MEM_MAX_NODES / WORD_BITS] = {0};
	const int mode = policy_of(r, mask);

	*before = (struct mem_task_policy){0};
	if (get_mempolicy(&before->mode, before->mask, MASK_BITS, NULL, 0))
		return -1;
	if (r->policy == MEM_LOCAL)
		return set_mempolicy(mode, NULL, 0) ? -1 : 0;
	return set_mempolicy(mode, mask, MASK_BITS) ? -1 : 0;
}

void mem_task_end(const struct mem_task_policy *before)
{
	const int error = errno;
	bool nodes = false;

	for (size_t i = 0; i < sizeof(before->mask) / sizeof(*before->mask); i++)
		nodes |= before->mask[i];
	(void)set_mempolicy(before->mode, nodes ? before->mask : NULL, nodes ? MASK_BITS : 0);
	errno = error;
}

int mem_prefer(const struct mem *m, size_t offset, size_t bytes, int node)
{
	unsigned long mask[MEM_MAX_NODES / WORD_BITS] = {0};

	mask[(size_t)node / WORD_BITS] = 1UL << (size_t)node % WORD_BITS;
	return mbind((char *)m->base + offset, bytes, MPOL_PREFERRED | MPOL_F_STATIC_NODES, mask,
		       MASK_BITS, 0)
		       ? -1
		       : 0;
}

static int apply_policy(struct mem *m, const struct mem_request *r, struct mem_rights *rights)
{
	if (!rights->policies && !set_policy(m, r))
		return 0;
	if (!rights->policies && errno != EPERM && errno != ENOSYS)
		return -1;
	if (!rights->policies)
		rights->policies = errno;
	m->no_policy = true;
	return 0;
}

static int advise_halves(const struct mem *m, bool huge_last)
{
	size_t huge = mem_huge_part(PAGES_THP_BASE, m->bytes), small = m->bytes - huge;
	char *base = m->base;

	return madvise(huge_last ? base + small : base, huge, MADV_HUGEPAGE) ||
	       madvise(huge_last ? base : base + huge, small, MADV_NOHUGEPAGE);
}

static int advise_mapping(const struct mem *m, const struct mem_request *r)
{
	enum mem_pages pages = r->pages;

	if (mem_is_half_thp(pages))
		return advise_halves(m, r->huge_last);
	if (mem_is_thp(pages))
		return madvise(m->base, m->bytes, MADV_HUGEPAGE);
	/* mthp_touch() begins with small pages */
	if (mem_is_mthp(pages))
		return madvise(m->base, m->bytes, MADV_NOHUGEPAGE);
	/* EINVAL: a kernel without transparent huge pages, which then cannot appear. */
	if (mem_only_base(pages) && madvise(m->base, m->bytes, MADV_NOHUGEPAGE) && errno != EINVAL)
		return -1;
	return 0;
}

static int check_request(
	const struct mem_request *r, const char *what, struct place at, struct errors *e)
{
	bool allowed[MEM_MAX_NODES];

	if (r->policy != MEM_LOCAL) {
		if (!capacity_allowed(allowed))
			memset(allowed, true, sizeof(allowed));
		if (mem_check_nodes(r, allowed, what, at, e))
			return -1;
	}
	return mem_check_pages(r, NULL, what, at, e) || mem_check_limits(r, NULL, what, at, e) ? -1
											       : 0;
}

/* Whole pages. */
static int round_up(struct mem *m, size_t bytes)
{
	if (__builtin_add_overflow(bytes, m->page_bytes - 1, &m->bytes))
		return -1;
	m->bytes -= m->bytes % m->page_bytes;
	return 0;
}

int mem_map(struct mem *m, const struct mem_request *r, struct mem_rights *rights, const char *what,
	struct place at, struct errors *e)
{
	int result;

	assert(r->bytes > 0);
	*m = (struct mem){
		.page_bytes = mem_page_bytes(r->pages), .from_pool = mem_from_pool(r->pages)};
	result = check_request(r, what, at, e);
	if (result)
		goto out;
	errno = ENOMEM;
	if (round_up(m, r->bytes) || map(m, r)) {
		result = report_no_map(r, what, at, e);
		goto out;
	}
	if (apply_policy(m, r, rights))
		result = report_no_policy(r, what, at, e);
	if (!result && advise_mapping(m, r))
		result = error_add(e, STATUS_PLACEMENT, at,
			"%s: the kernel refuses the page size: %s", what, strerror(errno));
out:
	if (result)
		mem_unmap(m);
	return result;
}

void mem_unmap(struct mem *m)
{
	if (m->map)
		munmap(m->map, m->map_bytes);
	if (m->backed.kind)
		close(m->file);
	*m = (struct mem){0};
}
