/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * malloc(), calloc() and realloc() of the whole process: they return memory or end the process with
 * a message.
 *
 * Linked into the programs only. hwloc, PAPI and jansson do not always check whether they got
 * memory: without it, they crash, loop or silently omit half of the machine. No library can do
 * useful work without memory. Sanitizers have their own allocators, so programs built with them do
 * not use this file.
 */
#include <dlfcn.h>
#include <stdlib.h>

#include "base/alloc.h"

/* The next definition in the order of symbols: the C library's, or one that LD_PRELOAD put before
 * it. */
static void *next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

static void *or_exit(void *memory, size_t bytes)
{
	if (!memory && bytes)
		alloc_exhausted();
	return memory;
}

void *malloc(size_t size)
{
	static void *(*_Atomic real)(size_t);

	if (!real)
		real = (void *(*)(size_t))next("malloc");
	return or_exit(real(size), size);
}

void *calloc(size_t count, size_t size)
{
	static void *(*_Atomic real)(size_t, size_t);

	if (!real)
		real = (void *(*)(size_t, size_t))next("calloc");
	return or_exit(real(count, size), count && size);
}

void *realloc(void *old, size_t size)
{
	static void *(*_Atomic real)(void *, size_t);

	if (!real)
		real = (void *(*)(void *, size_t))next("realloc");
	return or_exit(real(old, size), size);
}
