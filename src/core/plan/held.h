/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words for what holds the data of a thread while it is measured, the same in all outputs. */
#ifndef HELD_H
#define HELD_H

#include "plan/plan.h"

/* Sets `held` of every job of the operation, from the caches above its thread and from what all
 * threads under each of them access together: the first level that holds all of it. After
 * times_caches and in_side_cache, since from PLAN_FROM_MEMORY times on it is memory.
 *   "L1", "L2 of 2 MiB"       caches of one core
 *   "L3, 0.24 of its share"   a cache of several cores
 *   "L3 and memory, 2.4 of its share"
 *   "memory", "memory-side cache"
 *   "hot part L2 of 2 MiB"    of a vector of which a part gets most of the accesses
 *   "other cores' caches"     lines that threads take from each other
 *   "unknown above L2"        the machine shows no L3 above this core, and may have one
 * "": the thread accesses no vectors, or moves their pages. */
void held_find(const struct plan *p, struct plan_op *op);

/* The words of several threads or cells: each once, with ";" between; "" of none. In buffer. */
const char *held_join(const char *const *words, size_t count, char *buffer, size_t n);

/* The same of all threads of an operation. */
const char *held_together(const struct plan *p, const struct plan_op *op, char *buffer, size_t n);

#endif
