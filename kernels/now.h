/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time, for kernels that take times of parts themselves. */
#ifndef NOW_H
#define NOW_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds since an instant that all threads have in common; no system call where the clock
 * source allows it. */
static inline uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

#endif
