/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a thread reads and writes beside its vectors, in pages of its own. malloc() gives memory
 * that an earlier run, or the thread before it was bound, touched on another node, and lines that
 * another thread stores to.
 */
#ifndef OWN_PAGES_H
#define OWN_PAGES_H

#include <stddef.h>

/* Zeros, at the start of a line, that nobody has touched: they are on the node of the thread that
 * touches them first, whatever the policy of the process. NULL: no memory. */
void *own_pages(size_t count, size_t size);
/* NULL is nothing. */
void own_pages_free(void *memory);

#endif
