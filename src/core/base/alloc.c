/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocations that succeed or end the process. */
#include "base/alloc.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/name.h"
#include "base/status.h"

_Noreturn void alloc_exhausted(void)
{
	static const char text[] =
		": out of memory\n"
		"  hint: free some, or raise the limit: ulimit -v, a container's, a batch job's\n";
	const struct iovec parts[] = {{(char *)(uintptr_t)PROGRAM_NAME, strlen(PROGRAM_NAME)},
		{(char *)(uintptr_t)text, sizeof(text) - 1}};
	ssize_t ignored = writev(STDERR_FILENO, parts, 2);

	(void)ignored;
	_exit(STATUS_FAILED);
}

static void *or_exit(void *memory)
{
	if (!memory)
		alloc_exhausted();
	return memory;
}

/* The result is never 0, because malloc(0) may return NULL although memory is not exhausted. */
static size_t product(size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes))
		or_exit(NULL);
	return bytes > 0 ? bytes : 1;
}

void *alloc_zeroed(size_t count, size_t size)
{
	return or_exit(calloc(1, product(count, size)));
}

void *alloc_grow(void *array, size_t count, size_t size)
{
	/* The array is full only when count is 0 or a power of two: then all allocated elements are
	 * in use. */
	if ((count & (count - 1)) != 0)
		return array;
	if (count > SIZE_MAX / 2)
		or_exit(NULL);
	return or_exit(realloc(array, product(count > 0 ? 2 * count : 1, size)));
}

char *alloc_string(const char *text, size_t length)
{
	char *copy = alloc_zeroed(length + 1, 1);

	memcpy(copy, text, length);
	return copy;
}

char *alloc_vformat(const char *format, va_list values)
{
	char *text;

	return or_exit(vasprintf(&text, format, values) < 0 ? NULL : text);
}

char *alloc_format(const char *format, ...)
{
	va_list values;
	char *text;

	va_start(values, format);
	text = alloc_vformat(format, values);
	va_end(values);
	return text;
}

void alloc_append(char **text, const char *separator, const char *format, ...)
{
	const char *before = *text ? *text : "";
	va_list values;
	char *added;

	va_start(values, format);
	added = alloc_vformat(format, values);
	va_end(values);
	char *longer = alloc_format("%s%s%s", before, *before ? separator : "", added);

	free(added);
	free(*text);
	*text = longer;
}

void *alloc_lines(size_t count, size_t size)
{
	size_t bytes = product(count, size);
	void *memory = NULL;

	if (posix_memalign(&memory, ALLOC_LINES, bytes))
		or_exit(NULL);
	return memset(memory, 0, bytes);
}
