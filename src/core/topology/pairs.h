/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How near two CPUs are: classes of pairs by the innermost place that both are in. */
#ifndef TOPO_PAIRS_H
#define TOPO_PAIRS_H

#include "topology/topo.h"

struct topo_pair {
	int shared;  /* the innermost level of which both are in the same place; of levels with the
			same places the outermost; -1: none */
	int unknown; /* the outermost level inside of it that the machine does not show for both;
			-1: none */
};

struct topo_pair topo_pair(
	const struct topo *t, const struct topo_cpu *a, const struct topo_cpu *b);
bool topo_pair_is(struct topo_pair a, struct topo_pair b);

/* As qsort() has it: the nearest first. */
int topo_pair_order(struct topo_pair a, struct topo_pair b);

/* "same L3 = node", "other package", "same node (L3 not known)"; in buffer. */
const char *topo_pair_name(const struct topo *t, struct topo_pair p, char *buffer, size_t n);

/* How many pairs of usable CPUs are of a class; the time grows with the CPUs, not with the pairs.
 */
long topo_pair_count(const struct topo *t, struct topo_pair p);

#endif
