/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Like nodes, and the figures that most of them have. */
#ifndef FLEET_GROUP_H
#define FLEET_GROUP_H

#include "affinity-fleet/fleet.h"
#include "affinity-fleet/hosts.h"

#define GROUP_LEAST 3 /* nodes; the median of two tells nothing */

struct group {
	size_t *hosts, nhosts;
	size_t alike;                      /* facts_names[0..alike) are equal */
	size_t *experiments, nexperiments; /* that at least half of the nodes measured */
	size_t *figures;                   /* [layout.figures] of the intake */
	size_t *resources;                 /* [layout.resources]: experiments or parts */
	bool by_parts;                     /* resources are parts */
	size_t *domains;                   /* [layout.domains] NUMA nodes */
	struct fleet_layout layout;
	size_t nruns; /* that half of the nodes have, or more, of their experiments */
	size_t older; /* results beyond these, which are not used */
	double *runs; /* [nhosts * nruns * figures] */
	size_t *resource_of, *domain_of;
};

/* Groups of all nodes that can be judged, by facts_names[0..alike): FACTS_ALIKE where nodes are
 * compared with each other, FACTS_MACHINE where each is with itself. Nodes that are alone, or
 * that lack what the others have, become refused. groups_free() frees them. */
struct group *groups_of(const struct intake *in, struct host *hosts, size_t alike, size_t *count);
void groups_free(struct group *groups, size_t count);

/* The newest `want` results of an experiment of a node, oldest first, to found[want]; returns how
 * many there are, which may be more. */
size_t group_results(const struct intake *in, const struct host *h, size_t experiment,
	enum role role, size_t want, size_t *found);

/* The median number of results that a node has of an experiment, of those that have any. */
size_t group_usual_runs(
	const struct group *g, const struct intake *in, const struct host *hosts, enum role role);

/* The costs of a result to row[figures]; what it lacks stays as it is. */
void group_fill(const struct group *g, const struct intake *in, size_t result, double *row);

/* The same of what all samples took. */
void group_fill_times(const struct group *g, const struct intake *in, size_t result, double *row);

/* The fact that most nodes have. */
size_t group_usual(
	const struct group *g, const struct intake *in, const struct host *hosts, size_t fact);

#endif
