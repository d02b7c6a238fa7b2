/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves frames on a thread's stack. */
#include "measure/stack.h"

#include <alloca.h>

#include "statistics/random.h"
#include "contract/keep.h"

size_t stack_offset(uint64_t *random)
{
	return random_next(random) % (STACK_SPAN / STACK_STEP) * STACK_STEP;
}

/* The block is used after the call too, so that the call can neither be the last one, which takes
 * the frame over, nor come before the block. */
void stack_call(size_t offset, void (*fn)(void *arg, int i), void *arg, int i)
{
	void *block = alloca(offset + STACK_STEP);

	keep((long)(intptr_t)block);
	fn(arg, i);
	keep((long)(intptr_t)block);
}
