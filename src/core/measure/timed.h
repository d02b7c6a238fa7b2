/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the samples found in which single events were timed (contract/event_times.h). Costs are not
 * of these samples: stamps would be in them. */
#ifndef TIMED_H
#define TIMED_H

#include "statistics/histogram.h"

struct workers;

/* Of one thread in one sample. */
struct timed_thread {
	struct histogram kept, apart, pairs; /* apart: of blocks in which a thread lost its CPU, or
						with an interrupt; pairs: of stamps with nothing
						between them */
	uint64_t group;                      /* one event of so many was timed; 0: none */
	uint64_t blocks, switched;           /* switched: of these, all events are apart */
	bool looked;                         /* event_times.h */
	uint64_t interrupts, interrupted;
	double step;      /* ticks: the least difference of two pairs; 0: none */
	double ticks, ns; /* how long the sample was */
};

struct timed_sample {
	size_t placement;
	struct timed_thread *threads; /* [nthreads] */
};

/* What the workers' threads have just timed. */
struct timed_sample timed_take(const struct workers *c, size_t placement);
void timed_free(struct timed_sample *s, int nthreads);

#endif
