/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads frames (Documentation/admin-guide/mm/pagemap.rst of Linux). */
#include "memory/frames.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "memory/pages.h"

#define PRESENT     (UINT64_C(1) << 63)
#define FRAME       ((UINT64_C(1) << 55) - 1)
#define AT_A_TIME   8192
#define ENTRY_BYTES sizeof(uint64_t)

struct reading {
	struct frames *frames;
	uint64_t next; /* the frame that would continue the last range; 0: none would */
	bool hidden;   /* a page is in memory and has no frame */
};

static void take_frame(struct reading *r, uint64_t entry)
{
	const uint64_t frame = entry & FRAME;

	if (!(entry & PRESENT)) {
		r->next = 0;
		return;
	}
	r->hidden |= !frame;
	if (!r->next || frame != r->next) {
		struct frames *f = r->frames;

		f->lengths = alloc_grow(f->lengths, f->count, sizeof(*f->lengths));
		f->lengths[f->count++] = 0;
	}
	r->frames->lengths[r->frames->count - 1]++;
	r->next = frame + 1;
}

static int read_all(struct reading *r, int pagemap, uint64_t page, size_t pages)
{
	static _Thread_local uint64_t entries[AT_A_TIME];

	while (pages && !r->hidden) {
		const size_t wanted = pages < AT_A_TIME ? pages : AT_A_TIME;
		const ssize_t got =
			pread(pagemap, entries, wanted * ENTRY_BYTES, (off_t)(page * ENTRY_BYTES));

		if (got < (ssize_t)ENTRY_BYTES) {
			errno = got < 0 ? errno : EIO;
			return -1;
		}
		const size_t n = (size_t)got / ENTRY_BYTES;

		for (size_t i = 0; i < n; i++)
			take_frame(r, entries[i]);
		page += n;
		pages -= n;
	}
	if (r->hidden)
		errno = EPERM;
	return r->hidden ? -1 : 0;
}

int frames_add_from(struct frames *f, int pagemap, uint64_t page, size_t pages)
{
	const size_t before = f->count;
	struct reading r = {.frames = f};

	if (!read_all(&r, pagemap, page, pages))
		return 0;
	f->count = before;
	return -1;
}

int frames_add(struct frames *f, const void *base, size_t bytes)
{
	const int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);

	if (pagemap < 0)
		return -1;
	const int failed = frames_add_from(
		f, pagemap, (uintptr_t)base / mem_base_page(), bytes / mem_base_page());
	const int why = errno;

	close(pagemap);
	errno = why;
	return failed;
}

void frames_free(struct frames *f)
{
	free(f->lengths);
	*f = (struct frames){0};
}
