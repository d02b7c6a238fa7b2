/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where on its stack a thread works: the place decides which lines of the caches a kernel's own
 * variables share with its data (Mytkowicz, Diwan, Hauswirth and Sweeney, Producing Wrong Data
 * Without Doing Anything Obviously Wrong!, ASPLOS 2009). */
#ifndef STACK_H
#define STACK_H

#include <stddef.h>
#include <stdint.h>

#include "base/alloc.h"

/* Offsets are multiples of the alignment of a thread's own data (ALLOC_LINES), because frames that
 * hold such data move by no less, and below a page. */
#define STACK_STEP ALLOC_LINES
#define STACK_SPAN 4096

/* A random offset; *random is the state of the generator (statistics/random.h). */
size_t stack_offset(uint64_t *random);

/* Calls fn(arg, i) with its frame `offset` bytes further down than with offset 0. */
void stack_call(size_t offset, void (*fn)(void *arg, int i), void *arg, int i);

#endif
