/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of the runs, for people and for programs. */
#ifndef MAP_REPORT_H
#define MAP_REPORT_H

#include <stdio.h>

#include "base/amount.h"
#include "programs/affinity-map/count.h"
#include "base/stats.h"

struct map_result {
	const struct map_app *apps;
	int napps;
	const struct map_layout *layouts;
	int nlayouts;
	struct map_sample *samples; /* [nlayouts][runs][napps] */
	size_t runs;                /* asked for */
	size_t *done;               /* [nlayouts]: complete ones */
	const char *by;             /* as asked: "spread" or a type */
	uint64_t seed;              /* of the order; 0: there was one run only */
	const struct topo *topo;
	const struct map_counted *counted;
	const struct errors *warnings;
};

#define MAP_CONFIDENCE 0.95

/* The time until the last program has ended: the paper's figure. */
#define MAP_SLOWEST (-1)

const struct map_sample *map_sample_of(const struct map_result *r, int layout, size_t run, int app);

/* Wall-clock seconds of a program, or of the slowest, under a mapping. 0, or -1 when there is no
 * complete run. */
int map_figures(const struct map_result *r, int layout, int app, struct stats *s);

/* Time of the slowest under a mapping, divided by that under the first one: the geometric mean over
 * the rounds, with its interval (stats_paired_ratio()). Of the first one it is 1, without an
 * interval. All NAN: no round is complete. */
struct amount map_ratio(const struct map_result *r, int layout);

void map_report_plan(const struct map_result *r, FILE *out);
void map_report(const struct map_result *r, FILE *out);

/* json.c: one document. 0, or -1 when out of memory. */
int map_json(const struct map_result *r, FILE *out);

#endif
