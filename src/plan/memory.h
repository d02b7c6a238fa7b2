/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors against the caches above the threads that use them. */
#ifndef PLAN_MEMORY_H
#define PLAN_MEMORY_H

#include "plan/plan.h"

/* Sets, for all threads of an operation, times_caches: by how many times the lines that the thread
 * comes by exceed its part of the caches above it. Of a cache a part for every thread that works on
 * vectors under it, of a vector a part for every one of its users; a thread that is not bound may
 * have all of a cache. NAN: it works on no vectors, or the machine shows no caches. And
 * shares_lines: does another thread come by the same lines? What one of them fetched the others may
 * find in a cache. */
void plan_memory_judge(const struct plan *p, struct plan_op *op);

/* From here on memory serves it: STREAM's rule, with all levels added up, since many processors
 * keep in the last one only what is not in the others. */
#define PLAN_FROM_MEMORY 4

#endif
