/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of affinity-rhp --simulate: what is free, what a program maps, and what was counted. */
#ifndef SCENARIO_H
#define SCENARIO_H

#include "analysis/rcm.h"
#include "base/error.h"

enum scenario_count {
	SCENARIO_MISSES,       /* of the TLB */
	SCENARIO_WALK_CYCLES,  /* of one page walk, mean */
	SCENARIO_IDEAL_CYCLES, /* of the run, without page walks */
	SCENARIO_FAR_STALLS,   /* cycles that wait for far memory */
	SCENARIO_HITS,         /* of the range TLB */
	SCENARIO_FAR_ACCESSES,
	SCENARIO_FAR_NS, /* latency */
	SCENARIO_LOCAL_NS,
	SCENARIO_HERTZ, /* clock rate */
	SCENARIO_COUNTS
};

/* A zeroed one is empty. */
struct scenario {
	struct rcm_ranges ranges; /* its lists are owned; ranges are whole blocks */
	uint64_t *areas;          /* bytes, whole blocks; owned */
	size_t nareas;
	uint64_t block;
	int local;
	double counts[SCENARIO_COUNTS]; /* NAN: not given */
};

/* 0, or -1 with all mistakes of the file (STATUS_USAGE) or STATUS_FAILED: it cannot be read.
 * scenario_free() in either case. */
int scenario_read(struct scenario *s, const char *path, struct errors *e);
void scenario_free(struct scenario *s);

#endif
