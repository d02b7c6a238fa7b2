/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How busy the CPUs near those of a run are with the work of others, by the lines of /proc/stat for
 * each CPU: a hardware thread that another program uses takes half a core from a thread beside it,
 * and is less than a hundredth of a large machine.
 *
 * One reading takes 9 us with 2 CPUs, and a millisecond or more with hundreds. It counts in clock
 * ticks (10 ms), so that a sample of a millisecond shows nothing by itself.
 */
#ifndef NEAR_H
#define NEAR_H

#include <stdbool.h>
#include <stdint.h>

#include "topology/topo.h"

struct near {
	int count;               /* of numbers of CPUs; 0: there are no threads with a CPU */
	unsigned char *levels;   /* [count]: what it shares with a CPU that is used */
	int64_t *before, *after; /* [count] nanoseconds of work, by two readings */
	int64_t *work;           /* [count] between earlier ones, since the last look */
	uint64_t at_ns;          /* of `before` */
	uint64_t span_ns;        /* of `work` */
};

/* Parts of the time of CPUs that the run does not use, at most 1; NAN: there are none. */
struct near_load {
	bool known;   /* false: threads without a CPU may be beside any */
	double core;  /* the busiest one that shares a core with a CPU that is used */
	double cache; /* all that share a last-level cache with one, on average */
	double node;  /* the same of nodes */
};

/* used[t->ncpu_index]; NULL: it is not known, and nothing is ever near. near_free() */
void near_init(struct near *n, const struct topo *t, const bool *used);
void near_free(struct near *n);

/* Does any CPU share a core with one that is used? */
bool near_shares_core(const struct near *n);

/* Work counts from a begin to a pause or a look, however often there are pauses. */
void near_begin(struct near *n);
void near_pause(struct near *n);

/* For how long work has counted since the last look, while it counts. */
uint64_t near_span(const struct near *n);

/* Sets the CPUs of set[count] of which more than this part was work, of what counted. */
void near_busy(const struct near *n, double part, bool *set);

/* What counted since the last look, or the first begin; it goes on counting. */
struct near_load near_look(struct near *n);

#endif
