/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warnings of what makes the times of mappings not comparable. */
#ifndef MAP_COMPARABLE_H
#define MAP_COMPARABLE_H

#include "programs/affinity-map/report.h"

/* Mappings that give a program cores of other kinds than the first mapping does: one warning for
 * each. */
void comparable_kinds(const struct map_result *r, struct errors *e);

#endif
