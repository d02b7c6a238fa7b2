/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels that an operation names, and which of them each thread runs. */
#ifndef PLAN_KERNELS_H
#define PLAN_KERNELS_H

#include <stdbool.h>

#include "base/text.h"

/* Of "a+b": a b. Threads run them in turn; with `rest`, of "a+b*", all threads that are left run
 * the last one. */
struct plan_kernels {
	struct words names;
	bool rest;
};

/* Free it with words_free(&k->names). No name: the word names no kernel. */
void plan_kernels_read(struct plan_kernels *k, const char *word);

/* Index into names of the kernel of a thread. There must be a name. */
size_t plan_kernel_of(const struct plan_kernels *k, int thread);

#endif
