/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Physical ranges: runs of pages whose frames follow each other, as /proc/PID/pagemap shows them to
 * a process with CAP_SYS_ADMIN. */
#ifndef FRAMES_H
#define FRAMES_H

#include <stddef.h>
#include <stdint.h>

struct frames {
	uint64_t *lengths; /* of the ranges, in base pages; frames_free() */
	size_t count;
};

/* Adds the ranges of [base, base + bytes), page-aligned; pages that are not in memory are in none.
 * 0, or -1 and errno, with *f as it was: EPERM, the kernel hides frames from this process. */
int frames_add(struct frames *f, const void *base, size_t bytes);

/* The same of an open pagemap, and of pages by their number. */
int frames_add_from(struct frames *f, int pagemap, uint64_t page, size_t pages);

void frames_free(struct frames *f);

#endif
