/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the threads and the memory of a process that runs already are. */
#ifndef MAP_SHOW_H
#define MAP_SHOW_H

#include "affinity-map/options.h"
#include "topology/topo.h"

/* Looks at the process of --show, once or each --watch until it ends, and writes what it found. 0,
 * or -1 with a message: there is none (STATUS_USAGE), or it may not be asked (STATUS_FAILED). */
int show_process(const struct map_options *o, const struct topo *t, struct errors *e);

#endif
