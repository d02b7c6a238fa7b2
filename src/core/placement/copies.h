/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The price of copies: of vectors with nodePerVector: replicate. */
#ifndef COPIES_H
#define COPIES_H

#include "placement/prepare.h"

/* Copies each vector's first copy to its others, one after another, each by a thread on the CPU of
 * a thread that uses it, and writes the time to found[copy].copy_ns. mems and found are those of
 * the plan's vectors, which are in place. 0, or -1 with a message, or without one soon after *stop
 * was set. */
int copies_make(const struct plan *p, const struct mem *mems, struct placement *found,
	const volatile sig_atomic_t *stop, struct errors *e);

#endif
