/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waiting for another thread without disturbing it: it may need this CPU. */
#ifndef WAIT_H
#define WAIT_H

#include <sched.h>

/* After so many spins (tens of microseconds) another thread may need this CPU to make progress. */
#define WAIT_SPINS_BEFORE_YIELD 1000u

/* Lets a sibling hardware thread or another virtual CPU run for a moment while this one waits. */
static inline void wait_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__asm__ volatile("pause" : : : "memory");
#elif defined(__aarch64__)
	__asm__ volatile("isb" : : : "memory");
#else
	__asm__ volatile("" : : : "memory");
#endif
}

/* Call it after each check that failed; *spins is 0 before the first one. */
static inline void wait_moment(unsigned *spins)
{
	wait_relax();
	if (++*spins >= WAIT_SPINS_BEFORE_YIELD)
		sched_yield();
}

#endif
