/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors against the caches above the threads that use them. */
#ifndef PLAN_MEMORY_H
#define PLAN_MEMORY_H

#include "plan/plan.h"

/* Sets five fields of every job of the operation:
 * bytes: that the thread accesses; a vector counts 1/n for n users.
 * times_cpu_caches: the same divided by the bytes of the caches above it. A cache counts 1/n above
 * n threads that work on vectors; a thread that is not bound has all caches of the machine. NAN: it
 * works on no vectors, or the machine shows no caches. times_caches: the same with the memory-side
 * caches before its vectors among the caches. One counts 1/n before the vectors of n threads.
 * in_side_cache: its vectors exceed the caches of the CPUs, but not these.
 * shares_lines: another thread accesses the same lines, and so may have brought them into a cache.
 */
void plan_memory_judge(const struct plan *p, struct plan_op *op);

/* From this many times on memory serves a thread: STREAM's rule, with all levels added up, since
 * the last level of many processors holds only lines that are not in the others. */
#define PLAN_FROM_MEMORY 4

#endif
