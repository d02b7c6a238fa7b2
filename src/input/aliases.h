/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages in the user's own words. */
#ifndef ALIASES_H
#define ALIASES_H

#include "input/args.h"

/* Messages about a file that writes tamPerVector must not speak of sizePerVector: each key for
 * which the file has only an alias is renamed in all of them. */
void aliases_speak(const struct args *a, struct errors *e);

#endif
