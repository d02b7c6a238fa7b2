/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random numbers that a seed repeats: the same on every machine. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* The next 64 random bits of a sequence; *state is the seed at first, and never 0. */
uint64_t random_next(uint64_t *state);

/* A different seed for every run, from the clock. */
uint64_t random_seed(void);

/* Puts order[n] into a random order. */
void random_shuffle(uint64_t *state, size_t *order, size_t n);

#endif
