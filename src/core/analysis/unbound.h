/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a thread that was not bound ran, as far as the samples know. */
#ifndef UNBOUND_H
#define UNBOUND_H

#include "measure/samples.h"

struct unbound {
	bool *cpus;         /* [ncpu_index of the topology]: seen on it before or after a sample */
	int64_t migrations; /* within the samples that count; -1: the kernel does not tell */
	size_t jumps;       /* how often it was on another node than the reading before, of those at
			       the beginning and end of each sample */
};

/* Finds this for one thread in one operation's samples, without warm-up. */
void unbound_find(const struct samples *r, int op, int thread, struct unbound *seen);
void unbound_free(struct unbound *seen);

#endif
