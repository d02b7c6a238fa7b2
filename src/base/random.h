/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chance that a seed repeats: the same on every machine. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* The next of a sequence of 64 random bits; *state is the seed at first, and never 0. */
uint64_t random_next(uint64_t *state);

/* A seed of its own for every run, from the clock. */
uint64_t random_seed(void);

/* Puts order[n] into a random order. */
void random_shuffle(uint64_t *state, size_t *order, size_t n);

#endif
