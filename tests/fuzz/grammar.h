/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random lines of an argument file: valid words in unusual places, and numbers at the limits. */
#ifndef GRAMMAR_H
#define GRAMMAR_H

#include <stddef.h>
#include <stdint.h>

struct random {
	uint64_t state; /* not 0 */
};

/* Below n, which is not 0. */
uint32_t random_below(struct random *r, uint32_t n);

/* Writes an example of a rule ('m': a machine, 'B': a file, 'l': a line, 'w': a word) and returns
 * its length, less than n; buffer ends in NUL. */
size_t grammar_write(struct random *r, char rule, char *buffer, size_t n);

#endif
