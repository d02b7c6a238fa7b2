/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the kernels have in common whose threads write the same line: where their words are. */
#ifndef COHERENCE_H
#define COHERENCE_H

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "keep.h"
#include "kernel.h"

/* Apart by this, words share no line and no pair of lines that travels together, anywhere: the
 * longest line of a processor is 256 bytes (A64FX). */
#define APART ((size_t)256)

static inline uint64_t *word_at(const struct vector *v, size_t bytes)
{
	return (uint64_t *)((char *)v->base + bytes);
}

/* NULL, or why a vector of fewer bytes cannot do, in why[n]. */
static inline const char *too_small(const struct vector *v, size_t bytes, char *why, size_t n)
{
	if (v->elements * v->element_size >= bytes)
		return NULL;
	snprintf(why, n, "a vector of %zu bytes is too small: %zu are needed for %d thread%s",
		v->elements * v->element_size, bytes, v->users, v->users == 1 ? "" : "s");
	return why;
}

/* NULL, or that so many rounds come to the same lines again, in why[n]. */
static inline const char *many_rounds(uint64_t rounds, uint64_t lines, char *why, size_t n)
{
	if (rounds <= lines)
		return NULL;
	snprintf(why, n, "rounds = %" PRIu64 " comes to the same line again", rounds);
	return why;
}

#endif
