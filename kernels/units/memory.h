/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Common parts of the kernels of loads and stores: words of 8 bytes, one every `stride` bytes of a
 * vector of any type, and random numbers that are the same in every run. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdint.h>
#include <stdio.h>

#include "keep.h"
#include "kernel.h"

/* A word in a vector of any type. */
typedef uint64_t __attribute__((may_alias)) word;

#define ROUND 4096 /* units */

static inline size_t stride_bytes(const struct vector *v, struct extent stride)
{
	return stride.value * (stride.bytes ? 1 : v->element_size);
}

/* The number of words in a vector with one every `stride` bytes; the last needs no gap behind it.
 */
static inline size_t places_in(const struct vector *v, size_t stride)
{
	const size_t bytes = v->elements * v->element_size;

	return bytes < sizeof(word) ? 0 : (bytes - sizeof(word)) / stride + 1;
}

static inline const char *check_stride(
	const struct vector *v, struct extent stride, char *why, size_t n)
{
	const size_t bytes = stride_bytes(v, stride);

	if (bytes % sizeof(word) == 0)
		return NULL;
	snprintf(why, n,
		"stride = %zu bytes is not a multiple of 8; write %zuB: a bare number counts "
		"elements, here of %zu byte%s",
		bytes, bytes / sizeof(word) * sizeof(word) + sizeof(word), v->element_size,
		v->element_size == 1 ? "" : "s");
	return why;
}

static inline const char *revisited(size_t places, const char *what, char *why, size_t n)
{
	if (places >= ROUND)
		return NULL;
	snprintf(why, n, "a round of %d visits the %zu %s again", ROUND, places, what);
	return why;
}

/* xorshift64 (Marsaglia 2003): never 0, the same sequence in every run. */
static inline uint64_t xorshift(uint64_t x)
{
	x ^= x << 13;
	x ^= x >> 7;
	return x ^ x << 17;
}

/* Maps 64 random bits to 0 .. n-1: the upper half of their product with n. */
static inline uint64_t below(uint64_t random, uint64_t n)
{
	return (uint64_t)((unsigned __int128)random * n >> 64);
}

#endif
