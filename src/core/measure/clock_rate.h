/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The clock rate of the core on which the calling thread runs, without counters: the time of a
 * chain of additions, each of which waits for the one before it for one cycle. It also works in
 * virtual machines. It accesses no memory, so it leaves all caches as they are.
 */
#ifndef CLOCK_RATE_H
#define CLOCK_RATE_H

#include <stdint.h>

/* Additions of a chain: 10 us at 3.3 GHz, so that reading the clock changes the rate by less than
 * half a percent. */
#define CLOCK_RATE_STEPS 32768
/* A clock tick interrupts one chain; the fastest of them gives the rate. */
#define CLOCK_RATE_CHAINS 3

struct clock_rate {
	double hz;        /* of the fastest chain; NAN: not measured, or unknown architecture */
	uint64_t lost_ns; /* by which all chains together took longer than that rate allows */
};

#define CLOCK_RATE_NONE              \
	(struct clock_rate)          \
	{                            \
		__builtin_nan(""), 0 \
	}

struct clock_rate clock_rate_take(void);

/* The same from the times of the chains, in nanoseconds. */
struct clock_rate clock_rate_of(const uint64_t *ns, int chains);

#endif
