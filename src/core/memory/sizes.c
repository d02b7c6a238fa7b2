/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks the kernel for the sizes of a mapping's pages. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/pagemap.h"
#include "memory/mem.h"

/* ---- the scan of page tables */

/* Regions in one call: more are found only where small and huge pages take turns. */
#define REGIONS 64

static void add_region(struct mem_sizes *sizes, const struct pagemap_region *r, size_t huge)
{
	sizes->huge_bytes += r->end - r->start;
	for (uint64_t at = r->start; at < r->end; at += huge)
		sizes->huge_places += mem_hash(at);
}

/* Pages that are not there, or not huge, are in no region. Returns 0, or -1 where the kernel cannot
 * do it. */
static int scan_huge(int file, const struct mem *m, size_t huge, struct mem_sizes *sizes)
{
	struct pagemap_region regions[REGIONS];
	uint64_t end = (uintptr_t)m->base + m->bytes;
	struct pagemap_scan scan = {.size = sizeof(scan),
		.start = (uintptr_t)m->base,
		.end = end,
		.regions = (uintptr_t)regions,
		.nregions = REGIONS,
		.all_of = PAGEMAP_HUGE,
		.wanted = PAGEMAP_HUGE};

	for (; scan.start < end; scan.start = scan.walk_end) {
		int n = ioctl(file, PAGEMAP_SCAN, &scan);

		if (n < 0 || scan.walk_end <= scan.start)
			return -1;
		for (int i = 0; i < n; i++)
			add_region(sizes, &regions[i], huge);
	}
	return 0;
}

/* Not for a pool's pages: they are huge to the scan as well, and smaps tells their size. */
static int scan_sizes(const struct mem *m, struct mem_sizes *sizes)
{
	size_t huge = mem_huge_page();
	int file, failed;

	if (m->from_pool)
		return -1;
	file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return -1;
	*sizes = (struct mem_sizes){
		.proof = MEM_SIZES_BY_PAGEMAP, .kernel_page_bytes = mem_base_page()};
	failed = scan_huge(file, m, huge ? huge : mem_base_page(), sizes);
	close(file);
	return failed;
}

/* ---- maps and smaps */

/* Bytes of the value of a line "KEY:   123 kB", or -1. */
static long long smaps_bytes(const char *line, const char *key)
{
	long long kib;
	size_t length = strlen(key);

	if (strncmp(line, key, length) || line[length] != ':')
		return -1;
	return sscanf(line + length + 1, "%lld", &kib) == 1 ? kib * 1024 : -1;
}

static void add_sizes(struct mem_sizes *sizes, const char *line)
{
	long long page = smaps_bytes(line, "KernelPageSize");
	long long huge = smaps_bytes(line, "AnonHugePages");

	if (page > 0)
		sizes->kernel_page_bytes = (size_t)page;
	if (huge > 0)
		sizes->huge_bytes += (size_t)huge;
}

/* maps has the same first lines as smaps, without sizes, and takes no time.
 *
 * The kernel may have split the mapping: sums up the parts, which must cover all of it. The kernel
 * walks over each mapping that is read from smaps, so reading stops after ours. */
static int read_mappings(const struct mem *m, const char *path, struct mem_sizes *sizes)
{
	unsigned long first = (unsigned long)m->base, end = first + m->bytes, from, to;
	char line[512];
	size_t covered = 0;
	bool ours = false;
	FILE *f = fopen(path, "r");

	*sizes = (struct mem_sizes){0};
	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx ", &from, &to) == 2) {
			if (from >= end)
				break;
			ours = from >= first && to <= end;
			covered += ours ? to - from : 0;
		} else if (ours) {
			add_sizes(sizes, line);
		}
	}
	fclose(f);
	return covered == m->bytes ? 0 : -1;
}

const char *const mem_sizes_proof_names[] = {
	[MEM_SIZES_BY_PAGEMAP] = "pagemap",
	[MEM_SIZES_BY_SMAPS] = "smaps",
};

int mem_sizes(const struct mem *m, struct mem_sizes *sizes)
{
	struct mem_sizes unknown;

	/* the scan passes over holes */
	if (!scan_sizes(m, sizes) && !read_mappings(m, "/proc/self/maps", &unknown))
		return 0;
	/* some sandboxes have the file without its lines on pages */
	if (!read_mappings(m, "/proc/self/smaps", sizes) && sizes->kernel_page_bytes) {
		sizes->proof = MEM_SIZES_BY_SMAPS;
		return 0;
	}
	*sizes = (struct mem_sizes){0};
	return -1;
}

int mem_sizes_again(const struct mem *m, struct mem_sizes *sizes)
{
	if (sizes->proof != MEM_SIZES_BY_PAGEMAP || scan_sizes(m, sizes))
		return mem_sizes(m, sizes);
	return 0;
}
