/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The argument files that come with the program, by the words that people have for them. */
#ifndef EXPERIMENTS_H
#define EXPERIMENTS_H

#include "base/text.h"

/* "SUITE/NAME" of each that fits the word best: its name, with or without its number, or that of
 * its suite; else a part of its name; or what another program calls it. Sorted; all without a word
 * (NULL). The list is appended to. */
void experiments_find(struct words *names, const char *word);

/* The experiment or suite whose name is near to the word; NULL: none is. To be freed. */
char *experiments_nearest(const char *word);

/* Its path, from the current folder where it lies below that; to be freed. */
char *experiments_path(const char *name);

#endif
