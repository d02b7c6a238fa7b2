/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time that passes while a thread keeps its CPU, and the clock of single events. */
#ifndef BUSY_H
#define BUSY_H

#include "event_times.h"
#include "now.h"
#include "wait.h"

/* A sleep would be rounded by the system, and let the CPU sleep. */
static inline void stay_awake(uint64_t ns)
{
	const uint64_t begin = ns ? now_ns() : 0;

	while (ns && now_ns() - begin < ns)
		wait_relax();
}

/* In ticks of the processor's clock where it is known how to read it, else in nanoseconds. */
static inline uint64_t ticks_before(void)
{
	return EVENTS_STAMPS ? events_stamp() : now_ns();
}

static inline uint64_t ticks_after(void)
{
	return EVENTS_STAMPS ? events_after() : now_ns();
}

#endif
