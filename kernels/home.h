/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the pages of vectors were before a kernel moved them, to bring them back. */
#ifndef HOME_H
#define HOME_H

#include "kernel.h"

struct home;

/* Asks for the nodes of all pages, and the memory policies. Where the kernel does not tell the
 * nodes, none is known. NULL: no memory. home_free() frees it. */
struct home *home_of(const struct vector *vectors, int n);
void home_free(struct home *h);

/* Brings back those pages of the vectors that are on another node, and the policies. Each of the
 * first vector's threads calls it, and brings back its part. NULL, or in why[size] what went
 * wrong: pages that are still on another node, or other vectors than those that were noted. */
const char *home_restore(
	const struct home *h, const struct vector *vectors, int n, char *why, size_t size);

#endif
