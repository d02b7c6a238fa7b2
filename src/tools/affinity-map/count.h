/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts instruction mixes of programs with the processor's own counters. Each program runs alone
 * and unbound, once for each pass of the group `mix` (counting.h) that a share needs. The counters
 * include all its threads and children, from before it is executed to its end.
 */
#ifndef MAP_COUNT_H
#define MAP_COUNT_H

#include "affinity-map/run.h"

/* How mixes were counted. */
struct map_counted {
	size_t runs;                  /* of each program; 0: nothing was counted */
	char *formula[MAPPING_TYPES]; /* percent of all instructions, computed from events; owned.
					 NULL: not counted here */
};

/* Counts a mix for each program that has none; where that fails, app->why gives the reason. by: a
 * type that every mix must have, or MAPPING_SPREAD. *status: the exit status of a program that
 * failed. 0, or -1 with messages. */
int map_count(struct map_app *apps, int n, enum mapping_type by, const char *library,
	struct map_counted *counted, int *status, struct errors *e);
void map_counted_free(struct map_counted *counted);

#endif
