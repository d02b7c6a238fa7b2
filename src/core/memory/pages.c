/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizes of pages, as the kernel has them. */
#include "memory/pages.h"

#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "base/text.h"

size_t mem_base_page(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

size_t mem_huge_page(void)
{
	char line[32];
	uint64_t bytes;

	if (text_first_line(THP_DIR "/hpage_pmd_size", line, sizeof(line)) ||
		text_count(line, &bytes))
		return 0;
	return (size_t)bytes;
}

#define K ((size_t)1 << 10)
#define M ((size_t)1 << 20)
#define G ((size_t)1 << 30)

const size_t mem_pool_bytes[MEM_POOLS] = {64 * K, 2 * M, 32 * M, 512 * M, G, 16 * G};

/* The size in the name of base pages and of those of a pool; 0: the kernel decides. */
static size_t named_bytes(enum mem_pages pages)
{
	static const size_t bytes[] = {[PAGES_4K] = 4 * K,
		[PAGES_16K] = 16 * K,
		[PAGES_64K] = 64 * K,
		[PAGES_2M] = 2 * M,
		[PAGES_32M] = 32 * M,
		[PAGES_512M] = 512 * M,
		[PAGES_1G] = G,
		[PAGES_16G] = 16 * G};

	return pages < PAGES_THP_16K ? bytes[pages] : 0;
}

/* The size in the name of transparent huge pages; 0 for other values. */
static size_t thp_bytes(enum mem_pages pages)
{
	return pages < PAGES_THP_16K || pages > PAGES_THP_256M ? 0
							       : 16 * K << (pages - PAGES_THP_16K);
}

bool mem_is_thp(enum mem_pages pages)
{
	return pages == PAGES_THP || (thp_bytes(pages) && thp_bytes(pages) == mem_huge_page());
}

bool mem_is_mthp(enum mem_pages pages)
{
	return thp_bytes(pages) && thp_bytes(pages) != mem_huge_page();
}

bool mem_is_half_thp(enum mem_pages pages)
{
	return pages == PAGES_THP_BASE;
}

size_t mem_huge_part(enum mem_pages pages, size_t bytes)
{
	size_t huge = mem_huge_page();

	if (mem_is_thp(pages))
		return bytes;
	return mem_is_half_thp(pages) && huge ? (bytes / huge + 1) / 2 * huge : 0;
}

const char *mem_thp_setting(size_t bytes, char *path, size_t n)
{
	snprintf(path, n, THP_DIR "/hugepages-%zukB/enabled", bytes / 1024);
	return path;
}

size_t mem_page_bytes(enum mem_pages pages)
{
	if (thp_bytes(pages))
		return thp_bytes(pages);
	if (pages == PAGES_THP || mem_is_half_thp(pages))
		return mem_huge_page();
	return mem_from_pool(pages) ? named_bytes(pages) : mem_base_page();
}

/* 64 KiB are a base page where the kernel has such, and else those of a pool. */
bool mem_from_pool(enum mem_pages pages)
{
	size_t bytes = named_bytes(pages);

	return bytes >= 64 * K && bytes != mem_base_page();
}

bool mem_only_base(enum mem_pages pages)
{
	return pages == PAGES_BASE || (named_bytes(pages) && !mem_from_pool(pages));
}

/* The finalizer of MurmurHash3. */
uint64_t mem_hash(uint64_t x)
{
	x = (x ^ (x >> 33)) * UINT64_C(0xff51afd7ed558ccd);
	x = (x ^ (x >> 33)) * UINT64_C(0xc4ceb9fe1a85ec53);
	return x ^ (x >> 33);
}
