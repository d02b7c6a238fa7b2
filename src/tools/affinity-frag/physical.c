/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads /proc/kpageflags of a node's zones, and /proc/self/pagemap. */
#include "affinity-frag/physical.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

#define PAGEMAP "/proc/self/pagemap"

/* Documentation/admin-guide/mm/pagemap.rst of Linux. */
#define PAGE_NUMBER ((UINT64_C(1) << 55) - 1)

/* Of which flags are read at a time. */
#define BLOCKS_AT_ONCE 64

/* pagemap can be opened by any user, but has numbers of pages for CAP_SYS_ADMIN only. */
int physical_refused(void)
{
	const struct node page = {.base = (size_t)sysconf(_SC_PAGESIZE)};
	int fd = open(PHYSICAL_FLAGS, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return errno;
	close(fd);
	return physical_page(&page, &fd) ? 0 : EPERM;
}

uint64_t physical_page(const struct node *n, const void *address)
{
	int fd = open(PAGEMAP, O_RDONLY | O_CLOEXEC);
	uint64_t entry = 0;
	off_t at = (off_t)((uintptr_t)address / n->base * sizeof(entry));

	if (fd < 0)
		return 0;
	if (pread(fd, &entry, sizeof(entry), at) != sizeof(entry))
		entry = 0;
	close(fd);
	return entry & PAGE_NUMBER;
}

static int unreadable(struct errors *e)
{
	return error_add(
		e, STATUS_FAILED, NOWHERE, "cannot read %s: %s", PHYSICAL_FLAGS, strerror(errno));
}

/* Pages of other nodes between those of this one would count as its own. */
static int check_apart(const struct node *n, const struct zone_limits *z, struct errors *e)
{
	for (size_t i = 0; i < n->limits.count; i++) {
		const struct zone_limits *other = &n->limits.zones[i];

		if (other->node == n->id || !other->spanned ||
			other->start >= z->start + z->spanned ||
			z->start >= other->start + other->spanned)
			continue;
		error_add(e, STATUS_PLACEMENT, NOWHERE,
			"pages of nodes %d and %d lie between each other: physical ranges of node "
			"%d cannot be distinguished",
			n->id, other->node, n->id);
		return error_hint(e, "leave --ranges out");
	}
	return 0;
}

static int read_zone(const struct node *n, const struct zone_limits *z, int fd, struct ranges *r,
	struct errors *e)
{
	const uint64_t per = r->per_block, end = (z->start + z->spanned) / per * per;
	const size_t most = BLOCKS_AT_ONCE * per;
	uint64_t *flags = alloc_zeroed(most, sizeof(*flags));
	ssize_t bytes = 1;

	for (uint64_t page = (z->start + per - 1) / per * per; page < end && bytes > 0;) {
		size_t pages = end - page < most ? end - page : most;

		bytes = pread(fd, flags, pages * sizeof(*flags), (off_t)(page * sizeof(*flags)));
		pages = bytes > 0 ? (size_t)bytes / sizeof(*flags) / per * per : 0;
		ranges_add(r, page, flags, pages);
		page += pages ? pages : per;
	}
	free(flags);
	return bytes < 0 ? unreadable(e) : check_apart(n, z, e);
}

int physical_ranges(const struct node *n, struct ranges *r, struct errors *e)
{
	int fd = open(PHYSICAL_FLAGS, O_RDONLY | O_CLOEXEC), failed = 0;

	*r = (struct ranges){.per_block = n->huge / n->base};
	if (fd < 0)
		return unreadable(e);
	for (size_t i = 0; i < n->limits.count && !failed; i++) {
		const struct zone_limits *z = &n->limits.zones[i];

		if (z->node == n->id && z->spanned &&
			!zoneinfo_withheld(&n->limits, n->id, z->name))
			failed = read_zone(n, z, fd, r, e);
	}
	close(fd);
	return failed;
}
