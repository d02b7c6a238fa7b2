/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of the runs, as text for people and as JSON for programs. */
#ifndef MAP_REPORT_H
#define MAP_REPORT_H

#include <stdio.h>

#include "base/amount.h"
#include "affinity-map/count.h"
#include "statistics/stats.h"

struct map_result {
	const struct map_app *apps;
	int napps;
	const struct map_layout *layouts;
	int nlayouts;
	struct map_sample *samples; /* [nlayouts][runs][napps] */
	size_t runs;                /* requested */
	size_t *done;               /* [nlayouts]: complete runs */
	const char *by;             /* as requested: "spread" or a type */
	uint64_t seed;              /* of the random order; 0: there was only one run */
	const struct topo *topo;
	const struct map_counted *counted;
	const struct errors *warnings;
};

#define MAP_CONFIDENCE 0.95

/* The time until the last program has ended: the value that the paper reports. */
#define MAP_SLOWEST (-1)

const struct map_sample *map_sample_of(const struct map_result *r, int layout, size_t run, int app);

/* Wall-clock seconds of a program, or of the slowest one, under a mapping. 0, or -1 when there is
 * no complete run. */
int map_figures(const struct map_result *r, int layout, int app, struct stats *s);

/* Time of the slowest program under a mapping, divided by that under the first mapping: the
 * geometric mean over the rounds, with its interval (stats_paired_ratio()). The first mapping has
 * the value 1, without an interval. All NAN: no round is complete. */
struct amount map_ratio(const struct map_result *r, int layout);

/* Seconds of a program, or of the slowest one, in a run. */
double map_wall(const struct map_result *r, int layout, size_t run, int app);

/* The mean times of the slowest program under the random mappings, all 0 if there is none, and how
 * many of these are longer than that under a layout. */
struct stats map_random(const struct map_result *r);
int map_slower_random(const struct map_result *r, int layout);

/* The name of the kind of a CPU's core; NULL: all cores are alike, or there is no such CPU. */
const char *map_kind(const struct topo *t, int cpu);

void map_report_plan(const struct map_result *r, FILE *out);
/* The second part of that: the CPUs under each mapping. */
void map_report_mappings(const struct map_result *r, FILE *out);
void map_report(const struct map_result *r, FILE *out);

/* json.c: writes one document. 0, or -1 when out of memory. */
int map_json(const struct map_result *r, FILE *out);

#endif
