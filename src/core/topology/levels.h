/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The levels of places of a machine: packages, nodes, dies, caches, clusters, cores and others. */
#ifndef TOPO_LEVELS_H
#define TOPO_LEVELS_H

#include "topology/topo.h"

struct hwloc_topology;

/* For topo.c and caches.c only. Fills in t->levels from t->cpus and hwloc's topology, after the
 * caches; NULL: of what it had before, with the caches of t->cpus. */
void topo_load_levels(struct topo *t, struct hwloc_topology *hwloc);
void topo_free_levels(struct topo *t);

/* level_names.c: the highest number of a place. */
int topo_level_highest(const struct topo *t, const struct topo_level *l);

/* level_names.c: is the word in a list that blanks divide? */
bool topo_is_among(const char *list, const char *word);

#endif
