/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of affinity-map's documents. */
#ifndef MAP_JSON_H
#define MAP_JSON_H

#include "document/value.h"
#include "affinity-map/report.h"

/* Everything but programs and mappings: the machine, how it was run, warnings. */
json_t *map_json_head(const struct map_result *r);
json_t *map_json_environment(const struct topo *t);
/* What affinity-map runs; the same with its threads and mix. */
json_t *map_json_command(const struct map_app *app);
json_t *map_json_program(const struct map_app *app);
json_t *map_json_mappings(const struct map_result *r);

#endif
