/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nodes from which something takes time: a CPU quota, other programs, a hypervisor. Costs do not
 * show it, because disturbed samples are not in them; the time of all samples does.
 *
 * Held is how much longer the samples of a result took than the median node's costs, beyond what
 * the node's own costs explain: the median over its figures. A node is held up where that is
 * beyond the usual of all nodes by the tolerance, and by 4 of their standard deviations, in every
 * result: others' programs that come and go are in some.
 *
 * Over time a node is held up from a date on where all dates from it on, three at least (two, where
 * the date is known), are beyond the median of those before it by the tolerance, and by 4 standard
 * deviations of all nodes from date to date. What comes and goes is no change.
 */
#ifndef FLEET_LOST_TIME_H
#define FLEET_LOST_TIME_H

#include "affinity-fleet/shift.h"
#include "affinity-fleet/findings.h"

/* Changes the findings nodes[g->nhosts] of nodes that are held up: suspects, and slow where fresh
 * runs are, too. centre[figures]: the median node's; effects[nhosts * sets]: of its costs; NAN: it
 * has none. */
void lost_time_judge(const struct findings *f, const struct group *g, const double *centre,
	const double *effects, struct node_finding *nodes);

/* Changes shifts of nodes that are held up and not known to be slower: their set is fleet_sets(),
 * without an interval. times: as s->values, of all samples. */
void lost_time_judge_dates(
	const struct fleet_series *s, const double *times, struct fleet_shifts *shifts);

#endif
