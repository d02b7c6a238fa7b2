/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What comes on the standard input, which programs do not get. */
#ifndef MAP_INPUT_H
#define MAP_INPUT_H

#include "base/error.h"

/* Refuses an input that something is in: the program, which reads nothing in its place, would be
 * measured without its work. 0, or -1 with a message (STATUS_USAGE). */
int input_check(const char *program, struct errors *e);

#endif
