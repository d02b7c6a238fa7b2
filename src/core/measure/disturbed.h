/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What disturbed a thread in a sample. */
#ifndef DISTURBED_H
#define DISTURBED_H

#include "measure/sample.h"
#include "system/quota.h"
#include "system/watch.h"

/* By how many nanoseconds the chains of additions beside a sample may exceed what their rate
 * allows. A clock tick takes less; what takes longer took the CPU away. */
#define DISTURBED_CHAIN_NS 50000

/* Fills in what two readings say, but for stolen time. Migrations and times are -1 where one of the
 * readings lacks them. */
void disturbed_note(struct thread_sample *t, const struct watch *before, const struct watch *after);

/* DISTURBED_* of one of n threads, which was bound to cpu (-1: not bound, it may move) and works
 * with the others together or beside them. above: the part of its time that it may lose. */
unsigned disturbed_by(
	const struct sample *s, int n, int thread, int cpu, bool together, double above);

/* DISTURBED_THROTTLED, or 0: what quotas did between two readings. */
unsigned disturbed_by_quota(const struct quota *before, const struct quota *after);

#endif
