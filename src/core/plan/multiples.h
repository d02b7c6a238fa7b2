/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes of caches that a size such as 4xcaches multiplies. */
#ifndef MULTIPLES_H
#define MULTIPLES_H

#include "plan/plan.h"

/* [level][cache]: threads with vectors under it. */
struct sharers {
	int *under[TOPO_LEVELS];
};

struct sharers multiples_count(const struct plan *p);
void multiples_free(struct sharers *s);

/* Of the caches above a CPU. */
double multiples_of_cpu(const struct topo *t, const struct topo_cpu *cpu,
	const struct value_size *s, const struct sharers *sharers);
/* The most of each level: for threads that may run anywhere. */
double multiples_of_machine(const struct topo *t, const struct value_size *s);

#endif
