/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts how a command's cycles are spent, with the processor's counters: all threads and children
 * of it. */
#ifndef STALLS_H
#define STALLS_H

#include <stdbool.h>
#include <sys/types.h>

#include "counters/counters.h"
#include "counters/counting.h"

/* Since the command began; NAN: not counted. */
struct stalls_counts {
	double cycles;
	double stalls; /* cycles that wait for memory: the metric memory_stalls */
	double walks;  /* cycles of page walks: walk_cycles */
};

#define STALLS_EVENTS 8

struct stalls {
	struct counting counting;
	const struct counted_metric *of[3]; /* in the order of stalls_counts; NULL: not asked */
	const char *events[STALLS_EVENTS];
	double values[STALLS_EVENTS];
	size_t nevents;
	struct counters *counters; /* of the run now; NULL: none */
	char why[256];             /* why there are no counts; "": there are */
};

/* walks: those are counted, too. Where anything is missing, nothing is counted. stalls_close() in
 * either case. */
void stalls_open(struct stalls *s, bool walks);
void stalls_close(struct stalls *s);

static inline bool stalls_count(const struct stalls *s)
{
	return !*s->why;
}

/* Counts a process that has not begun yet, in place of the one before. 0, or -1: why has it. */
int stalls_attach(struct stalls *s, pid_t process);

/* Also after its end. */
struct stalls_counts stalls_take(struct stalls *s);

#endif
