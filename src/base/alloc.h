/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory for the driver's own small tables. These never return NULL: without memory for a list of
 * words nothing useful can be said or done, so they end the process. No file is damaged by that:
 * results are written in one go at the end (output.h). Vectors are mem.c's, and mem.c does report.
 * In the program malloc() and its like do the same, on behalf of the libraries (malloc.c).
 */
#ifndef ALLOC_H
#define ALLOC_H

#include <stdarg.h>
#include <stddef.h>

/* Says that memory is out and ends the process with STATUS_FAILED, without touching the heap or
 * what stdio holds. */
_Noreturn void alloc_exhausted(void);

void *alloc_zeroed(size_t count, size_t size);

/* Makes room for one more element behind count existing ones; returns the moved array. Grows in
 * powers of two, found from count alone, so no capacity needs to be kept. The new element is not
 * initialised. */
void *alloc_grow(void *array, size_t count, size_t size);

/* Zeroed, and on cache lines that nothing else shares: for what different threads write at the same
 * time. Twice 64 bytes, because adjacent-line prefetch makes pairs of lines travel together. */
#define ALLOC_LINES 128
void *alloc_lines(size_t count, size_t size);

char *alloc_string(const char *text, size_t length);

char *alloc_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *alloc_vformat(const char *format, va_list values) __attribute__((format(printf, 1, 0)));

#endif
