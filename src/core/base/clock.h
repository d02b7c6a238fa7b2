/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one clock of all measurements, and the cost of reading it. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>
#include <time.h>

/* CLOCK_MONOTONIC_RAW: not slewed by NTP while a sample runs; read without a system call where the
 * clock source allows it (x86 tsc, arm64 arch_sys_counter). Nanoseconds since an arbitrary instant.
 */
static inline uint64_t clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

struct clock_cost {
	double read_ns; /* median cost of one clock_ns() */
	double step_ns; /* smallest difference other than 0 seen between two readings */
};

struct clock_cost clock_measure(void);

/* Sleeps until clock_ns() >= until; returns at once when that time has passed. */
void clock_sleep_until(uint64_t until_ns);

#endif
