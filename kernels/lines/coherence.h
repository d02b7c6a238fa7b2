/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Common parts of the kernels whose threads write the same line: the places of their words. */
#ifndef COHERENCE_H
#define COHERENCE_H

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "keep.h"
#include "kernel.h"

/* At this distance, words share no line on any processor, and no pair of lines that is fetched
 * together: the longest line of a processor is 256 bytes (A64FX). */
#define APART ((size_t)256)

static inline uint64_t *word_at(const struct vector *v, size_t bytes)
{
	return (uint64_t *)((char *)v->base + bytes);
}

/* Returns NULL, or in why[n] the reason why a vector of fewer bytes is too small. */
static inline const char *too_small(const struct vector *v, size_t bytes, char *why, size_t n)
{
	if (v->elements * v->element_size >= bytes)
		return NULL;
	snprintf(why, n, "a vector of %zu bytes is too small: %zu are needed for %d thread%s",
		v->elements * v->element_size, bytes, v->users, v->users == 1 ? "" : "s");
	return why;
}

/* Returns NULL, or in why[n] that others than two threads have the vector. */
static inline const char *not_two(
	const struct worker *w, const struct vector *v, char *why, size_t n)
{
	if (v->users == 2)
		return NULL;
	snprintf(why, n,
		"two threads hand a line over, but a vector of thread %d has %d: vectorPerThread: "
		"0 1",
		w->id, v->users);
	return why;
}

/* Returns NULL, or in why[n] the message that so many rounds access the same line again. */
static inline const char *many_rounds(uint64_t rounds, uint64_t lines, char *why, size_t n)
{
	if (rounds <= lines)
		return NULL;
	snprintf(why, n, "rounds = %" PRIu64 " visits the same line again", rounds);
	return why;
}

#endif
