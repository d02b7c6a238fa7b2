/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernel's scan of page tables, an ioctl() of /proc/PID/pagemap since Linux 6.7, which takes a
 * twentieth of the time of smaps. Headers before 6.7 lack it; include/uapi/linux/fs.h and
 * Documentation/admin-guide/mm/pagemap.rst of Linux describe it.
 */
#ifndef PAGEMAP_H
#define PAGEMAP_H

#include <stdint.h>
#include <sys/ioctl.h>

/* What is known of a page. */
#define PAGEMAP_PRESENT (UINT64_C(1) << 3)
#define PAGEMAP_SWAPPED (UINT64_C(1) << 4) /* written out, or on its way to another node */
#define PAGEMAP_HUGE    (UINT64_C(1) << 6)

/* Pages that are alike, without a hole: addresses [start, end). */
struct pagemap_region {
	uint64_t start, end, categories;
};

/* Pages with all of `all_of` and at least one of `any_of` (0: none is needed) become regions, with
 * those categories of `wanted` that they have. */
struct pagemap_scan {
	uint64_t size, flags, start, end, walk_end, regions, nregions, max_pages;
	uint64_t inverted, all_of, any_of, wanted;
};

/* Returns the number of regions, or -1 and errno; walk_end: how far it came. */
#define PAGEMAP_SCAN _IOWR('f', 16, struct pagemap_scan)

#endif
