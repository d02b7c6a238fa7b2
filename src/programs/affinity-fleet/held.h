/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nodes from which something takes time: a CPU quota, other programs, a hypervisor. Costs do not
 * show it, because disturbed samples are not in them; the time of all samples does.
 *
 * Held is how much longer the samples of a result took than the median node's costs, beyond what
 * the node's own costs explain: the median over its figures. A node is held up where that is
 * beyond the usual of all nodes by the tolerance, and by 4 of their standard deviations, in every
 * result: others' programs that come and go are in some.
 */
#ifndef FLEET_HELD_H
#define FLEET_HELD_H

#include "programs/affinity-fleet/verdicts.h"

/* Changes the verdicts nodes[g->nhosts] of nodes that are held up: suspects, and slow where fresh
 * runs are, too. centre[figures]: the median node's; effects[nhosts * sets]: of its costs; NAN: it
 * has none. floor: 100 ln(1 + tolerance). */
void held_judge(const struct group *g, const struct intake *in, const struct host *hosts,
	const double *centre, const double *effects, double floor, struct node_verdict *nodes);

#endif
