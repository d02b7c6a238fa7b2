/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small generator of random numbers. */
#include "statistics/random.h"

#include "base/clock.h"

/* xorshift64*: Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled",
 * 2016. Shuffling and choosing need no better generator. */
uint64_t random_next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 2685821657736338717u;
}

uint64_t random_seed(void)
{
	return clock_ns() | 1;
}

void random_shuffle(uint64_t *state, size_t *order, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		size_t k = random_next(state) % i, swap = order[i - 1];

		order[i - 1] = order[k];
		order[k] = swap;
	}
}
