/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was found of nodes, of resources and of figures: verdicts.c or changes.c fill it in, all
 * that is told of it is told from here (documents.h). Effects are in per cent: above 0 is slower.
 * NAN: not known.
 */
#ifndef FLEET_FINDINGS_H
#define FLEET_FINDINGS_H

#include "base/amount.h"
#include "affinity-fleet/group.h"

#define VERDICTS_FRESH  3 /* runs that confirm; fewer than two tell no spread */
#define VERDICTS_CLAIMS 3 /* per cent that a fleet should bear claims of: 3, 5, 10 */

extern const double verdicts_claims[VERDICTS_CLAIMS];

/* The worst is the last of its kind of judgement. */
enum verdict_kind {
	/* beside the other nodes */
	VERDICT_ALIKE,
	VERDICT_SUSPECT, /* not run again yet */
	VERDICT_CLEARED, /* the fresh runs do not show it again, or less than the tolerance */
	VERDICT_SLOW,
	/* over time */
	VERDICT_UNKNOWN, /* too few dates, or nothing in common */
	VERDICT_STEADY,
	VERDICT_QUICKER,
	VERDICT_SLOWER,
	VERDICTS
};

/* "alike", "suspect", "cleared", "slow", "unknown", "steady", "quicker", "slower" */
extern const char *const verdicts_words[VERDICTS];

struct node_finding {
	size_t host;
	const char *node, *word; /* of the kind */
	size_t group;            /* from 1 */
	enum verdict_kind kind;
	char *set;            /* what is slow, or the hottest one; NULL: nothing is known */
	size_t set_number;    /* fleet_sets(): time taken away (held.h) */
	struct amount slower; /* without fresh runs no interval */
	double least;         /* what so many runs find in 95 % of the cases */
	double rank;          /* among its kind on the page, the largest first */
	/* beside the other nodes */
	double others_low, others_high; /* the effects of these */
	double score;                   /* of the set, as a part of the limit of suspects */
	size_t fresh;                   /* runs */
	bool small; /* cleared, though the fresh runs show it again: below the tolerance */
	/* over time */
	size_t split;         /* from which date on */
	const char *since;    /* that date; NULL: it is a change between before and after */
	const double *course; /* [ndates] of the set, above its mean before */
	size_t before, after; /* the results that its facts before and after are taken from */
};

struct resource_finding {
	char *name;
	size_t figures;
	struct amount all;      /* over time: what all nodes have in common */
	double between, within; /* per cent, of the median figure; within NAN: one run each */
	double least;           /* as above; INFINITY: as a set it has none beside */
	/* Fresh runs that find it slower by each claim in 95 % of the cases; 0: no number of them,
	 * because healthy nodes differ by `healthy` per cent in it. Only where least is finite. */
	size_t runs_for[VERDICTS_CLAIMS];
	double healthy;
};

/* Of a figure over all nodes; per cent, within NAN: one run each. */
struct figure_finding {
	char *name;
	double median_s, between, within;
};

/* Of a group. */
struct judged {
	char *refused;              /* why it cannot be judged; NULL: it can, and the rest is set */
	struct node_finding *nodes; /* [group.nhosts] */
	struct resource_finding *resources; /* [layout.resources] */
	struct figure_finding *figures;     /* [layout.figures]; over time NULL */
	double *effects; /* [nhosts * resources] in the first runs, or at the node's change */
	double *whole;   /* [nhosts] of the whole node in the first runs; over time NULL */
	double *courses; /* [nhosts * ndates] of all nodes */
	char **dates;    /* [ndates] "2026-11-02", "before 1", "after 2"; NULL: not over time */
	size_t ndates;
	size_t split; /* from which date on all nodes changed most */
	size_t counts[VERDICTS];
	size_t usual[FACTS]; /* the facts that most nodes have */
};

/* All that was found. */
struct findings {
	const struct intake *in;
	const struct host *hosts;
	const struct group *groups; /* [count] */
	struct judged *judged;      /* [count] */
	size_t count;
	bool changes;     /* over time */
	double days;      /* of a date; 0: before and after */
	double tolerance; /* per cent from which on a node is slow */
	const struct errors *warnings;
};

/* Judges a group: its nodes beside each other, or each over time (f->changes). */
void verdicts_judge(const struct findings *f, size_t group, struct judged *out);
void changes_judge(const struct findings *f, size_t group, struct judged *out);
void judged_free(struct judged *j, const struct group *g);

/* "experiment memory/latency"; to be freed. */
char *findings_set_name(const struct findings *f, size_t group, size_t set);

/* What all nodes of a group have in common: fact i < group.alike; NULL: not recorded. */
const char *findings_common(const struct findings *f, size_t group, size_t i);

/* Is a fact of a node another one than most nodes have, or than before its change? pair: the node's
 * and that of most; before and after. */
bool findings_other_fact(
	const struct findings *f, const struct node_finding *n, size_t i, const char *pair[2]);

#endif
