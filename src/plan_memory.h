/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors against the caches above the threads that use them. */
#ifndef PLAN_MEMORY_H
#define PLAN_MEMORY_H

#include "plan.h"

/* Are the vectors of a thread at least so many times as large as its share of the last-level cache
 * (a part for each thread with vectors under it), and those of all these threads together, each
 * counted once, so many times as large as the cache? STREAM's rule (four times the sum of the
 * last-level caches used) for each cache by itself. */
bool plan_exceeds_caches(const struct plan *p, int thread, double times);

#endif
