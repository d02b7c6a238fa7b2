/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Places at random in vectors of elements of 8 bytes, for kernels whose accesses do not depend on
 * earlier ones. The generator is a multiplication and an addition. The upper half of the product of
 * its number and the number of elements is the place; this works for any number of elements.
 */
#ifndef PLACES_H
#define PLACES_H

#include "kernel.h"

/* The whole words of v; its size may not be a multiple of eight bytes. */
static inline size_t words_of(const struct vector *v)
{
	return v->elements * v->element_size / sizeof(uint64_t);
}

/* Knuth's MMIX generator (TAOCP 2, 3.3.4); only its upper bits are used. */
#define FACTOR    0x5851f42d4c957f2d
#define INCREMENT 0x14057b7ef767814f

static inline __attribute__((always_inline)) uint64_t next_random(uint64_t x)
{
	return x * FACTOR + INCREMENT;
}

/* next_random(next_random(x)). */
static inline __attribute__((always_inline)) uint64_t next_but_one(uint64_t x)
{
	return x * ((uint64_t)FACTOR * FACTOR) + (uint64_t)INCREMENT * (FACTOR + 1);
}

static inline __attribute__((always_inline)) size_t place(uint64_t x, size_t n)
{
	return (size_t)((unsigned __int128)x * n >> 64);
}

/* Each thread has a different sequence. */
static inline uint64_t seed_of(const struct worker *w)
{
	return next_random((uint64_t)w->id * FACTOR + 1);
}

#endif
