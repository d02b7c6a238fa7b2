/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the detector (fleet/fleet.h) says of the nodes of a group. */
#ifndef FLEET_VERDICTS_H
#define FLEET_VERDICTS_H

#include "programs/affinity-fleet/group.h"

#define VERDICTS_FRESH  3 /* runs that confirm; fewer than two tell no spread */
#define VERDICTS_CLAIMS 3 /* per cent that a fleet should bear claims of: 3, 5, 10 */

extern const double verdicts_claims[VERDICTS_CLAIMS];

enum verdict_kind {
	VERDICT_ALIKE,
	VERDICT_SUSPECT, /* not run again yet */
	VERDICT_CLEARED, /* the fresh runs do not show it again, or less than the tolerance */
	VERDICT_SLOW
};

/* "alike", "suspect", "cleared", "slow" */
extern const char *const verdicts_words[];

struct node_verdict {
	size_t host;
	enum verdict_kind kind;
	size_t set; /* what is slow, or the hottest one; fleet_sets(): time taken away (held.h) */
	double effect, low, high;       /* per cent slower; without fresh runs no interval: NAN */
	double others_low, others_high; /* the effects of the other nodes */
	double score;                   /* of that set, as a part of the limit of suspects */
	size_t fresh;                   /* runs */
	bool small;   /* cleared, though the fresh runs show it again: below the tolerance */
	double least; /* per cent, what so many fresh runs find in 95 % of the cases; NAN: not known
		       */
};

struct spread {
	size_t resource, figures;
	double between, within; /* per cent, of the median figure; within NAN: one run each */
	double least; /* as above, for the resource; INFINITY: as a set it has none beside */
	/* fresh runs that find it slower by each claim in 95 % of the cases; 0: no number of them,
	 * because healthy nodes differ by `healthy` per cent in it. Only where least is finite. */
	size_t runs_for[VERDICTS_CLAIMS];
	double healthy;
};

/* Of a figure over all nodes; per cent, within NAN: one run each. */
struct figure_spread {
	double median_s, between, within;
};

struct verdicts {
	struct node_verdict *nodes;    /* [group.nhosts] */
	struct spread *spreads;        /* [layout.resources] */
	struct figure_spread *figures; /* [layout.figures] */
	double *effects; /* [nhosts * (1 + resources)] per cent slower in the first runs: the
			    whole node, then its resources; NAN: not known */
	size_t *counts;  /* by enum verdict_kind; [4] */
};

/* tolerance: per cent from which a node is slow. */
struct verdicts verdicts_of(
	const struct group *g, const struct intake *in, const struct host *hosts, double tolerance);
void verdicts_free(struct verdicts *v);

/* "experiment memory/latency"; to be freed. */
char *verdicts_set_name(const struct group *g, const struct intake *in, size_t set);

#endif
