/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizes of pages, as the kernel has them. */
#include "memory/pages.h"

#include <stdint.h>
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

size_t mem_page_bytes(enum mem_pages pages)
{
	switch (pages) {
	case PAGES_SYSTEM:
	case PAGES_4K:
		return mem_base_page();
	case PAGES_THP:
		return mem_huge_page();
	case PAGES_2M:
		return (size_t)2 << 20;
	case PAGES_1G:
		return (size_t)1 << 30;
	}
	return 0;
}

/* The finalizer of MurmurHash3. */
uint64_t mem_hash(uint64_t x)
{
	x = (x ^ (x >> 33)) * UINT64_C(0xff51afd7ed558ccd);
	x = (x ^ (x >> 33)) * UINT64_C(0xc4ceb9fe1a85ec53);
	return x ^ (x >> 33);
}

bool mem_from_pool(enum mem_pages pages)
{
	return pages == PAGES_2M || pages == PAGES_1G;
}
