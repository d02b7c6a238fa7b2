/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of the library share. */
#ifndef RHP_LIBRARY_H
#define RHP_LIBRARY_H

#include <stdint.h>

#include "exec.h"
#include "rhp_memory.h"

struct rhp;

/* Requests from this size on are ours; SIZE_MAX: not started by affinity-rhp. */
extern size_t from_bytes;

/* NULL: nothing was allocated yet. */
extern struct rhp *_Atomic runtime;

/* The runtime, made at the first large request. NULL: no memory for it. */
struct rhp *need_runtime(void);

/* Notes a large mapping that is not placed. */
void note_skipped(void);

/* Call this before another allocator does anything: what fork() calls. */
void need_handlers(void);

/* Call this before main(). */
void find_allocator(void);

/* Has the program a malloc() of its own, which is called in place of ours? */
int own_allocator(void);

#endif
