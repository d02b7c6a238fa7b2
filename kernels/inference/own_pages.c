/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mapped memory with its length in a line before it. */
#include "own_pages.h"

#include <numaif.h>
#include <stdint.h>
#include <sys/mman.h>

#define LINE 64

void *own_pages(size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes) ||
		__builtin_add_overflow(bytes, LINE, &bytes))
		return NULL;
	char *mapping =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (mapping == MAP_FAILED)
		return NULL;
	/* where it is not allowed, the policy of the process holds */
	mbind(mapping, bytes, MPOL_PREFERRED, NULL, 0, 0);
	*(size_t *)(void *)mapping = bytes;
	return mapping + LINE;
}

void own_pages_free(void *memory)
{
	char *mapping = memory ? (char *)memory - LINE : NULL;

	if (mapping)
		munmap(mapping, *(const size_t *)(const void *)mapping);
}
