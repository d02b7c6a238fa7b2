/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warnings of what makes the times of mappings not comparable. */
#ifndef MAP_COMPARABLE_H
#define MAP_COMPARABLE_H

#include "affinity-map/pairs.h"
#include "affinity-map/report.h"

/* How many of cpus[n] are on cores of a kind. */
int comparable_count(const struct topo *t, const int *cpus, int n, int kind);

/* Mappings that give a program cores of other kinds than the first mapping does: one warning for
 * each. */
void comparable_kinds(const struct map_result *r, struct errors *e);

/* The same of pairs, which all have the same mappings: one warning for each mapping, of one of the
 * pairs. */
void comparable_kinds_of_pairs(const struct map_pairs *p, struct errors *e);

#endif
