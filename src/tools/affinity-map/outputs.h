/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of affinity-map: the table and the document. */
#ifndef MAP_OUTPUTS_H
#define MAP_OUTPUTS_H

#include "affinity-map/options.h"

/* Writes what is at arg. 0, or not when memory ran out. */
typedef int map_writer(const void *arg, FILE *out);

/* Before anything runs: can the files be written? 0, or -1 with messages. */
int map_outputs_check(const struct map_options *o, struct errors *e);

/* Writes all of them or none; without --out the table goes to standard error. 0, or -1 with
 * messages. */
int map_outputs_write(const struct map_options *o, map_writer *json, map_writer *text,
	const void *arg, struct errors *e);

#endif
