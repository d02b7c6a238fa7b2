/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Touches pairs of blocks in an order in which only one size of pages fits. */
#include "memory/mthp.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "memory/pages.h"

/* An entry of /proc/self/pagemap: Documentation/admin-guide/mm/pagemap.rst of Linux. */
#define PRESENT (UINT64_C(1) << 63)

/* Entries in one read, of 4 KiB. */
#define ENTRIES 512

struct part {
	char *from, *to;
	size_t block;
	int pagemap;
};

/* Base pages of a block that are present; 0 where pagemap does not say. */
static size_t present(const struct part *p, const char *block)
{
	size_t base = mem_base_page(), left = p->block / base, count = 0;
	off_t at = (off_t)((uintptr_t)block / base * sizeof(uint64_t));
	uint64_t entries[ENTRIES];

	while (left) {
		size_t n = left < ENTRIES ? left : ENTRIES, bytes = n * sizeof(*entries);

		if (pread(p->pagemap, entries, bytes, at) != (ssize_t)bytes)
			return 0;
		for (size_t i = 0; i < n; i++)
			count += entries[i] & PRESENT ? 1 : 0;
		left -= n;
		at += (off_t)bytes;
	}
	return count;
}

/* Does one write make all of an absent block present? */
static bool comes_whole(const struct part *p, char *block)
{
	size_t before = present(p, block);

	*(volatile char *)block = 0;
	return !before && present(p, block) == p->block / mem_base_page();
}

/* Blocks that came whole. A second half counts only if its first half still has nothing but the
 * small page; else both may be parts of a larger page. */
static size_t touch(const struct part *p)
{
	size_t bytes = (size_t)(p->to - p->from), count = 0;

	for (char *c = p->from; c < p->to; c += 2 * p->block)
		*(volatile char *)c = 0;
	if (madvise(p->from, bytes, MADV_HUGEPAGE))
		return 0;
	for (char *c = p->from; c + p->block < p->to; c += 2 * p->block)
		count += comes_whole(p, c + p->block) && present(p, c) == 1;
	for (char *c = p->from; c < p->to; c += 2 * p->block)
		count += !madvise(c, mem_base_page(), MADV_DONTNEED) && comes_whole(p, c);
	/* or khugepaged would make larger ones */
	return madvise(p->from, bytes, MADV_NOHUGEPAGE) ? 0 : count;
}

/* Where pages of that size are scarce, only a write to each base page brings all into memory. */
static void touch_rest(const struct part *p)
{
	for (char *c = p->from; c < p->to; c += mem_base_page())
		*(volatile char *)c = 0;
}

size_t mthp_touch(void *from, void *to, size_t size)
{
	struct part p = {from, to, size, open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)};
	size_t count = touch(&p);

	touch_rest(&p);
	if (p.pagemap >= 0)
		close(p.pagemap);
	return count * size;
}
