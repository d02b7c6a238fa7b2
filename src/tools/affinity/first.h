/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine on one screen: `affinity first` measures it, --show of the results prints it. */
#ifndef FIRST_H
#define FIRST_H

#include <stdbool.h>

#include "affinity/options.h"
#include "topology/topo.h"

/* Is it the command, and no file of that name? */
bool first_is_asked(const char *word);

/* Starts the batch that measures args/first, with these further words for it. Returns only where
 * that cannot be started: with messages. */
void first_start(char *const words[], struct errors *e);

/* Prints o->shown, a folder with results of args/first, as one screen on o->outputs, and as JSON.
 * Messages: the folder has none. */
void first_show(const struct options *o, const struct topo *t, struct errors *e);

#endif
