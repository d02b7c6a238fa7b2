/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What affinity-fleet tells people. */
#ifndef FLEET_REPORT_H
#define FLEET_REPORT_H

#include <stdio.h>

#include "programs/affinity-fleet/verdicts.h"

/* What was read. */
void fleet_report_head(const struct intake *in, FILE *out);

/* What the nodes of a group have in common. */
void fleet_report_facts(
	const struct group *g, const struct intake *in, const struct host *hosts, FILE *out);

/* A group: what its nodes have in common, what spreads, which nodes are slow.
 * tolerance: per cent from which a node is slow. */
void fleet_report_group(const struct group *g, const struct verdicts *v, const struct intake *in,
	const struct host *hosts, double tolerance, FILE *out);

/* The nodes that nothing can be said of; nothing, if there are none. */
void fleet_report_refused(const struct intake *in, const struct host *hosts, FILE *out);

/* The names of the nodes that must be run again, one a line. */
void fleet_report_suspects(const struct verdicts *v, const struct intake *in, FILE *out);

#endif
