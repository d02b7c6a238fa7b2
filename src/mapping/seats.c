/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts the topology's CPUs into the mapping's seats, so that neither needs to include the
 * other. */
#include "mapping/seats.h"

#include "base/alloc.h"

/* A core of unknown kind comes after all others. */
static int kind_of(const struct topo *t, const struct topo_cpu *cpu)
{
	return cpu->kind < 0 ? t->nkinds : cpu->kind;
}

struct mapping_seat *seats_usable(const struct topo *t, int *n)
{
	struct mapping_seat *seats = alloc_zeroed((size_t)t->ncpus + 1, sizeof(*seats));

	*n = 0;
	for (int i = 0; i < t->ncpus; i++) {
		const struct topo_cpu *c = &t->cpus[i];

		if (c->allowed)
			seats[(*n)++] = (struct mapping_seat){
				c->package, c->node, c->core, c->thread, c->cpu, kind_of(t, c)};
	}
	return seats;
}
