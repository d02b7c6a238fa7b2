/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mmap() and what ends mappings. A large private anonymous mapping at an address of the kernel's
 * choice is the runtime's; the program unmaps it, as a whole or in parts. All others are the
 * kernel's own; calls go to the kernel, as the C library's would.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "rhp_library.h"
#include "rhp/rhp.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* The kernel may ignore all others. */
#define KNOWN_FLAGS (MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE)

/* Address space that is only reserved (PROT_NONE, MAP_NORESERVE) is never written as a whole. */
static bool can_place(void *at, size_t bytes, int protection, int flags)
{
	return !at && bytes && (protection & PROT_WRITE) && (flags & MAP_ANONYMOUS) &&
	       (flags & MAP_PRIVATE) && !(flags & ~KNOWN_FLAGS);
}

static void *place_mapping(size_t bytes, int protection, int flags)
{
	struct rhp *r = need_runtime();
	void *map = r ? rhp_map(r, bytes) : NULL;

	if (!map)
		return NULL;
	if (protection != (PROT_READ | PROT_WRITE) && mprotect(map, bytes, protection)) {
		int error = errno;

		rhp_forget(r, map, bytes);
		syscall(SYS_munmap, map, bytes);
		errno = error;
		return MAP_FAILED;
	}
	/* best effort, as the kernel's own */
	if (flags & MAP_POPULATE)
		syscall(SYS_madvise, map, bytes, MADV_POPULATE_WRITE);
	return map;
}

/* What is mapped over, moved or unmapped is no longer as it was placed. */
static void forget(void *base, size_t bytes)
{
	if (runtime && bytes)
		rhp_forget(runtime, base, bytes);
}

EXPORT void *mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
	need_handlers();
	if (__builtin_expect(bytes >= from_bytes, 0)) {
		if (can_place(at, bytes, protection, flags)) {
			void *map = place_mapping(bytes, protection, flags);

			if (map)
				return map;
		} else if (flags & MAP_ANONYMOUS) {
			note_skipped();
		}
	}
	if (flags & MAP_FIXED)
		forget(at, bytes);
	return (void *)syscall(SYS_mmap, at, bytes, protection, flags, file, offset);
}

EXPORT void *mmap64(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
	__attribute__((alias("mmap")));

EXPORT int munmap(void *base, size_t bytes)
{
	forget(base, bytes);
	return (int)syscall(SYS_munmap, base, bytes);
}

EXPORT void *mremap(void *old, size_t had, size_t bytes, int flags, ...)
{
	void *to = NULL;

	if (flags & MREMAP_FIXED) {
		va_list more;

		va_start(more, flags);
		to = va_arg(more, void *);
		va_end(more);
		forget(to, bytes);
	}
	forget(old, had);
	void *map = (void *)syscall(SYS_mremap, old, had, bytes, flags, to);
	if (map != MAP_FAILED && bytes > had && bytes >= from_bytes)
		note_skipped();
	return map;
}
