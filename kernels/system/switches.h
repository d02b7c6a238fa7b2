/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the system counts of a thread: how often it gave up its CPU, and how long it waited for one.
 * Kernels count by it whether an event happened that they took the time of. */
#ifndef SWITCHES_H
#define SWITCHES_H

#include <stdint.h>

struct switches {
	uint64_t voluntary, involuntary; /* a sched_yield() that another thread follows is
					    involuntary */
	int64_t queued_ns;               /* runnable, without a CPU; -1: the system does not tell */
};

/* Of the calling thread. The first reading is as near as possible to the end of the call, the
 * second, into which the difference goes, to its beginning. */
void switches_begin(struct switches *s);
void switches_end(struct switches *s);

#endif
