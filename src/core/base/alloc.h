/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory for the driver's own small tables. These functions never return NULL: without memory for a
 * list of words the driver can do nothing useful, so they end the process. No file is damaged,
 * because results are written in one go at the end (output.h). mem.c allocates the vectors and
 * reports failures. In the program malloc() and similar functions do the same, on behalf of the
 * libraries (malloc.c).
 */
#ifndef ALLOC_H
#define ALLOC_H

#include <stdarg.h>
#include <stddef.h>

/* Reports that memory is exhausted and ends the process with STATUS_FAILED, without touching the
 * heap or the buffers of stdio. */
_Noreturn void alloc_exhausted(void);

void *alloc_zeroed(size_t count, size_t size);

/* Makes room for one more element after count existing ones; returns the moved array. The capacity
 * grows in powers of two and follows from count alone, so callers need not store it. The new
 * element is not initialised. */
void *alloc_grow(void *array, size_t count, size_t size);

/* Zeroed memory on cache lines that nothing else shares, for data that different threads write at
 * the same time. ALLOC_LINES is twice 64 bytes, because adjacent-line prefetch transfers lines in
 * pairs. */
#define ALLOC_LINES 128
void *alloc_lines(size_t count, size_t size);

char *alloc_string(const char *text, size_t length);

char *alloc_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Adds to the end of a text, which moves, behind the separator where the text is not empty. A text
 * of NULL is an empty one. */
void alloc_append(char **text, const char *separator, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
char *alloc_vformat(const char *format, va_list values) __attribute__((format(printf, 1, 0)));

#endif
