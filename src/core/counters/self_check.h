/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work with known event counts, to check that counters count. */
#ifndef COUNTERS_CHECK_H
#define COUNTERS_CHECK_H

#include <stdbool.h>

/* Rounds of the loop: so many that the code around the loop does not matter. */
#define COUNTERS_CHECK_ROUNDS 1000000

/* A loop of that many rounds. Each round has six instructions: a load, a store, an addition of
 * doubles and one of integers, a subtraction and a branch. (Only x86-64 and 64-bit Arm have this
 * loop; on other processors the counts are not compared with expected ones.) */
void counters_check_loop(void);

/* Walks over fresh memory, which misses caches and TLB, then sleeps for a short time. If the
 * process may use several CPUs, it moves to another one and back. Takes some milliseconds. Returns
 * whether it moved. */
bool counters_check_walk(void);

/* Does the loop above exist for this processor? */
bool counters_check_exact(void);

#endif
