/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work whose events are known, to see whether counters count. */
#ifndef COUNTERS_CHECK_H
#define COUNTERS_CHECK_H

#include <stdbool.h>

/* Rounds of the loop: so many that what surrounds it does not matter. */
#define COUNTERS_CHECK_ROUNDS 1000000

/* A loop of that many rounds, each a load, a store, an addition of doubles and one of integers, a
 * subtraction and a branch: six instructions. (Elsewhere than on x86-64 and 64-bit Arm there is no
 * such loop, and events count what they count.) */
void counters_check_loop(void);

/* A walk over fresh memory that misses caches and TLB, a short sleep, and where the process may use
 * several CPUs a move to another one and back. Takes some milliseconds. Did it move? */
bool counters_check_walk(void);

/* Does the loop above exist for this processor? */
bool counters_check_exact(void);

#endif
