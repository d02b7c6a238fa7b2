/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that runs out: counts the requests of a program from its start on.
 *
 *   MEMORY_FAILS=N     the N-th request is refused; N+: all later ones too
 *   MEMORY_OF=WORD...  counts only these: malloc calloc realloc aligned mmap (default: all)
 *   MEMORY_COUNT=FILE  the number of requests is written there at the end
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t align, size_t size);

static atomic_long asked;
static long fails; /* 0: never */
static bool lasting;
static const char *kinds;

/* The environment is read before any request can be refused: getenv() allocates no memory. */
__attribute__((constructor)) static void begin(void)
{
	const char *text = getenv("MEMORY_FAILS");
	char *end = "";

	kinds = getenv("MEMORY_OF");
	fails = text ? strtol(text, &end, 10) : 0;
	lasting = *end == '+';
	atomic_store(&asked, 0);
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("MEMORY_COUNT");
	long all = atomic_load(&asked);
	FILE *f = path ? fopen(path, "w") : NULL;

	if (f) {
		fprintf(f, "%ld\n", all);
		fclose(f);
	}
}

static bool refused(const char *kind)
{
	if (kinds && !strstr(kinds, kind))
		return false;
	long n = atomic_fetch_add(&asked, 1) + 1;
	if (!fails || n < fails || (n > fails && !lasting))
		return false;
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	return refused("malloc") ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return refused("calloc") ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
	return refused("realloc") ? NULL : __libc_realloc(old, size);
}

int posix_memalign(void **memory, size_t align, size_t size)
{
	*memory = refused("aligned") ? NULL : __libc_memalign(align, size);
	return *memory ? 0 : ENOMEM;
}

void *aligned_alloc(size_t align, size_t size)
{
	return refused("aligned") ? NULL : __libc_memalign(align, size);
}

void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset)
{
	if (refused("mmap"))
		return MAP_FAILED;
	return (void *)syscall(SYS_mmap, at, length, protection, flags, fd, offset);
}
